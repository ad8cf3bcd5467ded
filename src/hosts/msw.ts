// The mock as MSW request handlers, for Node tests and for browsers: a handler for each base address.
import { type HttpHandler, http } from 'msw'
import { describeValue, isObject, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { readOptions } from '../contract/options.ts'
import { type BaseAddress, type BaseUrl, findTarget, parseBaseUrl } from '../mock/base-address.ts'
import { type Answering, baseUrlSchema, createResponder, isAnswering } from '../mock/fetch.ts'
import { createAnswering, type Mock, type MockOptions } from '../mock/mock.ts'

/** Which addresses the handlers answer. */
export interface HandlerOptions {
  /**
   * The address or addresses that the app calls, version segment included: `https://api.example.com/v1`, or a path like `/v1` on the
   * page's own origin. Everything under them is answered, and a path that only lacks the version segment. By default the paths of the
   * API on any origin, so that an app's other APIs pass through.
   */
  readonly baseUrl?: BaseUrl | undefined
}

/**
 * Handlers for `setupServer` and `setupWorker`, on the given mock or on one made with the given options.
 *
 * @example
 * const mock = createMock()
 * const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
 */
export function createHandlers(mockOrOptions: Mock | MockOptions = {}, options: HandlerOptions = {}): HttpHandler[] {
  const { baseUrl } = readOptions('createHandlers', baseUrlSchema, options)
  const mock = isAnswering(mockOrOptions) ? mockOrOptions : createMockFor(mockOrOptions)
  const respond = createResponder(mock)
  return parseBaseUrl(baseUrl).map((address) => createHandler(respond, address))
}

/** Handlers with a separate mock, ready to use. */
export const handlers: HttpHandler[] = /* @__PURE__ */ createHandlers()

function createHandler(respond: ReturnType<typeof createResponder>, address: BaseAddress): HttpHandler {
  return http.all(address.pattern, async ({ request }) => {
    try {
      return await respond(request, findTarget([address], new URL(request.url)) as string, request.signal)
    } catch (error) {
      // The client has left and reads nothing; thrown on, MSW would log it as an error of the handler.
      if (request.signal.aborted) return Response.error()
      throw error
    }
  })
}

function createMockFor(options: MockOptions): Answering {
  if (!isPlainObject(options) || typeof (options as { subscribe?: unknown }).subscribe === 'function') {
    const got = isObject(options) && 'subscribe' in options ? 'the control of one' : describeValue(options)
    throw new UsageError(`createHandlers: expected a mock from createMock or its options, got ${got}`)
  }
  if (Object.hasOwn(options, 'baseUrl')) {
    throw new UsageError('createHandlers: baseUrl belongs in the second argument; write createHandlers({}, { baseUrl })')
  }
  return createAnswering(options)
}
