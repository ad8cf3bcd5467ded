// The path and the query of a request target. They are taken apart by hand: `new URL` would fold
// `..`, `\` and `//host` into paths that the client never asked for.
import { readQuery, splitQuery, splitTarget } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import { MAX_TARGET_BYTES } from '../contract/limits.ts'

/** What a client must encode in a target, by RFC 3986: controls, space, non-ASCII, a fragment. */
const FORBIDDEN = /[^\x21-\x22\x24-\x7e]/
export const NO_PARAMETERS: ReadonlyMap<string, string[]> = new Map()

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

export function parseParameters(query: string): ReadonlyMap<string, string[]> {
  if (query === '') return NO_PARAMETERS
  // What is not valid is refused, where `readQuery` would replace it.
  decode(query)
  return readQuery(query)
}

function createTargetError(flaw: string): ApiError {
  return new ApiError(400, `The request target ${flaw}`)
}
