// Which addresses are the mock's: the rules of `baseUrl`, for the MSW handlers and for `createFetch` alike.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'

/** One address or several, version segment included: `https://api.example.com/v1`, or a path like `/v1`. */
export type BaseUrl = string | URL | readonly (string | URL)[]

/** One base address. */
export interface BaseAddress {
  /** Matches the origin and path of every URL under it, as far as the service does not see it. */
  readonly pattern: RegExp
  /** What the service sees in place of that. */
  readonly prefix: string
}

/** An address or a path, without query and fragment. */
const BASE = /^(?:https?:\/\/[^/?#*]+(?:\/[^?#*]*)?|\/(?!\/)[^?#*]*)$/i
const ANYWHERE = 'http://any.invalid'
const ANY_ORIGIN = '[a-z][a-z0-9+.-]*://[^/]*'

/**
 * The base addresses of a `baseUrl` option, with and without their version segment, and without the option the paths of the contract on
 * any origin; throws a UsageError that names the first that cannot be one.
 */
export function parseBaseUrl(baseUrl: BaseUrl | undefined): BaseAddress[] {
  if (baseUrl === undefined) return [createContractAddress()]
  const given: readonly unknown[] = Array.isArray(baseUrl) ? [...baseUrl] : [baseUrl]
  if (given.length === 0) throw new UsageError('baseUrl: the list is empty; leave baseUrl out to match any origin')
  return [...given.map(parseBase), ...given.flatMap(parseUnversioned)]
}

/** The target of a URL in the service; undefined if it is under none of the addresses. */
export function findTarget(
  addresses: readonly BaseAddress[],
  { origin, pathname, search }: Pick<URL, 'origin' | 'pathname' | 'search'>,
): string | undefined {
  const url = origin + pathname
  for (const { pattern, prefix } of addresses) {
    const match = pattern.exec(url)
    if (match) return prefix + url.slice(match[0].length) + search
  }
  return undefined
}

/** Every path of the contract and below, on any origin. */
function createContractAddress(): BaseAddress {
  const paths = listPaths()
  // Those that lie under another one need no mention.
  const tops = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  return { pattern: new RegExp(`^${ANY_ORIGIN}(?=(?:${tops.map(toTemplateSource).join('|')})(?:/|$))`), prefix: '' }
}

/**
 * The paths of the contract under an address without its version segment, where a client looks that has forgotten it: the service's
 * 404 says what is missing. Not of a path such as `/v1`: the page itself may have a `/pets`.
 */
function parseUnversioned(given: unknown): BaseAddress[] {
  const base = String(given).replace(/\/+$/, '')
  if (!URL.canParse(base) || !base.endsWith(contract.basePath)) return []
  const { pattern } = parseBase(base.slice(0, -contract.basePath.length))
  const paths = listPaths().map((path) => toTemplateSource(path.slice(contract.basePath.length)))
  return [{ pattern: new RegExp(`${pattern.source}(?=(?:${paths.join('|')})$)`), prefix: '' }]
}

/** The page's address, if there is a page that has an origin; about:blank has none. */
export function pageAddress(): string | undefined {
  const { location } = globalThis
  return location === undefined || location.origin === 'null' ? undefined : location.href
}

function parseBase(given: unknown): BaseAddress {
  const text = given instanceof URL ? given.href : given
  const page = pageAddress()
  const url = typeof text === 'string' && BASE.test(text) && URL.canParse(text, ANYWHERE) ? new URL(text, page ?? ANYWHERE) : undefined
  const isPath = typeof text === 'string' && text.startsWith('/')
  const path = url?.pathname.replace(/\/+$/, '')
  // The path `/` would take every route from the app.
  if (!url || (isPath && path === '')) {
    throw new UsageError(`baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got ${describeValue(given)}`)
  }
  // A path is on the page's own origin, and on any where there is no page.
  const origin = isPath && page === undefined ? ANY_ORIGIN : escapeRegExp(url.origin)
  const source = `^${origin}${toSource(path as string)}(?=/|$)`
  return { pattern: new RegExp(source), prefix: contract.basePath }
}

function listPaths(): string[] {
  return [...new Set(Object.values(contract.operations).map(({ path }) => path))]
}

function toTemplateSource(template: string): string {
  return template.replace(/\{[^}]*\}|[^{]+/g, (part) => (part.startsWith('{') ? '[^/]+' : toSource(part)))
}

/** A path as the source of a RegExp; a letter or digit may be percent-encoded, as the service itself has it. */
function toSource(path: string): string {
  return path.replace(/%[0-9a-f]{2}|[^%]/gi, (part) => {
    if (!/^[a-z0-9._~-]$/i.test(part)) return escapeRegExp(part)
    const [high, low] = part.charCodeAt(0).toString(16).padStart(2, '0') as unknown as [string, string]
    return `(?:${escapeRegExp(part)}|%${high}${/[a-f]/.test(low) ? `[${low}${low.toUpperCase()}]` : low})`
  })
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
