import { describe, expect, it } from 'vitest'
import { checkBody, checkSite, checkToken, checkWrite } from './control-guard.ts'

type Fields = Readonly<Record<string, string>>

const toCall = (fields: Fields, body?: Uint8Array) => ({
  method: 'PUT',
  target: '/__mock/state',
  header: (name: string) => fields[name],
  body,
})
const host = 'localhost:7387'

describe('checkSite', () => {
  it.each<[fields: Fields]>([
    [{}],
    [{ host }],
    [{ host, origin: 'http://localhost:7387' }],
    [{ host: 'LocalHost:7387', origin: 'http://localhost:7387' }],
    [{ host, 'sec-fetch-site': 'same-origin' }],
    [{ host, 'sec-fetch-site': 'none' }],
  ])('lets %j pass', (fields) => expect(() => checkSite(toCall(fields))).not.toThrow())

  it.each<[fields: Fields]>([
    [{ host, origin: 'null' }],
    [{ host, origin: 'https://localhost:7387' }],
    [{ host, origin: 'http://localhost' }],
    [{ origin: 'http://undefined' }],
    [{ origin: 'http://' }],
    [{ host: '', origin: 'http://example.com' }],
    [{ host, 'sec-fetch-site': 'same-site' }],
    [{ host, origin: 'http://localhost:7387', 'sec-fetch-site': 'cross-site' }],
    [{ host, 'sec-fetch-site': 'none, cross-site' }],
  ])('refuses %j', (fields) => expect(() => checkSite(toCall(fields))).toThrowError(expect.objectContaining({ status: 403 })))
})

it('lets pages of every scheme pass that the mock can have', () => {
  const check = (origin: string) => () => checkSite(toCall({ host, origin }), ['http', 'https'])
  expect(check('http://localhost:7387')).not.toThrow()
  expect(check('https://localhost:7387')).not.toThrow()
  expect(check('ftp://localhost:7387')).toThrowError(expect.objectContaining({ status: 403 }))
})

describe('checkToken', () => {
  const isToken = (sent: string) => sent === 'sesame'

  it.each(['Bearer sesame', 'bearer sesame', 'BEARER  sesame'])('takes %j', (authorization) => {
    expect(() => checkToken(toCall({ authorization }), isToken)).not.toThrow()
  })

  it.each(['', 'sesame', 'Bearer', 'Bearer ', 'Bearer sesame ', 'Basic sesame', 'Bearer sesame, Bearer sesame'])(
    'refuses %j',
    (authorization) => {
      expect(() => checkToken(toCall({ authorization }), isToken)).toThrowError(expect.objectContaining({ status: 401 }))
    },
  )
})

describe('checkWrite and checkBody', () => {
  const json = { 'content-type': 'application/json' }
  const body = new Uint8Array(2)

  it.each<[fields: Fields, body: Uint8Array | undefined, status: number | undefined]>([
    [json, body, undefined],
    [{ 'content-type': 'Application/JSON ; charset=utf-8' }, body, undefined],
    [json, undefined, undefined],
    [{ 'x-mock-control': '1' }, undefined, undefined],
    [{ 'x-mock-control': '1' }, new Uint8Array(0), undefined],
    [{ 'x-mock-control': '1' }, body, 415],
    [{ 'x-mock-control': '1', 'content-type': 'text/plain' }, body, 415],
    [{ 'x-mock-control': '0' }, undefined, 403],
    [{}, undefined, 403],
    [{}, body, 403],
    [{ 'content-type': 'text/plain' }, body, 415],
    [{ ...json, 'content-encoding': 'gzip' }, body, 415],
    [json, new Uint8Array(8), undefined],
    [json, new Uint8Array(9), 413],
  ])('%j', (fields, sent, status) => {
    const check = () => {
      checkWrite(toCall(fields, sent))
      checkBody(toCall(fields, sent), 8)
    }
    if (status === undefined) expect(check).not.toThrow()
    else expect(check).toThrowError(expect.objectContaining({ status }))
  })
})

it.each([
  [undefined, 'Bearer realm="animal-store-mock control"'],
  ['Basic x', 'Bearer realm="animal-store-mock control"'],
  ['Bearer wrong', 'Bearer realm="animal-store-mock control", error="invalid_token"'],
])('challenges %j with %s', (authorization, challenge) => {
  const call = { method: 'GET', target: '/', header: (name: string) => (name === 'authorization' ? authorization : undefined) }
  expect(() => checkToken(call, () => false)).toThrowError(
    expect.objectContaining({
      status: 401,
      message: 'The control API requires its token, which the mock printed or was given at start: send Authorization: Bearer <token>',
      headers: { 'WWW-Authenticate': challenge },
    }),
  )
})
