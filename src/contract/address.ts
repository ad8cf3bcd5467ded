// Hosts and request targets, as text: `new URL` would tidy up what the client wrote.

const LOOPBACK_HOST = /^(?:(?:[\w.-]+\.)?localhost|\[?::1\]?|(?:::ffff:)?127(?:\.\d{1,3}){3})$/

/**
 * Whether a host, in lower case and without a port, is this machine. Names in `.localhost` are (RFC
 * 6761).
 */
export const isLoopback = (host: string): boolean => LOOPBACK_HOST.test(host)

/**
 * Whether a connection to it stays on this machine: some resolvers ask other machines for names in
 * `.localhost`.
 */
export const staysHere = (host: string): boolean => isLoopback(host) && !host.endsWith('.localhost')

/** Whether an origin is the mock's own. The scheme may differ: behind a TLS proxy it sees http. */
export function isOwnOrigin(origin: string, host = ''): boolean {
  const [, own] = /^https?:\/\/(.*)/i.exec(origin) ?? []
  return own?.toLowerCase() === host.toLowerCase()
}

/** A method, or the name of a header field (RFC 9110 §5.6.2). */
export const HTTP_TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** An API key or another bearer token (RFC 6750 §2.1). */
export const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** fetch refuses a body with these methods, and the mock expects none. */
export const isBodiless = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The host and port of a target in absolute form (RFC 9112 §3.2.2), undefined in origin form; and
 * what follows.
 */
export function splitTarget(target: string): { host: string | undefined; rest: string } {
  if (target.startsWith('/')) return { host: undefined, rest: target }
  const absolute = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(target)
  if (!absolute) return { host: undefined, rest: target }
  const [prefix, host] = absolute
  return { host, rest: target.slice(prefix.length) }
}

export function splitQuery(target: string): { path: string; query: string } {
  const mark = target.indexOf('?')
  if (mark < 0) return { path: target, query: '' }
  return { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The parameters of a query in the order in which they were sent. */
export type QueryParameters = readonly (readonly [name: string, value: string])[]

/** Replaces invalid UTF-8, so check for it first. */
export function readQuery(query: string): QueryParameters {
  // A question mark at the very beginning would be left out.
  return [...new URLSearchParams(`&${query}`)]
}

export function firstOf(parameters: QueryParameters, name: string): string | undefined {
  for (const parameter of parameters) {
    if (parameter[0] === name) return parameter[1]
  }
  return undefined
}

export function countOf(parameters: QueryParameters, name: string): number {
  let found = 0
  for (const parameter of parameters) {
    if (parameter[0] === name) found++
  }
  return found
}

export function valuesOf(parameters: QueryParameters, name: string): string[] {
  const values: string[] = []
  for (const parameter of parameters) {
    if (parameter[0] === name) values.push(parameter[1])
  }
  return values
}

/** The values by name. A repeated parameter gives a list. */
export function toValues(parameters: QueryParameters): Readonly<Record<string, string | string[]>> {
  const texts = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const known = texts.get(name)
    if (known) known.push(value)
    else texts.set(name, [value])
  }
  const values: [string, string | string[]][] = []
  for (const [name, [first = '', ...more]] of texts) {
    values.push([name, more.length > 0 ? [first, ...more] : first])
  }
  return Object.fromEntries(values)
}
