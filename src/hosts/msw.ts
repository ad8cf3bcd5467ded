// The mock as MSW request handlers, for Node tests and for browsers. One handler for each address that is claimed; what it
// answers is the engine's business.
import { type HttpHandler, http } from 'msw'
import { UsageError } from '../contract/errors.ts'
import { createResponder } from '../fetch.ts'
import { contract } from '../generated/contract.ts'
import { createMock, type Mock, type MockOptions } from '../mock.ts'

/** An address, or a path; in neither of them a query or a fragment. */
const BASE = /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*)?|\/(?!\/)[^?#]*)$/i
const ANY_ORIGIN = '[a-z][a-z0-9+.-]*://[^/]*'

export interface HandlerOptions {
  /** The address, or the addresses, that the app calls, version segment included. Everything under them is claimed. */
  readonly baseUrl?: string | readonly string[]
}

/**
 * Handlers for `setupServer` and `setupWorker`.
 *
 * Without a `baseUrl` they claim the paths of the contract on any origin, so that an app's other APIs pass through.
 *
 * @example
 * const mock = createMock()
 * const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
 */
export function createHandlers(mockOrOptions: Mock | MockOptions = {}, { baseUrl }: HandlerOptions = {}): HttpHandler[] {
  const mock = isMock(mockOrOptions) ? mockOrOptions : createMock(mockOrOptions)
  if (baseUrl === undefined) {
    const respond = createResponder(mock)
    return [http.all(toPattern(ANY_ORIGIN, contractPaths()), ({ request }) => respond(request))]
  }
  return [baseUrl].flat().map((base) => {
    const { origin, path } = parseBase(base)
    const respond = createResponder(mock, ({ pathname, search }) => contract.basePath + pathname.slice(path.length) + search)
    return http.all(toPattern(origin, escapeRegExp(path)), ({ request }) => respond(request))
  })
}

function isMock(value: Mock | MockOptions): value is Mock {
  return 'answer' in value
}

/** The paths of the contract, as the source of a RegExp; those that lie under another one need no mention. */
function contractPaths(): string {
  const paths = [...new Set(Object.values(contract.operations).map(({ path }) => path))]
  const tops = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  return `(?:${tops.map(toSource).join('|')})`
}

function toSource(template: string): string {
  return template.replace(/\{[^}]*\}|[^{]+/g, (part) => (part.startsWith('{') ? '[^/]+' : escapeRegExp(part)))
}

/** A base without an origin is on the page's own, and on any where there is no page. */
function parseBase(base: string): { origin: string; path: string } {
  if (!BASE.test(base) || !URL.canParse(base, 'http://any.invalid')) {
    throw new UsageError(`baseUrl: expected an address like https://api.example.com/v1 or /v1, got ${JSON.stringify(base)}`)
  }
  const { origin, pathname } = new URL(base, pageOrigin() ?? 'http://any.invalid')
  const isAnywhere = base.startsWith('/') && pageOrigin() === undefined
  return { origin: isAnywhere ? ANY_ORIGIN : escapeRegExp(origin), path: pathname.replace(/\/+$/, '') }
}

/** A page such as about:blank has no origin to call its own. */
function pageOrigin(): string | undefined {
  const origin = globalThis.location?.origin
  return origin === 'null' ? undefined : origin
}

/** The path and everything below it. MSW leaves query and fragment out before it matches. */
function toPattern(origin: string, path: string): RegExp {
  return new RegExp(`^${origin}${path}(?:/.*)?$`)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Handlers on a mock of their own, ready to use. */
export const handlers: HttpHandler[] = /* @__PURE__ */ createHandlers()
