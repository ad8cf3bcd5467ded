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

/**
 * Whether a page is of the mock's own origin, which browsers send too. Behind a TLS proxy the mock
 * sees http.
 */
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

/**
 * Every parameter with all its values. What is not percent-encoded UTF-8 is replaced: check that
 * first.
 */
export function readQuery(query: string): Map<string, string[]> {
  const sent = new Map<string, string[]>()
  // A question mark at the very beginning would be left out.
  for (const [name, value] of new URLSearchParams(`&${query}`)) {
    const values = sent.get(name)
    if (values) values.push(value)
    else sent.set(name, [value])
  }
  return sent
}

/** The parameters of a query; a list where one is repeated. */
export function toValues(
  query: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, string | string[]>> {
  const values: [string, string | string[]][] = []
  for (const [name, texts] of query) {
    const [first = '', ...more] = texts
    values.push([name, more.length > 0 ? [first, ...more] : first])
  }
  return Object.fromEntries(values)
}
