// Requests by MSW, on a server of the kit's own or on the test's; the only file of the kits that imports msw, and only where it is used.
// Paths that the API does not have are left to MSW: to handlers of the test's own, or to its rule for unhandled requests.
import { setupServer } from 'msw/node'
import { UsageError } from '../contract/errors.ts'
import { createHandler } from '../hosts/msw-handler.ts'
import { type BaseAddress, createRoutePattern, parseBaseUrl } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'
import type { Interception, MswServer, StoreOptions } from './store-options.ts'

type Listener = (event: { readonly request: Request }) => void
/** MSW's server, as far as its versions have it in common. */
type Server = MswServer & { events: Record<'on' | 'removeListener', (type: 'request:unhandled', listener: Listener) => void> }

/** Whether a store's server listens now: a fact of the whole process, as is what MSW intercepts. */
let isListening = false
const CROWDED =
  'mockStore: another store of this file listens too, and of two MSW servers each takes the requests to the other; use one store with a list of addresses as baseUrl, the same server for both ({ server }), or intercept: "fetch"'

export function interceptWithMsw(
  mock: Mock,
  { baseUrl, server: given, onUnhandledRequest: rule = 'error' }: Pick<StoreOptions, 'baseUrl' | 'server' | 'onUnhandledRequest'>,
): Interception {
  const addresses = parseBaseUrl(baseUrl)
  const toRoutes = (address: BaseAddress) => createRoutePattern(baseUrl === undefined ? undefined : address)
  const handlers = addresses.map((address) => createHandler(mock, { ...address, pattern: toRoutes(address) }))
  const own = given ? undefined : setupServer()
  const server = (given ?? own) as Server
  if (own && isListening) throw new UsageError(CROWDED)
  server.events.on('request:unhandled', note)
  // Until 2.12 MSW applies its rule before it tells listeners, and an error ends it there: so the rule takes note itself. Those versions
  // have a method that later ones do not.
  const noteFirst = (request: Request, print: { error(): void }) => {
    note({ request })
    print.error()
  }
  const isRuleFirst = rule === 'error' && 'dispose' in server
  // Each version of MSW knows one of the two names, and ignores the other.
  if (own) isListening = true
  own?.listen({ onUnhandledRequest: isRuleFirst ? noteFirst : rule, onUnhandledFrame: rule } as never)

  /** What MSW left unanswered under the mock's address goes into the journal, with the service's own hint on a near miss. */
  function note({ request: { method, url, headers } }: Parameters<Listener>[0]): void {
    const target = addresses.find(({ pattern }) => pattern.test(url.replace(/[?#].*/, '')))?.toTarget(new URL(url))
    if (target !== undefined) mock.answer({ method, target, header: (name) => headers.get(name) ?? undefined })
  }

  return {
    reset() {
      own?.resetHandlers()
      // The test may have reset its server, which drops ours.
      if (!server.listHandlers().includes(handlers[0])) server.use(...(handlers as never[]))
    },
    use: (...overrides) => server.use(...overrides),
    stop() {
      server.events.removeListener('request:unhandled', note)
      own?.close()
      if (own) isListening = false
    },
  }
}
