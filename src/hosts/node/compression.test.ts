import { expect, it } from 'vitest'
import { chooseCoding, compress } from './compression.ts'

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'deflate'],
  ['GZIP;Q=0.5 , br;q=0.4', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=x', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('of the codings %j, a response has %s', (accepted, expected) => {
  expect(chooseCoding(accepted)).toBe(expected)
})

const call = { method: 'GET', headers: { 'accept-encoding': 'gzip' } }

it.each([
  ['a drop', { status: 0, headers: {}, body: '' }],
  ['an empty response', { status: 204, headers: { Vary: 'Origin' }, body: '' }],
  ['one that has a coding', { status: 200, headers: { 'Content-Encoding': 'x' }, body: 'x' }],
])('%s stays as it is', (_, reply) => {
  expect(compress(reply, call)).toEqual({ headers: reply.headers, bytes: undefined })
})

it('a response that could have been compressed says that it depends on what is accepted', () => {
  const reply = { status: 200, headers: { 'Content-Length': '1' }, body: 'x' }
  const { headers, bytes } = compress(reply, { ...call, headers: {} })
  expect([headers, bytes]).toEqual([{ 'Content-Length': '1', Vary: 'Accept-Encoding' }, undefined])
})
