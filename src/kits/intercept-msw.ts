// Intercepts requests with an MSW server that belongs to the store. For Node; Storybook starts a
// worker.
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { UsageError } from '../contract/errors.ts'
import { isObject } from '../contract/values.ts'
import { replaceFetchBy } from '../hosts/global-fetch.ts'
import { createHandlers } from '../hosts/msw.ts'
import type { BaseUrl } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'
import type { Outgoings } from './outgoing.ts'

export type Interception = Partial<ReturnType<typeof interceptWithMsw>> & { stop(): void }

/** Without `handleRequest`; it takes requests at the socket, so that Node reports all of them. */
const isMsw3 = !('handleRequest' in msw)
const NEEDS_NODE =
  'mockStore: MSW 3 needs Node 22.12; install MSW 2 (npm i -D msw@2), use a newer Node, or pass ' +
  'intercept: "fetch"'

export function interceptWithMsw(mock: Mock, baseUrl: BaseUrl | undefined, outgoing: Outgoings) {
  if (isMsw3 && !('withResolvers' in Promise)) throw new UsageError(NEEDS_NODE)
  const server = setupServer(...createHandlers(mock, { baseUrl }))
  if (isMsw3) server.events.on('request:start', ({ request }) => outgoing.noteTaken(request))
  server.events.on('request:unhandled', ({ request }) => {
    outgoing.noteElsewhere(request)
    // MSW never blocks requests for files.
    if (isMsw3 && msw.isCommonAssetRequest(request)) outgoing.noteLetPass(request)
  })
  // MSW 2 knows the first name, and MSW 3 the second. Not a function, which would let the request
  // pass.
  const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
  const putBack = replaceFetchBy(() => server.listen(strict))
  let isOverridden = false
  outgoing.start(isMsw3 ? 'msw-3' : 'msw-2')
  return {
    reset(): void {
      server.resetHandlers()
      isOverridden = false
    },
    use(handlers: readonly object[]): void {
      const added = handlers.filter(isHandler)
      if (added.length < handlers.length)
        throw new UsageError('store.use: expected MSW handlers such as http.get(…)')
      isOverridden = true
      server.use(...added)
    },
    /** Whether a handler of the test may have let a request pass on purpose. */
    letsPass: () => isOverridden,
    stop(): void {
      server.close()
      putBack()
    },
  }
}

const isHandler = (value: unknown): value is msw.RequestHandler =>
  isObject(value) && typeof value.run === 'function'
