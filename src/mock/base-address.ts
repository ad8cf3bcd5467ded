// Which addresses are the mock's. The rules of `baseUrl` are the same on every host.
import { mismatch, misuse } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { CHECKED_LATER, type OptionSchemas } from '../contract/options.ts'
import { SANDBOX_PATH } from '../service/choose-sandbox.ts'

/**
 * One address or several, version segment included: `https://api.example.com/v1`, or a path like
 * `/v1`.
 */
export type BaseUrl = string | URL | readonly (string | URL)[]

export const baseUrlSchema: OptionSchemas<{ baseUrl?: BaseUrl }> = { baseUrl: CHECKED_LATER }

const BASE = /^(?:https?:\/\/[^/?#*]+(?:\/[^?#*]*)?|\/(?!\/)[^?#*]*)$/i
const ANYWHERE = 'http://any.invalid'
const ANY_ORIGIN = '[a-z][a-z0-9+.-]*://[^/]*'
const END = '(?:/|$)'
/** It stays in the target: the service reads it. */
const ANY_SANDBOX = `(?:${SANDBOX_PATH}[^/]+)?`
const SANDBOX_END = new RegExp(`${SANDBOX_PATH}[^/]+$`)
const { basePath } = contract

export function parseBaseUrl(baseUrl: BaseUrl | undefined): RegExp[] {
  if (baseUrl === undefined)
    return [new RegExp(`^${ANY_ORIGIN}(?=${ANY_SANDBOX}${listPaths(false)}${END})`)]
  const given: readonly unknown[] = Array.isArray(baseUrl) ? [...baseUrl] : [baseUrl]
  if (given.length === 0)
    throw misuse('baseUrl', 'the list is empty; leave baseUrl out to match any origin')
  return given.map(parseBase)
}

/** The target of a URL in the service, if the URL is under one of the addresses. */
export function findTarget(
  addresses: readonly RegExp[],
  url: Pick<URL, 'origin' | 'pathname' | 'search'>,
): string | undefined {
  const place = url.origin + url.pathname
  for (const address of addresses) {
    const match = address.exec(place)
    if (match) return place.slice(match[0].length) + url.search
  }
  return undefined
}

/** The addresses as they were given. */
export const listAddresses = (baseUrl: BaseUrl): string[] => [baseUrl].flat().map(String)

/** The address that an app calls: the first of its base addresses. */
export function findApiUrl(baseUrl: BaseUrl = basePath): string {
  const [first = basePath] = listAddresses(baseUrl)
  return removeEndSlashes(new URL(first, baseOfPage()).href)
}

/**
 * What relative addresses start from: the page, as the platform has it, and without a page
 * http://localhost.
 */
export const baseOfPage = (): string => pageAddress() ?? 'http://localhost'

/** The page's address, if there is a page that has an origin; about:blank has none. */
function pageAddress(): string | undefined {
  const { location } = globalThis
  return location?.origin === 'null' ? undefined : location?.href
}

function parseBase(given: unknown): RegExp {
  const page = pageAddress()
  const { url, isPath } = readBase(given, page ?? ANYWHERE)
  const whole = removeEndSlashes(url.pathname).slice(0, -basePath.length)
  const [named] = SANDBOX_END.exec(whole) ?? []
  const start = escapeRegExp(whole.replace(SANDBOX_END, ''))
  const sandbox = named === undefined ? ANY_SANDBOX : escapeRegExp(named)
  // A path is on the page's own origin, and on any where there is no page.
  const origin = isPath && page === undefined ? ANY_ORIGIN : escapeRegExp(url.origin)
  const isOfPage = isPath || (page !== undefined && url.origin === new URL(page).origin)
  // Also paths of the contract with too many slashes, or without the version: the service's 404
  // says what is wrong. On the page's own origin the version must be there, since the app itself
  // may have a `/pets`.
  const slipped = `${listPaths(!isOfPage)}/*$`
  return new RegExp(
    `^${origin}${start}(?=${sandbox}(?:${escapeRegExp(basePath)}${END}|${slipped}))`,
  )
}

function readBase(given: unknown, page: string): { readonly url: URL; readonly isPath: boolean } {
  const text = given instanceof URL ? given.href : given
  const expected = 'an address like https://api.example.com/v1 or a path like /v1'
  if (typeof text !== 'string' || !BASE.test(text) || !URL.canParse(text, ANYWHERE))
    throw mismatch('baseUrl', expected, { got: given })
  const url = new URL(text, page)
  const path = removeEndSlashes(url.pathname)
  if (path.endsWith(basePath)) return { url, isPath: text.startsWith('/') }
  const advice = `every path of the API begins with ${basePath}`
  const near = removeEndSlashes(text) + basePath
  const hint = path.includes(basePath) ? { advice } : { advice, near }
  throw mismatch('baseUrl', expected, { got: given, ...hint })
}

const removeEndSlashes = (path: string): string => path.replace(/\/+$/, '')

/**
 * The paths of the contract, with any number of slashes for one: the service says which are too
 * many.
 */
function listPaths(isVersionOptional: boolean): string {
  const paths = Object.values(contract.operations).map((operation) =>
    toPattern(operation.path.slice(basePath.length)),
  )
  const version = `(?:${toPattern(basePath)})${isVersionOptional ? '?' : ''}`
  return `${version}(?:${paths.join('|')})`
}

const toPattern = (template: string): string =>
  template.replaceAll('/', '/+').replace(/\{[^}]*\}/g, '[^/]+')

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
