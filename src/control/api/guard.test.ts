import { describe, expect, it } from 'vitest'
import { findViolations } from '../../contract/schema.ts'
import { controlTokenSchema } from '../../scenario/settings/access.ts'
import { checkToken, findMisusedToken } from './guard.ts'

const TOKEN = 'a-token-of-16-ch'

describe('a control token', () => {
  it.each([TOKEN, 'A1-._~+/A1-._~+/=='])('can be %s', (token) =>
    expect(findViolations(controlTokenSchema, token)).toEqual([]),
  )

  it.each(['fifteen-letters', '', 'sixteen letters!!', 1234567890123456])(
    'cannot be %j, and is not repeated',
    (token) => {
      expect(findViolations(controlTokenSchema, token)).toEqual([
        { kind: 'mismatch', path: '', expected: controlTokenSchema.title },
      ])
    },
  )
})

const toCall = (authorization?: string) => ({
  method: 'GET',
  target: '/v1/pets',
  headers: { ...(authorization && { authorization }) },
})

it.each(['', TOKEN, 'Bearer ', `Bearer ${TOKEN} `, `Bearer ${TOKEN.slice(1)}x`])(
  'does not take %j for the token',
  (authorization) => {
    expect(() => checkToken(toCall(authorization), TOKEN)).toThrowError(
      expect.objectContaining({ status: 401 }),
    )
  },
)

describe('findMisusedToken', () => {
  it('refuses the token as a key, as any other key that is not valid', () => {
    expect(findMisusedToken(toCall(`bearer  ${TOKEN}`), TOKEN)).toMatchObject({
      status: 401,
      message: 'This is the control token, not an API key',
      headers: { 'WWW-Authenticate': 'Bearer realm="animal-store", error="invalid_token"' },
    })
  })

  it.each([undefined, '', 'Bearer', 'Bearer another-key', `Basic ${TOKEN}`])(
    'lets %j pass',
    (authorization) => {
      expect(findMisusedToken(toCall(authorization), TOKEN)).toBeUndefined()
    },
  )
})
