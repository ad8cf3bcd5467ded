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

export type Interception = Partial<ReturnType<typeof interceptWithMsw>> & { stop(): void }

export function interceptWithMsw(
  mock: Mock,
  baseUrl: BaseUrl | undefined,
  onStray: (request: Request) => void,
) {
  const server = setupServer(...createHandlers(mock, { baseUrl }))
  server.events.on('request:unhandled', ({ request }) => onStray(request))
  // MSW 2 knows the first name, and MSW 3 the second. Not a function, which would let the request
  // pass.
  const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
  const putBack = replaceFetchBy(() => server.listen(strict))
  let isOverridden = false
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
    /**
     * Whether what Node reports may be right: a handler passes it on, or MSW 3 answers it, without
     * `handleRequest`.
     */
    letsPass: () => isOverridden || !('handleRequest' in msw),
    stop(): void {
      server.close()
      putBack()
    },
  }
}

const isHandler = (value: unknown): value is msw.RequestHandler =>
  isObject(value) && typeof value.run === 'function'
