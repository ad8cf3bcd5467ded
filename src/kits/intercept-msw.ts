// Intercepts requests with an MSW server that belongs to the store. The only file of the kits that imports msw.
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { createHandler } from '../hosts/msw-handler.ts'
import { type BaseUrl, findTarget, parseBaseUrl, parseUnversioned } from '../mock/base-address.ts'
import { readBody } from '../mock/fetch.ts'
import type { Engine } from '../mock/mock.ts'
import type { HandlerTaker } from './kit-options.ts'

/** Requests go to the mock until it is stopped. */
export interface Interception {
  /** Drops the overrides of a test. */
  reset?(): void
  use?(...handlers: msw.RequestHandler[]): void
  stop(): void
}

export function interceptWithMsw({ mock, override }: Engine, baseUrl: BaseUrl | undefined, given?: HandlerTaker): Interception {
  const addresses = [...parseBaseUrl(baseUrl), ...parseUnversioned(baseUrl)]
  const handlers = addresses.map((address) => createHandler(mock, address))
  const own = given ? undefined : setupServer(...handlers)
  // Each version of MSW knows one of the two names, and ignores the other.
  own?.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as never)
  const add = (added: readonly msw.RequestHandler[]) => (own ?? given)?.use(...(added as never[]))

  /** One handler for those of a test, which logs their responses. */
  function logOverrides(overrides: msw.RequestHandler[]): msw.RequestHandler {
    return msw.http.all('*', async ({ request }) => {
      const sent = request.clone()
      const response = await msw.getResponse(overrides, request)
      const target = findTarget(addresses, new URL(request.url))
      if (response && target !== undefined && !response.headers.has('x-msw-intention')) {
        const { method, headers } = sent
        const header = (name: string) => headers.get(name) ?? undefined
        const call = { method, target, header, fields: [...headers].flat(), body: await readBody(sent) }
        // A body of unknown length may be a stream without an end.
        const body = response.headers.has('content-length') ? await response.clone().text() : ''
        override(call, { status: response.status, headers: Object.fromEntries(response.headers), body })
      }
      return response
    })
  }

  return {
    // A server of the test's own may have dropped the handlers; added again, they come before overrides of earlier tests.
    reset: () => (own ? own.resetHandlers() : add(handlers)),
    // Before MSW 2.2 they are not logged.
    use: (...overrides) => add('getResponse' in msw ? [logOverrides(overrides)] : overrides),
    stop: () => own?.close(),
  }
}
