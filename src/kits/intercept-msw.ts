// Requests by MSW, on a server of the kit's own or on the test's; the only file of the kits that imports msw, and only where it is used.
// Paths that the API does not have are left to MSW: to handlers of the test's own, or to its rule for unhandled requests.
import { setupServer } from 'msw/node'
import { type BaseUrl, createContractAddress, createRoutePattern, parseBaseUrl } from '../base-address.ts'
import { createHandler } from '../hosts/msw-handler.ts'
import type { Mock } from '../mock.ts'
import type { Interception } from './intercept-fetch.ts'
import type { MswServer, UnhandledRule } from './store-options.ts'

type Listener = (event: { readonly request: Request }) => void
/** The part of MSW's emitter that its versions have in common. */
interface Emitter {
  on(type: string, listener: Listener): void
  removeListener(type: string, listener: Listener): void
}

export function interceptWithMsw(
  mock: Mock,
  baseUrl: BaseUrl | undefined,
  given: MswServer | undefined,
  rule: UnhandledRule,
): Interception {
  const addresses = baseUrl === undefined ? [createContractAddress()] : parseBaseUrl(baseUrl)
  const handlers = addresses.map((address) =>
    createHandler(mock, { ...address, pattern: createRoutePattern(baseUrl === undefined ? undefined : address) }),
  )
  const own = given ? undefined : setupServer()
  const server = (given ?? own) as MswServer & { events: Emitter }
  server.events.on('request:unhandled', note)
  // Each version of MSW knows one of the two names, and ignores the other.
  own?.listen({ onUnhandledRequest: rule, onUnhandledFrame: rule } as never)

  /** What MSW left unanswered under the mock's address goes into the journal, with the service's own hint on a near miss. */
  function note({ request: { method, url, headers } }: Parameters<Listener>[0]): void {
    const { origin, pathname } = new URL(url)
    const target = addresses.find(({ pattern }) => pattern.test(origin + pathname))?.toTarget(new URL(url))
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
    },
  }
}
