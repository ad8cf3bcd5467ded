// From a request target to an operation of the contract. Targets are taken apart by hand: `new URL`
// would fold `..`, `\` and `//host` into paths that the client never asked for.
import { splitQuery, splitTarget } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import { contract, type OperationContract } from '../contract/generated/contract.ts'
import { MAX_TARGET_BYTES } from '../contract/limits.ts'
import { findNear, type PathSlip, type Problem } from '../contract/problem.ts'
import { cutPath } from '../contract/schema.ts'

export interface Route {
  readonly byMethod: ReadonlyMap<string, OperationContract>
  readonly allow: string
  readonly params: Readonly<Record<string, string>>
}

/** What a client must encode in a target, by RFC 3986: controls, space, non-ASCII, a fragment. */
const FORBIDDEN = /[^\x21-\x22\x24-\x7e]/

const withHead = (methods: readonly string[]) =>
  methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
/** The Allow of a path with these methods: OPTIONS comes with every path. */
export const toAllow = (methods: readonly string[]): string =>
  [...withHead(methods), 'OPTIONS'].join(', ')

const badTarget = (flaw: string) => new ApiError(400, `The request target ${flaw}`)

const operations: readonly OperationContract[] = Object.values(contract.operations)
const routes = [...new Set(operations.map(({ path }) => path))].map((path) => {
  const here = operations.filter((operation) => operation.path === path)
  return {
    path,
    isFixed: !path.includes('{'),
    params: {},
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    byMethod: new Map<string, OperationContract>(
      here.map((operation) => [operation.method, operation]),
    ),
    allow: toAllow(here.map(({ method }) => method)),
  }
})
const documented = [...new Set(operations.map(({ method }) => method))]
export const allMethods = withHead(documented)
export const allowAnywhere = toAllow(documented)
const words = [...new Set(routes.flatMap(({ path }) => path.split('/')))].filter((word) =>
  /^\w/.test(word),
)

/** The path and the query of a target in origin form or absolute form (RFC 9112 §3.2). */
export function parseTarget(target: string): { path: string; query: string } {
  const isTooLong = target.length > MAX_TARGET_BYTES
  if (isTooLong)
    throw new ApiError(414, `Request target too long; the limit is ${MAX_TARGET_BYTES} bytes`)
  if (FORBIDDEN.test(target)) throw badTarget('contains a character that must be percent-encoded')
  const { host, rest } = splitTarget(target)
  if (host === undefined && !rest.startsWith('/')) throw badTarget('must be a path or an http URL')
  // The port is optional, the host is not (RFC 9110 §4.2.1).
  if (host === '' || host?.startsWith(':')) throw badTarget('has no host')
  return splitQuery(rest)
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badTarget('contains invalid percent-encoding')
  }
}

export function throwNotAllowed(method: string, path: string, allow: string): never {
  throw new ApiError(405, `${method} is not allowed on ${path}; allowed: ${allow}`, {
    headers: { Allow: allow },
  })
}

export function findRoute(path: string): Route | undefined {
  // An encoded slash is a letter of its segment and stays encoded: it separates nothing.
  const plain = path.includes('%')
    ? mapSegments(path, (segment) => decode(segment).replaceAll('/', '%2F'))
    : path
  for (const route of routes) {
    // Most requests are for a path without parameters.
    if (route.isFixed && route.path === plain) return route
    const match = route.pattern.exec(plain)
    if (match?.groups) return { byMethod: route.byMethod, allow: route.allow, params: match.groups }
  }
  return undefined
}

/** What was probably meant, by the first of these that is a path of the API. */
export function explainMiss(path: string): Problem {
  const { basePath: base } = contract
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const mended = mapSegments(tidy, (word) => findNear(word, words)[0] ?? word)
  // What a proxy or a client adds in front of it.
  const at = Math.max(path.indexOf(`${base}/`, 1), 0)
  const candidates: readonly (readonly [PathSlip, string])[] = [
    ['base-missing', base + path],
    ['extra-slash', tidy],
    [path.startsWith(`${base}${base}/`) ? 'base-twice' : 'prefix', path.slice(at)],
    ['case', path.toLowerCase()],
    ['typo', mended],
    ['typo', base + mended],
  ]
  const found = candidates.find(([, candidate]) => findRoute(candidate))
  if (!found) return { kind: 'unknown-path', compared: cutPath(path || '/') }
  const [slip, near] = found
  const prefix = cutPath(path.slice(0, at))
  return { kind: 'near-path', slip, near, base, ...(slip === 'prefix' && { prefix }) }
}

const mapSegments = (path: string, change: (segment: string) => string) =>
  path.split('/').map(change).join('/')
