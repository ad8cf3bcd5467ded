import type { ServerResponse } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from './channel.ts'
import { createRounds } from './rounds.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A request on a connection of its own, and what becomes of it. */
function open(response: Partial<ServerResponse> = {}) {
  const done: string[] = []
  const channel = { writable: true, destroy: () => done.push('destroy') }
  const written = {
    writeHead(status: number, headers: Record<string, string>) {
      done.push(`${status} ${headers['X-Mock-Bug']}`)
      return { end: (body: string) => done.push(JSON.parse(body).code) }
    },
  }
  const request = { method: 'GET', socket: channel }
  return { done, exchange: { request, response: { ...written, ...response }, channel, connection: {} } as unknown as Exchange }
}

it('answers all that came together before anything is sent', async () => {
  const done: string[] = []
  const rounds = createRounds()
  for (const name of ['a', 'b']) {
    rounds.join(open().exchange, (exchange) => {
      done.push(`answer ${name}`)
      rounds.send(exchange, () => done.push(`send ${name}`))
    })
  }
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['answer a', 'answer b', 'send a', 'send b'])
})

it('sends at once between the rounds, and begins another round for what comes later', async () => {
  const done: string[] = []
  const rounds = createRounds()
  const { exchange } = open()
  rounds.send(exchange, () => done.push('at once'))
  expect(done).toEqual(['at once'])
  rounds.join(exchange, () => rounds.join(exchange, () => done.push('in the next')))
  await turn()
  expect(done).toEqual(['at once'])
  await turn()
  expect(done).toEqual(['at once', 'in the next'])
})

it('ends the response of a request that hits a bug, and answers the others of the round', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const bug = new Error('a bug')
  const fail = () => {
    throw bug
  }
  const rounds = createRounds()
  const [answering, sending, begun, hopeless, fine] = [
    open(),
    open(),
    open({ headersSent: true }),
    open({ writeHead: fail as never }),
    open(),
  ]
  rounds.join(answering.exchange, fail)
  for (const { exchange } of [sending, begun, hopeless]) rounds.join(exchange, () => rounds.send(exchange, fail))
  rounds.join(fine.exchange, () => rounds.send(fine.exchange, () => fine.done.push('sent')))
  await turn()
  const error = ['500 1', 'InternalServerError']
  expect([answering, sending, begun, hopeless, fine].map(({ done }) => done)).toEqual([error, error, ['destroy'], ['destroy'], ['sent']])
  expect(log.mock.calls).toEqual(Array(5).fill([bug]))
})
