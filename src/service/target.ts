// The path and the query of a request target. They are taken apart by hand: `new URL` would fold
// `..`, `\` and `//host` into paths that the client never asked for.
import { type QueryParameters, splitQuery, splitTarget } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import { MAX_TARGET_BYTES } from '../contract/limits.ts'

/** What a client must encode in a target, by RFC 3986: controls, space, non-ASCII, a fragment. */
const FORBIDDEN = /[^\x21-\x22\x24-\x7e]/

/** The parameters that the client sent, before they are checked. */
export interface SentInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: QueryParameters
}

/** In origin form or absolute form (RFC 9112 §3.2). */
export function parseTarget(target: string): { path: string; query: string } {
  if (target.length > MAX_TARGET_BYTES)
    throw new ApiError(414, `Request target too long; the limit is ${MAX_TARGET_BYTES} bytes`)
  if (FORBIDDEN.test(target))
    throw createTargetError('contains a character that must be percent-encoded')
  const { host, rest } = splitTarget(target)
  if (host === undefined && !rest.startsWith('/'))
    throw createTargetError('must be a path or an http URL')
  // The port is optional, the host is not (RFC 9110 §4.2.1).
  if (host === '' || host?.startsWith(':')) throw createTargetError('has no host')
  return splitQuery(rest)
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createTargetError('contains invalid percent-encoding')
  }
}

/** As a form is read, but that invalid percent-encoding is refused. */
export function parseParameters(query: string): QueryParameters {
  const parameters: (readonly [string, string])[] = []
  let start = 0
  while (start < query.length) {
    const mark = query.indexOf('&', start)
    const end = mark < 0 ? query.length : mark
    if (end > start) parameters.push(parseParameter(query.slice(start, end)))
    start = end + 1
  }
  return parameters
}

function parseParameter(text: string): readonly [name: string, value: string] {
  const mark = text.indexOf('=')
  if (mark < 0) return [decodeWord(text), '']
  return [decodeWord(text.slice(0, mark)), decodeWord(text.slice(mark + 1))]
}

function decodeWord(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decode(spaced) : spaced
}

function createTargetError(flaw: string): ApiError {
  return new ApiError(400, `The request target ${flaw}`)
}
