// Intercepts requests to a store, by MSW or instead of `fetch`, and notes those that Node reports
// as going past it.
import { isLoopback } from '../contract/address.ts'
import { UsageError } from '../contract/errors.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import { cutText } from '../contract/values.ts'
import { replaceFetch } from '../hosts/global-fetch.ts'
import { findTarget, parseBaseUrl } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'
import type { Interception } from './intercept-msw.ts'
import type { InterceptionOptions } from './kit-options.ts'

/**
 * The part of Node's messages that is read: undici has an origin, `node:http` a protocol and a host
 * field.
 */
type Outgoing = {
  method: string
  path: string
  origin?: unknown
  protocol?: string
  getHeader?(name: string): unknown
}
const NEEDS_MSW =
  'install it (npm i -D msw@2), in Jest with the settings in docs/testing.md of the package, or pass intercept: "fetch"'
const NOT_FETCH =
  'its client does not use fetch; pass intercept: "msw", or let it use fetch (axios: adapter: "fetch")'
const OTHER =
  'mockStore: another store is active; use one store, with a list as baseUrl if there are several addresses'
/**
 * Marks an active store, on the global object that interception changes: the package may be in a
 * process twice.
 */
const ACTIVE = Symbol.for('animal-store-mock.active')
const marks = globalThis as { [ACTIVE]?: boolean }
/**
 * A request of `node:http` that fails before its client has ended it, as in jsdom, never starts.
 */
const CHANNELS = ['undici:request:create', 'http.client.request.start', 'http.client.request.error']
const MAX_ELSEWHERE = 5

export function createInterception(
  mock: Mock,
  kit: string,
  { baseUrl, intercept }: InterceptionOptions,
) {
  const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  const addresses = parseBaseUrl(baseUrl)
  const hosts = [baseUrl ?? []]
    .flat()
    .flatMap((base) => (URL.canParse(String(base)) ? new URL(String(base)).host : []))
  const tookFetch = `took fetch before ${kit} was imported (import ${kit} first, or in the setup file of the runner)`
  const other =
    'does not use the global fetch (undici), or your own MSW server let it pass (use intercept: "fetch")'
  const past: string[] = []
  const noted = new WeakSet<Outgoing>()
  const elsewhere = new Set<string>()
  const stops: (() => void)[] = []
  let active: Interception | undefined

  function note(request: Outgoing): void {
    const {
      method,
      path,
      protocol,
      origin = `${protocol}//${request.getHeader?.('host') ?? ''}`,
    } = request
    if (noted.has(request) || !URL.canParse(`${origin}${path}`)) return
    noted.add(request)
    const url = new URL(`${origin}${path}`)
    const sent = escapeUnsafe(`${method} ${url.origin}${url.pathname}`)
    const isOurs = findTarget(addresses, url) !== undefined
    if (!isOurs && (!hosts.includes(url.host) || isLoopback(url.hostname))) elsewhere.add(sent)
    else if (request.origin === undefined) past.push(`${sent}: ${NOT_FETCH}`)
    else
      past.push(
        `${sent}: ${isOurs ? `its client ${tookFetch}, or ${other}` : 'it is outside baseUrl'}`,
      )
  }

  return {
    isActive: () => active !== undefined,
    elsewhere: () => [...elsewhere].slice(0, MAX_ELSEWHERE),
    /**
     * The requests that have gone past the store, and how to catch them. Some come late, when their
     * test is over.
     */
    takePast(): string[] {
      elsewhere.clear()
      const taken = past.splice(0)
      return active?.letsPass?.() ? [] : taken
    },
    async start(): Promise<void> {
      if (marks[ACTIVE]) throw new UsageError(OTHER)
      const noteStray = ({ method, url }: Request) =>
        void elsewhere.add(escapeUnsafe(`${method} ${url.split('?', 1)}`))
      if (intercept === 'fetch') active = { stop: replaceFetch(mock, baseUrl) }
      else active = (await importMsw()).interceptWithMsw(mock, baseUrl, noteStray)
      const listener = (message: unknown) => note((message as { request: Outgoing }).request)
      // MSW handles the requests of node:http, which Node reports all the same.
      for (const channel of intercept === 'fetch' ? CHANNELS : CHANNELS.slice(0, 1)) {
        diagnostics?.subscribe(channel, listener)
        stops.push(() => diagnostics?.unsubscribe(channel, listener))
      }
      marks[ACTIVE] = true
    },
    reset: () => active?.reset?.(),
    use(...handlers: object[]): void {
      if (!active?.use)
        throw new UsageError('store.use needs MSW (intercept: "msw"), inside a test or a hook')
      active.use(handlers)
    },
    stop(): void {
      if (!active) return
      marks[ACTIVE] = false
      for (const stop of [...stops, active.stop]) stop()
      active = undefined
    },
  }
}

function importMsw() {
  return import('./intercept-msw.ts').catch((error: Error) => {
    const [reason = ''] = error.message.split('\n', 1)
    throw new UsageError(
      `mockStore: msw could not be loaded (${cutText(reason, 200)}); ${NEEDS_MSW}`,
    )
  })
}
