// Listens on an address. Not in serve.ts, whose types must not name those of Node: a project may
// not have them.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../../contract/errors.ts'

export const LOOPBACK = '127.0.0.1'
const LOOPBACK_6 = '::1'
const NO_IPV6_CODES = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']
const FOREIGN_CODES = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND']
const PORT_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use; free it or choose another (0 picks a free one)',
  EACCES: 'needs elevated privileges; choose one above 1023 (0 picks a free one)',
}

/** Listens on the address, and on ::1 too if it is 127.0.0.1: `localhost` may mean either. */
export async function bind(create: () => Server, port: number, host: string): Promise<Server[]> {
  const first = await listenOn(create(), port, host)
  if (host !== LOOPBACK) return [first]
  try {
    return [first, await listenOn(create(), (first.address() as AddressInfo).port, LOOPBACK_6)]
  } catch (error) {
    const { code } = error as { code: string }
    if (NO_IPV6_CODES.includes(code)) return [first]
    first.close()
    first.closeAllConnections()
    // A free port of one loopback address may be taken on the other.
    if (port === 0 && code === 'EADDRINUSE') return bind(create, port, host)
    throw error
  }
}

/** Says why the address cannot be used, under the system's code; any other error stays as it is. */
export function explainListenError(error: unknown, port: number, host: string): unknown {
  const { code } = error as { code: string }
  const refuse = (path: string, text: string) =>
    Object.assign(new UsageError({ kind: 'text', caller: 'serve', path, text }), { code })
  if (FOREIGN_CODES.includes(code))
    return refuse('host', `${JSON.stringify(host)} is not an address of this machine`)
  const reason = PORT_REASONS[code]
  return reason === undefined ? error : refuse('port', `${port} ${reason}`)
}

/** The host part of an address that clients can use: no client can connect to "every address". */
export function toReachable(host: string): string {
  if (host === '0.0.0.0') return LOOPBACK
  if (host === '::') return `[${LOOPBACK_6}]`
  return host.includes(':') ? `[${host}]` : host
}

async function listenOn(server: Server, port: number, host: string): Promise<Server> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw explainListenError(error, port, host)
  }
  return server
}
