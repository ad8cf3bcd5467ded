import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { announcesTooMuch, checkTransferCoding, hasBody, readBody, takeBody, toCall, toHeader, withBody } from './call.ts'

const callWith = (fields: Readonly<Record<string, string>>) => ({ method: 'POST', target: '/', header: (name: string) => fields[name] })

/** A body that arrives in pieces, and what becomes of it. */
function read(maxBytes: number, max = 100) {
  const request = Object.assign(new EventEmitter(), { complete: false })
  const budget = { held: 0, max }
  const heard: string[] = []
  readBody(request as unknown as IncomingMessage, {
    maxBytes,
    budget,
    onBody: (body) => heard.push(String(body)),
    onFull: () => heard.push('full'),
  })
  return { budget, heard, request, send: (text: string) => request.emit('data', Buffer.from(text)) }
}

it('reads a body in pieces, and holds its bytes until it ends', () => {
  const { budget, heard, request, send } = read(10)
  send('abc')
  expect(budget.held).toBe(3)
  send('de')
  expect([budget.held, heard]).toEqual([5, []])
  request.emit('end')
  request.emit('close')
  expect([budget.held, heard]).toEqual([0, ['abcde']])
})

it('holds nothing of a body that has arrived whole', () => {
  const { budget, heard, request, send } = read(10)
  request.complete = true
  send('abc')
  expect(budget.held).toBe(0)
  request.emit('end')
  expect([budget.held, heard]).toEqual([0, ['abc']])
})

it('takes a body of the limit, and of a larger one no more than shows that', () => {
  const fits = read(5)
  fits.send('abc')
  fits.send('de')
  expect(fits.heard).toEqual([])
  fits.request.emit('end')
  expect(fits.heard).toEqual(['abcde'])
  const { budget, heard, request, send } = read(5)
  send('abc')
  send('def')
  send('ghi')
  request.emit('end')
  expect([budget.held, heard]).toEqual([0, ['abcdef']])
})

it('gives up where too much is arriving at once, and lets its bytes go', () => {
  const { budget, heard, request, send } = read(100, 10)
  budget.held = 4
  send('abcdef')
  expect([budget.held, heard]).toEqual([10, []])
  send('g')
  expect([budget.held, heard]).toEqual([4, ['full']])
  send('h')
  request.emit('end')
  request.emit('close')
  expect([budget.held, heard]).toEqual([4, ['full']])
})

it.each([[['abc']], [['abc', 'def']]])('lets the bytes of a client go that leaves after %j', (pieces) => {
  const { budget, heard, request, send } = read(100)
  for (const piece of pieces) send(piece)
  expect(request.listenerCount('close')).toBe(1)
  request.emit('close')
  expect([budget.held, heard]).toEqual([0, []])
})

it('takes what there is of a body that is whole', () => {
  const request = (bytes: Buffer | null) => ({ read: () => bytes }) as unknown as IncomingMessage
  expect(String(takeBody(request(Buffer.from('abc'))))).toBe('abc')
  expect(takeBody(request(null))).toEqual(new Uint8Array())
})

it.each<[fields: Record<string, string>, body: boolean, tooMuch: boolean]>([
  [{}, false, false],
  [{ 'content-length': '0' }, false, false],
  [{ 'content-length': '1' }, true, false],
  [{ 'content-length': '10' }, true, false],
  [{ 'content-length': '11' }, true, true],
  [{ 'transfer-encoding': 'chunked' }, true, false],
])('knows by %j whether a body follows, and whether it is too much', (fields, body, tooMuch) => {
  expect([hasBody(callWith(fields)), announcesTooMuch(callWith(fields), 10)]).toEqual([body, tooMuch])
})

it.each([
  [undefined, undefined],
  ['chunked', undefined],
  [' Chunked ', undefined],
  ['gzip', 501],
  ['gzip, chunked', 501],
  ['', 501],
])('decodes the transfer coding %j: %j', (coding, status) => {
  const error = checkTransferCoding(callWith(coding === undefined ? {} : { 'transfer-encoding': coding }))
  expect(error?.status).toBe(status)
  if (error) expect(error.message).toBe('The only supported Transfer-Encoding is chunked')
})

it('joins fields of one name, whatever its case', () => {
  const header = toHeader(['Host', 'a', 'X', '1', 'hosts', 'b', 'x', '2'])
  expect([header('host'), header('x'), header('y'), header('hosts')]).toEqual(['a', '1, 2', undefined, 'b'])
})

it('is a call with all fields as they came, and with a body later', () => {
  const rawHeaders = ['Host', 'a', 'X', '1', 'X', '2']
  const call = toCall({ method: 'PUT', url: '/a', headers: { host: 'a', x: '1' }, rawHeaders } as unknown as IncomingMessage)
  const body = new Uint8Array([1])
  expect(call).toMatchObject({ method: 'PUT', target: '/a', body: undefined, fields: rawHeaders, reportsOutcome: true })
  expect([call.header('x'), call.header('y')]).toEqual(['1, 2', undefined])
  expect(withBody(call, body)).toEqual({ ...call, body })
  expect(toCall({ headers: {}, rawHeaders: [] } as unknown as IncomingMessage)).toMatchObject({ method: '', target: '' })
})
