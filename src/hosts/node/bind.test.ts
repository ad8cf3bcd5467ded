import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { bind, explainListenError, toReachable } from './bind.ts'

/** A server that cannot listen on ::1, the first `failures` times. */
function createWithout6(
  code: string,
  failures: number,
): { create: () => Server; servers: Server[] } {
  const servers: Server[] = []
  let left = failures
  const create = () => {
    const server = createServer()
    const listen = server.listen.bind(server) as (...args: unknown[]) => Server
    server.listen = ((port: number, host: string, done: () => void) => {
      if (host !== '::1' || left-- <= 0) return listen(port, host, done)
      queueMicrotask(() => server.emit('error', Object.assign(new Error(code), { code })))
      return server
    }) as Server['listen']
    servers.push(server)
    return server
  }
  onTestFinished(() => {
    for (const server of servers) server.close()
  })
  return { create, servers }
}

const portOf = (server: Server | undefined) => (server?.address() as AddressInfo | null)?.port

it.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])(
  'the server listens on IPv4 alone where ::1 fails with %s',
  async (code) => {
    const { create } = createWithout6(code, 1)
    const servers = await bind(create, 0, '127.0.0.1')
    expect(servers.map((server) => server.listening)).toEqual([true])
  },
)

it('the server picks another port if the first is taken on ::1, and frees the first', async () => {
  const { create, servers } = createWithout6('EADDRINUSE', 3)
  const [first, second] = await bind(create, 0, '127.0.0.1')
  expect(portOf(first)).toBe(portOf(second))
  // Who listens to what goes wrong later is up to others.
  expect([first, second].map((server) => server?.listenerCount('error'))).toEqual([0, 0])
  expect(servers.filter((server) => server.listening)).toEqual([first, second])
})

it('the server gives up if the chosen port is taken on ::1, and leaves nothing listening', async () => {
  const { create, servers } = createWithout6('EADDRINUSE', 1)
  await expect(bind(create, 54_321, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(servers.filter((server) => server.listening)).toEqual([])
})

const REASONS = {
  EADDRINUSE: 'port',
  EACCES: 'port',
  EADDRNOTAVAIL: 'host',
  EAI_AGAIN: 'host',
  EINVAL: 'host',
  ENOTFOUND: 'host',
}
it.each(Object.entries(REASONS))(
  'the error of a failed start explains %s, and keeps its code',
  (code, path) => {
    const error = explainListenError(Object.assign(new Error('x'), { code }), 80, 'a.test')
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toMatchObject({ problems: [{ caller: 'serve', path }], code })
  },
)

const REACHED = {
  '0.0.0.0': '127.0.0.1',
  '::': '[::1]',
  '::1': '[::1]',
  'fe80::1': '[fe80::1]',
  'mock.test': 'mock.test',
}
it.each(Object.entries(REACHED))(
  'clients reach a server that listens on %s at %s',
  (host, reachable) => {
    expect(toReachable(host)).toBe(reachable)
  },
)
