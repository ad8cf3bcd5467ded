import { expect, it } from 'vitest'
import { onEveryHost } from '../support/hosts.ts'

const REALM = 'Bearer realm="animal-store"'
const INVALID = `${REALM}, error="invalid_token"`

onEveryHost((start) => {
  it.each<[string, string | undefined, string]>([
    ['no credentials', undefined, REALM],
    ['another scheme', 'Basic dXNlcjpwYXNz', REALM],
    ['the scheme alone', 'Bearer', REALM],
    ['the scheme and a space', 'Bearer ', REALM],
    ['a scheme that only begins like it', 'Bearerx key', REALM],
    ['the reserved key', 'Bearer invalid', INVALID],
    ['a character outside RFC 6750', 'Bearer p;ss', INVALID],
    // Chromium keeps a field that is not ASCII from its service workers.
    ...('document' in globalThis ? [] : ([['a character outside ASCII', 'Bearer päss', INVALID]] as [string, string, string][])),
    ['a space inside the token', 'Bearer two words', INVALID],
    ['padding in the middle', 'Bearer a=b', INVALID],
    ['two fields, joined', 'Bearer one, Bearer two', INVALID],
  ])('refuses %s', async (_, authorization, challenge) => {
    const api = await start()
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const answer = await api.ask({ key: null, headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(challenge)
    expect(answer.json).toMatchObject({ code: 'Unauthorized', status: 401 })
  })

  it.each(['Bearer key', 'bearer key', 'BEARER key', 'Bearer    key', 'Bearer a-b._~+/c==', 'Bearer 1'])(
    'accepts %s',
    async (authorization) => {
      const api = await start()
      const answer = await api.ask({ key: null, headers: { authorization } })
      expect(answer.status).toBe(200)
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    },
  )

  it('ignores a key in the query', async () => {
    const api = await start()
    expect((await api.ask({ target: '/v1/pets?api_key=spec-key&access_token=spec-key', key: null })).status).toBe(401)
  })

  it('asks for the key before it looks at the request', async () => {
    const api = await start()
    expect((await api.ask({ target: '/v1/pets?limit=0', key: null })).status).toBe(401)
    expect((await api.ask({ target: '/v1/pets/abc', key: null })).status).toBe(401)
    expect((await api.create('{', { key: null })).status).toBe(401)
    expect((await api.ask({ method: 'HEAD', key: null })).status).toBe(401)
  })
})
