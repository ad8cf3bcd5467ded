import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { WAITING_REQUEST_BYTES } from '../../limits.ts'
import { createBudget } from './budget.ts'
import type { Exchange } from './channel.ts'
import { createRounds } from './rounds.ts'
import { createSender } from './send.ts'

const REPLY = { status: 200, headers: {}, body: 'x'.repeat(15_000) }
const { send, stop } = createSender(createRounds(), createBudget(WAITING_REQUEST_BYTES + REPLY.body.length))

/** A request and its response, as far as a sender uses them. */
function createExchange(channel: object = { writable: true }, socket: object = {}) {
  const cut = vi.fn()
  const response = Object.assign(new EventEmitter(), { writeHead: () => response, end: vi.fn(), write: vi.fn() })
  const request = { complete: true, socket: { destroy: cut, ...socket } }
  return { exchange: { request, response, channel, isAnswered: false } as unknown as Exchange, response, cut }
}

it.each([{ destroyed: true }, { writable: false }])('a response to a client that has left is aborted: %j', (channel) => {
  const [settle, end] = [vi.fn(), vi.fn()]
  const { exchange, response } = createExchange(channel)
  send({ ...REPLY, settle, stream: { start() {}, stop: end } }, exchange)
  response.emit('close')
  expect(settle.mock.calls).toEqual([['aborted']])
  expect(end).toHaveBeenCalled()
  expect(() => send(REPLY, exchange)).not.toThrow()
})

it('delayed responses share a budget with their bodies, and the next one closes its connection', () => {
  const settle = vi.fn()
  const ask = () => {
    const asked = createExchange()
    send({ ...REPLY, delay: 60_000, settle }, asked.exchange)
    return asked
  }
  const first = ask()
  const second = ask()
  expect([first.cut, second.cut].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  for (const { response } of [first, second]) response.emit('close')
  const third = ask()
  expect(third.cut).not.toHaveBeenCalled()
  expect(settle.mock.calls).toEqual([['aborted'], ['aborted']])
})

it('a client that has closed its side gets neither a delayed response nor events', () => {
  const leave = () => createExchange({ writable: true }, { readableEnded: true })
  const [late, listening] = [leave(), leave()]
  send({ ...REPLY, body: '', delay: 60_000 }, late.exchange)
  late.response.emit('close')
  send({ ...REPLY, stream: { start() {}, stop() {} } }, listening.exchange)
  listening.response.emit('close')
  expect([late.cut.mock.calls.length, listening.response.end.mock.calls.length]).toEqual([1, 1])
})

it('a response that is sent when the mock stops ends once', () => {
  const settle = vi.fn()
  const { exchange, response } = createExchange()
  send({ ...REPLY, delay: 60_000, settle }, exchange)
  stop()
  response.emit('close')
  expect(settle.mock.calls).toEqual([['sent']])
})
