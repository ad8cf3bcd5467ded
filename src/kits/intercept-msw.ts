// Intercepts requests with an MSW server that belongs to the store. The only file of the kits that imports msw.
import { setupServer } from 'msw/node'
import { createHandler } from '../hosts/msw-handler.ts'
import { type BaseUrl, parseBaseUrl, parseUnversioned } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'

/** Requests go to the mock until it is stopped. */
export interface Interception {
  /** Drops the overrides of a test. */
  reset?(): void
  use?(...handlers: never[]): void
  stop(): void
}

export function interceptWithMsw(mock: Mock, baseUrl: BaseUrl | undefined): Interception {
  const addresses = [...parseBaseUrl(baseUrl), ...parseUnversioned(baseUrl)]
  const server = setupServer(...addresses.map((address) => createHandler(mock, address)))
  // Each version of MSW knows one of the two names, and ignores the other.
  server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as never)
  return { reset: () => server.resetHandlers(), use: (...handlers) => server.use(...handlers), stop: () => server.close() }
}
