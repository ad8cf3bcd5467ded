// Which hosts a request may name. A page on the internet can point its name at this machine (DNS
// rebinding), but cannot make the browser send another host: names must be known, addresses are
// safe.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { isLoopback, splitTarget } from '../../contract/address.ts'
import { ApiError } from '../../contract/errors.ts'
import { PORT } from '../../contract/options.ts'
import { HOST_NAME } from '../../scenario/settings/access.ts'

const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::(\d{0,5}))?$/i
const NO_HOST = 'The request does not name a valid host and port'

/** The result gives the error that a request gets for the host that it names, if any. */
export function createHostPolicy(allowedHosts: readonly string[]) {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  /** The Host field of the last request that was allowed: most clients send one only. */
  let known: string | undefined
  return (request: IncomingMessage): ApiError | undefined => {
    const { url = '' } = request
    const { host } = request.headers
    if (host !== undefined && host === known && url.startsWith('/')) return undefined
    if (!host && request.httpVersion !== '1.0')
      return new ApiError(400, 'A Host field is required (RFC 9112)')
    // A target that names a host counts more than the field (RFC 9112 §3.2.2).
    const named = splitTarget(url).host || host
    if (!named) return undefined
    const [, address, label = '', port] = HOST.exec(named) ?? []
    const isHost = address === undefined ? HOST_NAME.test(label) : isIPv6(address)
    if (!isHost || Number(port) > PORT.maximum) return new ApiError(400, NO_HOST)
    const name = address ?? label.toLowerCase()
    if (isLoopback(name) || isIP(name) || allowed.has(name)) {
      if (named === host) known = host
      return undefined
    }
    const remedy = `allow it with --allowed-host ${name} or the option allowedHosts`
    return new ApiError(403, `The host ${name} is not allowed; ${remedy}`)
  }
}
