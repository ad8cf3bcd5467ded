// The mock as MSW request handlers, for Node tests and for browsers. One handler for each address that is claimed; what it
// answers is the engine's business.
import { type HttpHandler, http } from 'msw'
import { contract } from '../generated/contract.ts'
import { createMock, type Mock, type MockOptions } from '../mock.ts'
import { createFetch } from './fetch.ts'

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
    const answer = createFetch(mock)
    return [http.all(toPattern(ANY_ORIGIN, contractPaths()), ({ request }) => answer(request))]
  }
  return [baseUrl].flat().map((base) => {
    const { origin, path } = parseBase(base)
    const answer = createFetch(mock, ({ pathname, search }) => contract.basePath + pathname.slice(path.length) + search)
    return http.all(toPattern(origin, [path]), ({ request }) => answer(request))
  })
}

function isMock(value: Mock | MockOptions): value is Mock {
  return 'answer' in value
}

/** The paths of the contract that are under no other one. */
function contractPaths(): string[] {
  const paths = Object.values(contract.operations).map(({ path }) => path)
  return [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

/** A base without an origin is on the page's own, and on any where there is no page. */
function parseBase(base: string): { origin: string; path: string } {
  const page = globalThis.location?.origin
  if (!/^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?$/i.test(base) || base === '') {
    throw new TypeError(`baseUrl: expected an address like https://api.example.com/v1 or /v1, got ${JSON.stringify(base)}`)
  }
  const { origin, pathname } = new URL(base, page ?? 'http://any.invalid')
  return { origin: page === undefined && base.startsWith('/') ? ANY_ORIGIN : escape(origin), path: pathname.replace(/\/+$/, '') }
}

/** The paths and everything below them. MSW leaves query and fragment out before it matches. */
function toPattern(origin: string, paths: readonly string[]): RegExp {
  return new RegExp(`^${origin}(?:${paths.map(escape).join('|')})(?:/.*)?$`)
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Handlers on a mock of their own, ready to use. */
export const handlers: HttpHandler[] = /* @__PURE__ */ createHandlers()
