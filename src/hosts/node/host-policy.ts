// Which Host fields a mock answers to. A page on the internet can point its own name at this machine (DNS rebinding), but it
// cannot make the browser send another Host; so names have to be known, and addresses are safe.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import type { OptionRule } from '../../mock/options.ts'

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?))(?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

export const hostNames: OptionRule = {
  expected: 'a list of host names, without scheme and port',
  fits: (value) => Array.isArray(value) && [...value].every((one) => typeof one === 'string' && isHostName(one)),
}

/** Whether a Host field can have this as its name. */
export function isHostName(text: string): boolean {
  return !text.includes(':') && parseHost(text) !== undefined
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address)
}

/** Gives the error that a request gets for its Host field, if any. */
export function createHostPolicy(allowedHosts: readonly string[]) {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  /** The last one that was accepted: clients send the same one again and again. */
  let known: string | undefined
  return ({ headers: { host }, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): ApiError | undefined => {
    if (host !== undefined && host === known) return undefined
    if (host === undefined || host === '') {
      return httpVersion === '1.0' ? undefined : new ApiError(400, 'A Host field is required (RFC 9112)')
    }
    const name = parseHost(host)
    if (name === undefined) return new ApiError(400, 'The Host field is not a valid host and port')
    if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) || allowed.has(name)) {
      known = host
      return undefined
    }
    return new ApiError(403, `The host ${name} is not allowed; allow it with --allowed-host ${name}`)
  }
}

/** The name in a Host field, in lower case, or the address, without its brackets. */
function parseHost(host: string): string | undefined {
  const [, address, name, port] = HOST.exec(host) ?? []
  if (Number(port) > MAX_PORT) return undefined
  return address === undefined ? name?.toLowerCase() : isIPv6(address) ? address : undefined
}
