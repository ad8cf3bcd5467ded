import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { WAITING_REQUEST_BYTES } from '../../limits.ts'
import { createBudget } from './budget.ts'
import { hasBody, readBody, takeBody } from './read-request.ts'

/** A body that arrives in pieces, and what becomes of it; `isFree` says whether it holds no bytes of the budget any more. */
function read(maxBytes: number, bodiesBytes = 100) {
  const budgetBytes = WAITING_REQUEST_BYTES + bodiesBytes
  const request = new EventEmitter()
  const budget = createBudget(budgetBytes)
  const heard: string[] = []
  readBody(request as IncomingMessage, maxBytes, budget, (body) => heard.push(body ? String(body) : 'full'))
  const isFree = () => {
    const fits = budget.take(budgetBytes)
    budget.give(budgetBytes)
    return fits
  }
  return { heard, isFree, request, send: (text: string) => request.emit('data', Buffer.from(text)) }
}

it('reads a body in pieces, and holds its bytes until it ends', () => {
  const { isFree, heard, request, send } = read(10)
  send('abc')
  send('de')
  expect([isFree(), heard]).toEqual([false, []])
  request.emit('end')
  request.emit('close')
  expect([isFree(), heard]).toEqual([true, ['abcde']])
})

it('reads a body of exactly the limit, and of a larger one only enough to see that', () => {
  const fits = read(5)
  fits.send('abc')
  fits.send('de')
  fits.request.emit('end')
  expect(fits.heard).toEqual(['abcde'])
  const { isFree, heard, request, send } = read(5)
  send('abc')
  send('def')
  send('ghi')
  request.emit('end')
  expect([isFree(), heard]).toEqual([true, ['abcdef']])
})

it('gives up when too much is arriving at once, and releases its bytes', () => {
  const { isFree, heard, request, send } = read(100, 10)
  send('abcdefghij')
  expect(heard).toEqual([])
  send('k')
  send('l')
  request.emit('end')
  expect([isFree(), heard]).toEqual([true, ['full']])
})

it('releases the bytes of a client that leaves', () => {
  const { isFree, heard, request, send } = read(100)
  send('abc')
  request.emit('close')
  expect([isFree(), heard]).toEqual([true, []])
})

it('reads the part of a body that has arrived', () => {
  const request = (bytes: Buffer | null) => ({ read: () => bytes }) as unknown as IncomingMessage
  expect(String(takeBody(request(Buffer.from('abc'))))).toBe('abc')
  expect(takeBody(request(null))).toEqual(new Uint8Array())
})

it.each<[headers: Record<string, string>, body: boolean]>([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('knows by %j whether a body follows', (headers, body) => {
  expect(hasBody({ headers } as unknown as IncomingMessage)).toBe(body)
})
