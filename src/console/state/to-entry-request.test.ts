import { describe, expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../mock/mock.ts'
import { toEntryRequest } from './to-entry-request.ts'
import { unreadWorld } from './world-view.ts'

const origin = 'http://127.0.0.1:7387'

/** The request that the page makes of what a mock wrote into its journal. */
function send(authorization: string | undefined, options: MockOptions = {}, sandbox?: string, target = '/v1/pets') {
  const { answer, control } = createMock({ pets: [], ...options })
  answer({ method: 'GET', target, header: (name) => (name === 'authorization' ? authorization : undefined), body: undefined })
  const world = sandbox === undefined ? control : control.sandbox(sandbox)
  const [entry] = [...world.requests(), ...control.requests()]
  const view = { ...unreadWorld, apiKeys: options.apiKeys ?? [], assumptions: world.assumptions() }
  return toEntryRequest({ ...(entry as NonNullable<typeof entry>), sandbox: sandbox ?? null }, origin, view)
}

describe('the key of a copied request', () => {
  it.each<[what: string, authorization: string | undefined, options: MockOptions, sandbox: string | undefined, sent: string | undefined]>([
    ['is a placeholder where any key works', 'Bearer some-key', {}, undefined, 'Bearer <API_KEY>'],
    [
      'is the listed one, if there is but one that ends like it',
      'Bearer key-1234',
      { apiKeys: ['key-1234', 'key-5678'] },
      undefined,
      'Bearer key-1234',
    ],
    ['is a placeholder if two of the listed end alike', 'Bearer a-1234', { apiKeys: ['a-1234', 'b-1234'] }, undefined, 'Bearer <API_KEY>'],
    ["is the sandbox's own", 'Bearer ann-key', { sandbox: true }, 'ann-key', 'Bearer ann-key'],
    ['is one that is refused again, if it was refused', 'Bearer invalid', {}, undefined, 'Bearer <INVALID_KEY>'],
    ['is refused again, though it ends like a valid one', 'Bearer x-1234', { apiKeys: ['key-1234'] }, undefined, 'Bearer <INVALID_KEY>'],
    ['is refused again, if it was no token at all', 'Bearer a:b', {}, undefined, 'Bearer <INVALID_KEY>'],
    ['is missing again, if it was missing', undefined, {}, undefined, undefined],
    ['is missing again, if another scheme was used', 'Basic eDp5', {}, undefined, undefined],
  ])('%s', (_, authorization, options, sandbox, sent) => {
    expect(send(authorization, options, sandbox).headers.authorization).toBe(sent)
  })

  it('is a placeholder where nobody checked it', () => {
    expect(send('Bearer x-1234', { apiKeys: ['key-1234'] }, undefined, '/nowhere').headers.authorization).toBe('Bearer <API_KEY>')
  })
})
