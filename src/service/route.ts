// From a request target to an operation of the contract. Targets are taken apart by hand: `new URL` would fold `..`, `\`
// and `//host` into paths that the client never asked for.
import { ApiError } from '../contract/errors.ts'
import { findNear } from '../contract/near-names.ts'
import { cutText, type PathSlip, type Problem } from '../contract/problem.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import { MAX_TARGET_BYTES } from '../limits.ts'

export type OperationContract = (typeof contract.operations)[OperationId]

export interface Route {
  readonly byMethod: ReadonlyMap<string, OperationContract>
  readonly allow: string
  readonly params: Readonly<Record<string, string>>
}

/** What RFC 3986 keeps out of every target, and a client must therefore encode: controls, space, non-ASCII, a fragment. */
const FORBIDDEN = /[^\x21-\x22\x24-\x7e]/

const MAX_SHOWN_CHARACTERS = 200

const routes = groupByPath()
/** The segments of the contract's paths that are not parameters. */
const words = [...new Set(routes.flatMap(({ path }) => path.split('/')))].filter((word) => /^\w/.test(word))

/** The path and the query of a target in origin form or absolute form (RFC 9112 §3.2). */
export function parseTarget(target: string): { path: string; query: string } {
  if (target.length > MAX_TARGET_BYTES) throw new ApiError(414, `Request target too long; the limit is ${MAX_TARGET_BYTES} bytes`)
  if (FORBIDDEN.test(target)) throw new ApiError(400, 'The request target contains a character that must be percent-encoded')
  const absolute = target.startsWith('/') ? null : /^https?:\/\/([^/?]*)/i.exec(target)
  if (!absolute && !target.startsWith('/')) throw new ApiError(400, 'The request target must be a path or an http URL')
  // User and port are optional, the host is not (RFC 9110 §4.2.1).
  if (absolute && /^(?:.*@)?(?::|$)/.test(absolute[1] as string)) throw new ApiError(400, 'The request target has no host')
  const origin = absolute ? target.slice(absolute[0].length) : target
  const mark = origin.indexOf('?')
  return mark < 0 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark + 1) }
}

/** Decodes a part of a target; what is not percent-encoded UTF-8 is a malformed target. */
export function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, 'The request target contains invalid percent-encoding')
  }
}

export function findRoute(path: string): Route | undefined {
  const plain = path.includes('%') ? decodeSegments(path) : path
  for (const route of routes) {
    const { path, pattern, names, byMethod, allow } = route
    // Most requests are for a path without parameters.
    if (names.length === 0 && path === plain) return route
    const match = pattern.exec(plain)
    if (!match) continue
    const params: Record<string, string> = {}
    for (let index = 0; index < names.length; index++) params[names[index] as string] = match[index + 1] as string
    return { byMethod, allow, params }
  }
  return undefined
}

/** An encoded slash is a letter of its segment and stays encoded: it separates nothing. */
function decodeSegments(path: string): string {
  return path
    .split('/')
    .map((segment) => decode(segment).replaceAll('/', '%2F'))
    .join('/')
}

export function explainMiss(path: string): Problem {
  const { basePath: base } = contract
  const miss = (slip: PathSlip, near: string) => ({ kind: 'near-path', slip, near, base }) as const
  if (findRoute(base + path)) return miss('base-missing', base + path)
  // What a base address without the version segment makes of a path that has it.
  if (path.startsWith(`${base}${base}/`) && findRoute(path.slice(base.length))) return miss('base-twice', path.slice(base.length))
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  if (findRoute(tidy)) return miss('extra-slash', tidy)
  // What a proxy or a client adds in front of it.
  const at = path.indexOf(`${base}/`, 1)
  if (at > 0 && findRoute(path.slice(at)))
    return { ...miss('prefix', path.slice(at)), prefix: cutText(path.slice(0, at), MAX_SHOWN_CHARACTERS) }
  if (findRoute(path.toLowerCase())) return miss('case', path.toLowerCase())
  const mended = tidy
    .split('/')
    .map((word) => findNear(word, words)[0] ?? word)
    .join('/')
  const near = [mended, base + mended].find(findRoute)
  return near === undefined ? { kind: 'unknown-path', compared: cutText(path || '/', MAX_SHOWN_CHARACTERS) } : miss('typo', near)
}

function groupByPath() {
  const all: OperationContract[] = Object.values(contract.operations)
  return [...new Set(all.map((operation) => operation.path))].map((path) => {
    const here = all.filter((operation) => operation.path === path)
    return {
      path,
      params: {},
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
      names: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
      byMethod: new Map<string, OperationContract>(here.map((operation) => [operation.method, operation])),
      allow: toAllow(here.map((operation) => operation.method)),
    }
  })
}

/** The Allow of a path with these methods: OPTIONS comes with every path. */
export function toAllow(methods: readonly string[]): string {
  return [...withHead(methods), 'OPTIONS'].join(', ')
}

function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

const documented = [...new Set(Object.values(contract.operations).map((operation) => operation.method))]

export const methodsAnywhere = withHead(documented)

export const allowAnywhere = toAllow(documented)
