import { describe, expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { checkToken, findMisusedToken, parseControlToken } from './guard.ts'

const TOKEN = 'a-token-of-16-ch'

describe('parseControlToken', () => {
  it.each([TOKEN, 'A1-._~+/A1-._~+/=='])('takes %s', (token) => expect(parseControlToken(token)).toBe(token))

  it.each<[token: unknown, message: string]>([
    ['fifteen-letters', 'controlToken: expected at least 16 characters, got 15'],
    ['', 'controlToken: expected a bearer token (RFC 6750: letters, digits and -._~+/)'],
    ['sixteen letters!!', 'controlToken: expected a bearer token (RFC 6750: letters, digits and -._~+/)'],
    [undefined, 'controlToken: expected a bearer token (RFC 6750: letters, digits and -._~+/)'],
    [1234567890123456, 'controlToken: expected a bearer token (RFC 6750: letters, digits and -._~+/)'],
  ])('refuses %j without repeating it', (token, message) => expect(() => parseControlToken(token)).toThrow(new UsageError(message)))

  it('uses the name that its caller uses', () => {
    expect(() => parseControlToken('short', '--control-token: ')).toThrow('--control-token: expected at least 16 characters, got 5')
  })
})

const toCall = (authorization?: string) => ({ method: 'GET', target: '/v1/pets', header: () => authorization })

it.each(['', TOKEN, 'Bearer ', `Bearer ${TOKEN} `, `Bearer ${TOKEN.slice(1)}x`])('does not take %j for the token', (authorization) => {
  expect(() => checkToken(toCall(authorization), TOKEN)).toThrowError(expect.objectContaining({ status: 401 }))
})

describe('findMisusedToken', () => {
  it('refuses the token as a key, as any other key that is not valid', () => {
    expect(findMisusedToken(toCall(`bearer  ${TOKEN}`), TOKEN)).toMatchObject({
      status: 401,
      message: 'This is the control token, not an API key',
      headers: { 'WWW-Authenticate': 'Bearer realm="animal-store", error="invalid_token"' },
    })
  })

  it.each([undefined, '', 'Bearer', 'Bearer another-key', `Basic ${TOKEN}`])('lets %j pass', (authorization) => {
    expect(findMisusedToken(toCall(authorization), TOKEN)).toBeUndefined()
  })

  it('lets everything pass where there is no token', () => {
    expect(findMisusedToken(toCall(`Bearer ${TOKEN}`), undefined)).toBeUndefined()
  })
})
