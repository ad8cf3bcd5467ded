import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_EVENT_BACKLOG_BYTES, WAITING_REQUEST_BYTES } from '../../contract/limits.ts'
import { HEARTBEAT } from '../../control/event-streams.ts'
import type { Reply } from '../../service/call.ts'
import { createBudget } from './budget.ts'
import { type Exchange, timers } from './exchange.ts'
import { createRounds } from './rounds.ts'
import { createSender } from './send.ts'

const REPLY = { status: 200, headers: {}, body: 'x'.repeat(15_000) }
const LATE = { ...REPLY, delay: 60_000 }
const ROOM = WAITING_REQUEST_BYTES + REPLY.body.length
let { send, stop } = {} as ReturnType<typeof createSender>

beforeEach(() => {
  ;({ send, stop } = createSender(createRounds(), createBudget(ROOM)))
})
afterEach(() => void vi.restoreAllMocks())

/** A request and its response, as far as a sender uses them. */
function createExchange(state: Partial<Socket>) {
  const [cut, end, write] = [vi.fn(), vi.fn(), vi.fn()]
  const channel = Object.assign(new EventEmitter(), { ...state, destroy: cut })
  const response = Object.assign(new EventEmitter(), {
    writeHead: () => response,
    end,
    write,
    writableLength: 0,
    setTimeout() {},
  })
  const request = { complete: true, socket: channel }
  const leave = () => response.emit('close')
  const halfClose = () => channel.emit('end')
  return {
    exchange: { request, response, channel } as unknown as Exchange,
    response,
    halfClose,
    leave,
    cut,
    end,
    write,
  }
}

it.each([{ destroyed: true }, { writable: false }])(
  'a response to a client that has left is aborted: %j',
  (channel) => {
    const [settle, stop] = [vi.fn(), vi.fn()]
    const { exchange, leave } = createExchange(channel)
    send({ ...REPLY, settle, stream: { start() {}, stop } }, exchange)
    // One that had left before says so no more.
    if (!channel.destroyed) leave()
    send(REPLY, exchange)
    expect(settle.mock.calls).toEqual([['aborted']])
    expect(stop).toHaveBeenCalled()
  },
)

it('a client that has closed its side gets neither a delayed response nor events', () => {
  const seen = [LATE, { ...REPLY, stream: { start() {}, stop() {} } }].flatMap((reply) =>
    [true, false].map((readableEnded) => {
      const { exchange, halfClose, leave, cut } = createExchange({ writable: true, readableEnded })
      send(reply, exchange)
      const before = cut.mock.calls.length
      if (!readableEnded) halfClose()
      leave()
      return [before, cut.mock.calls.length, halfClose()]
    }),
  )
  expect(seen).toEqual([
    [1, 1, false],
    [0, 1, false],
    [1, 1, false],
    [0, 1, false],
  ])
})

it('unread responses share the same budget: beyond it the oldest is given up, unless it is the only one', () => {
  const ask = (writableLength: number) => {
    const client = createExchange({ writable: true, writableLength })
    send(REPLY, client.exchange)
    return client
  }
  const [alone] = [ask(ROOM + 1)]
  const seen = [alone.cut.mock.calls.length]
  alone.leave()
  const clients = [ask(ROOM), ask(1), ask(1)]
  seen.push(...clients.map(({ cut }) => cut.mock.calls.length))
  for (const { leave } of clients) leave()
  expect(seen).toEqual([0, 2, 0, 0])
})

it('delayed responses share a budget with their bodies, until their clients leave or the mock stops', () => {
  const settle = vi.fn()
  const ask = () => {
    const client = createExchange({ writable: true })
    send({ ...LATE, settle }, client.exchange)
    return client
  }
  const [fitting, tooMuch] = [ask(), ask()]
  fitting.leave()
  tooMuch.leave()
  const next = ask()
  expect([fitting, tooMuch, next].map(({ cut }) => cut.mock.calls.length)).toEqual([0, 1, 0])
  stop()
  next.leave()
  expect(settle.mock.calls).toEqual([['aborted'], ['aborted'], ['sent']])
})

it.each([
  [2 ** 16, 0],
  [2 ** 16 + 1, 1],
])(
  'responses wait for the end of their round only if they are short: %i characters',
  async (length, sent) => {
    const rounds = createRounds()
    const { exchange, end } = createExchange({ writable: true })
    rounds.join(exchange, () =>
      createSender(rounds, createBudget(0)).send({ ...REPLY, body: 'x'.repeat(length) }, exchange),
    )
    expect(
      await new Promise((resolve) => rounds.join(exchange, () => resolve(end.mock.calls.length))),
    ).toBe(sent)
  },
)

it('a stream of events ends when the mock stops, or at once if it has', () => {
  const clients = [0, 1, 2].map((place) => {
    const client = createExchange({ writable: true })
    if (place === 2) stop()
    send({ ...REPLY, stream: { start() {}, stop() {} } }, client.exchange)
    if (place === 0) client.leave()
    return client
  })
  expect(clients.map(({ end }) => end.mock.calls.length)).toEqual([0, 1, 1])
})

it('a silent stream stays open by comments, until its client leaves or reads too slowly', () => {
  const [every, clear] = [
    vi.spyOn(timers, 'setInterval').mockReturnThis(),
    vi.spyOn(timers, 'clearInterval').mockReturnThis(),
  ]
  const { exchange, response, leave, cut, write } = createExchange({ writable: true })
  send({ ...REPLY, stream: { start: (say) => say('a'), stop() {} } }, exchange)
  const [[beat] = []] = every.mock.calls
  for (const bytes of [MAX_EVENT_BACKLOG_BYTES, MAX_EVENT_BACKLOG_BYTES + 1]) {
    expect(cut).not.toHaveBeenCalled()
    response.writableLength = bytes
    beat?.()
  }
  // Of a text that is not read yet, node:net would keep a copy.
  const written = ['a', HEARTBEAT, HEARTBEAT].map((text) => Buffer.from(text))
  expect([write.mock.calls.flat(), cut.mock.calls.length, clear.mock.calls.length]).toEqual([
    written,
    1,
    0,
  ])
  Object.assign(response, { writableEnded: true })
  beat?.()
  leave()
  expect([write.mock.calls.length, clear.mock.calls.length]).toEqual([3, 1])
})

describe('a slow body', () => {
  const SLOW: Reply = { ...REPLY, body: 'abcdef', spread: 60_000 }
  const begin = (reply: Reply) => {
    const settle = vi.fn()
    const client = createExchange({ writable: true })
    Object.assign(client.response, { flushHeaders() {} })
    send({ ...reply, settle }, client.exchange)
    return { ...client, settle }
  }

  it('is sent at once when the mock stops, and is aborted if its client leaves', () => {
    const [staying, leaving] = [begin(SLOW), begin(SLOW)]
    leaving.leave()
    expect([staying.settle.mock.calls, staying.end.mock.calls]).toEqual([[], []])
    stop()
    staying.leave()
    expect(staying.end.mock.calls).toEqual([[Buffer.from('abcdef')]])
    expect(leaving.end).not.toHaveBeenCalled()
    expect([staying.settle.mock.calls, leaving.settle.mock.calls]).toEqual([
      [['sent']],
      [['aborted']],
    ])
  })

  it('takes its bytes of the budget, and gives them back', () => {
    const body = 'x'.repeat(ROOM)
    const [fitting, tooMuch] = [begin({ ...SLOW, body }), begin(SLOW)]
    expect([fitting.cut, tooMuch.cut].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
    fitting.leave()
    tooMuch.leave()
    expect(begin({ ...SLOW, body }).cut).not.toHaveBeenCalled()
  })
})
