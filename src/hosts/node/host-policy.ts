// Which Host fields a mock on a loopback address answers to. A page on the internet can point its own name at 127.0.0.1
// (DNS rebinding); it cannot make the browser send another Host.
import { isIP } from 'node:net'
import { ApiError } from '../../contract/errors.ts'

export type HostPolicy = (host: string | undefined, httpVersion?: string) => ApiError | undefined

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)
}

/** The error that a request with this Host field gets, if any. */
export function createHostPolicy(boundTo: string, allowedHosts: readonly string[] = []): HostPolicy {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const isOpen = !isLoopback(boundTo)
  /** The last one that was welcome: clients send the same one again and again. */
  let known: string | undefined
  return (host, httpVersion = '1.1') => {
    if (host !== undefined && host === known) return undefined
    if (host === undefined || host === '') {
      return httpVersion === '1.0' ? undefined : new ApiError(400, 'A Host field is required (RFC 9112)')
    }
    const match = /^(\[[0-9a-f:.]+\]|[^:,\s/@]+)(?::\d{1,5})?$/i.exec(host)
    if (!match) return new ApiError(400, 'The Host field is not a host and a port')
    const name = (match[1] as string).toLowerCase()
    if (isOpen || name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) || allowed.has(name)) {
      known = host
      return undefined
    }
    return new ApiError(403, `The mock does not answer to the host ${name}: allow it with --allowed-host ${name}`)
  }
}
