// Intercepts requests with an MSW server that belongs to the store. The only file of the kits that imports msw.
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { replaceFetchBy } from '../hosts/global-fetch.ts'
import { createMswHandler } from '../hosts/msw-handler.ts'
import { type BaseUrl, findTarget, parseBaseUrl } from '../mock/base-address.ts'
import { readBody, toCall } from '../mock/fetch.ts'
import type { Engine } from '../mock/mock.ts'

export type Interception = Pick<ReturnType<typeof interceptWithMsw>, 'stop'> & Partial<ReturnType<typeof interceptWithMsw>>

export function interceptWithMsw({ mock, override }: Engine, baseUrl: BaseUrl | undefined, onStray: (request: Request) => void) {
  const addresses = parseBaseUrl(baseUrl)
  const server = setupServer(...addresses.map((address) => createMswHandler(mock, address)))
  // MSW 2 knows the first name, and MSW 3 the second.
  const strict = {
    onUnhandledRequest(request: Request, { error }: { error(): void }) {
      onStray(request)
      error()
    },
    onUnhandledFrame: 'error',
  } as const
  const putBack = replaceFetchBy(() => server.listen(strict))
  let isOverridden = false

  /** One handler for those of a test, which logs their responses. */
  function logOverrides(overrides: msw.RequestHandler[]): msw.RequestHandler {
    return msw.http.all('*', async ({ request }) => {
      const sent = request.clone()
      const response = await msw.getResponse(overrides, request)
      const target = findTarget(addresses, new URL(request.url))
      if (response && target !== undefined && !response.headers.has('x-msw-intention')) {
        // A body of unknown length may be a stream without an end.
        const body = response.headers.has('content-length') ? await response.clone().text() : ''
        override(
          { ...toCall(sent, target), body: await readBody(sent) },
          { status: response.status, headers: Object.fromEntries(response.headers), body },
        )
      }
      return response
    })
  }

  return {
    reset(): void {
      server.resetHandlers()
      isOverridden = false
    },
    use(handlers: readonly object[]): void {
      // Of any copy of MSW.
      const overrides = handlers.filter((one): one is msw.RequestHandler => isObject(one) && typeof one.run === 'function')
      if (overrides.length < handlers.length) throw new UsageError('store.use: expected MSW handlers such as http.get(…)')
      isOverridden = true
      server.use(logOverrides(overrides))
    },
    /** Whether a request that Node reports may be right: it is overridden, or MSW 3 (without `handleRequest`) answers it. */
    letsPass: () => isOverridden || !('handleRequest' in msw),
    stop(): void {
      server.close()
      putBack()
    },
  }
}
