// How a host passes the field on; test/transcripts/keys.txt has every way to write it.
import { expect, it } from 'vitest'
import { onEveryHost } from '../support/hosts.ts'

const REALM = 'Bearer realm="animal-store"'
const INVALID = `${REALM}, error="invalid_token"`

onEveryHost((start) => {
  it.each<[string, string | undefined, string]>([
    ['no credentials', undefined, REALM],
    ['the scheme and a space', 'Bearer ', REALM],
    ['the reserved key', 'Bearer invalid', INVALID],
    // Chromium keeps a field that is not ASCII from its service workers.
    ...('document' in globalThis
      ? []
      : ([['a character outside ASCII', 'Bearer päss', INVALID]] as [string, string, string][])),
  ])('refuses %s', async (_, authorization, challenge) => {
    const api = await start()
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const answer = await api.ask({ key: null, headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(challenge)
    expect(answer.json).toMatchObject({ code: 'Unauthorized', status: 401 })
  })
})
