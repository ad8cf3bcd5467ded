// The mock as MSW request handlers, for Node tests and for browsers: a handler for each base
// address.
import { type HttpHandler, http } from 'msw'
import { UsageError } from '../contract/errors.ts'
import { readOptions } from '../contract/options.ts'
import { isPlainObject } from '../contract/values.ts'
import { createAnswering } from '../mock/answering.ts'
import { type BaseUrl, baseUrlSchema, findTarget, parseBaseUrl } from '../mock/base-address.ts'
import type { Mock, MockOptions } from '../mock/mock.ts'
import { createResponder, isAnswering } from '../mock/respond.ts'

/** Which addresses the handlers answer. */
export interface HandlerOptions {
  /**
   * The addresses that the app calls, version segment included, or paths on its own origin (in
   * Node, any).
   * @default the API's paths on any origin
   */
  readonly baseUrl?: BaseUrl | undefined
}

const MISPLACED =
  'createHandlers: baseUrl belongs in the second argument; write createHandlers(mock, { baseUrl })'

/**
 * Handlers for `setupServer` and `setupWorker`, on the given mock or on one made with the given
 * options.
 *
 * @example
 * const mock = createMock()
 * const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
 */
export function createHandlers(
  mockOrOptions: Mock | MockOptions = {},
  options: HandlerOptions = {},
): HttpHandler[] {
  const { baseUrl } = readOptions('createHandlers', baseUrlSchema, options)
  if (isPlainObject(mockOrOptions) && Object.hasOwn(mockOrOptions, 'baseUrl'))
    throw new UsageError(MISPLACED)
  const mock = isAnswering(mockOrOptions) ? mockOrOptions : createAnswering(mockOrOptions)
  const respond = createResponder(mock)

  async function answer(request: Request, address: RegExp): Promise<Response> {
    const target = findTarget([address], new URL(request.url)) as string
    try {
      return await respond(request, target, request.signal)
    } catch (error) {
      // The client has left and reads nothing; thrown on, MSW would log it as an error of the
      // handler.
      if (request.signal.aborted) return Response.error()
      throw error
    }
  }

  return parseBaseUrl(baseUrl).map((address) =>
    http.all(address, ({ request }) => answer(request, address)),
  )
}

/** Handlers with a separate mock, ready to use. */
export const handlers: HttpHandler[] = /* @__PURE__ */ createHandlers()
