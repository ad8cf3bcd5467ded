// The mock inside a server of node:http, such as Express or Vite; that server listens and limits
// the heads.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback, splitQuery } from '../../contract/address.ts'
import { ApiError, UsageError } from '../../contract/errors.ts'
import { type OptionSchemas, readOptions } from '../../contract/options.ts'
import { findMockUrl, isControlTarget } from '../../control/protocol.ts'
import { findTarget, parseBaseUrl } from '../../mock/base-address.ts'
import type { Mock } from '../../mock/mock.ts'
import { checkMock } from '../../mock/respond.ts'
import { hostSchema } from '../../scenario/settings/access.ts'
import { createHandler } from './handler.ts'
import { createHostPolicy } from './host-policy.ts'
import { hasBody } from './read-request.ts'
import { controlSchemas, type ServeOptions } from './serve.ts'

const TAKEN =
  'middleware: another handler reads the body; mount the mock before it, as before express.json()'

/** What the mock answers in an existing server. */
export interface MiddlewareOptions extends Pick<ServeOptions, 'control'> {
  /** The path that the app calls, version segment included. @default `/v1/pets` and below */
  readonly baseUrl?: string | undefined
  /**
   * The bearer token of the control API; without one, it refuses clients on other machines.
   * @default none
   */
  readonly controlToken?: string | undefined
  /**
   * Host names to accept besides `localhost` and IP addresses; `true` if the server checks them.
   * @default none
   */
  readonly allowedHosts?: readonly string[] | true | undefined
}

/**
 * A handler of Connect or Express. Without `next`, the mock answers everything. Compiles without
 * the types of Node.
 */
export type Middleware = (
  request: { url?: string | undefined },
  response: { readonly headersSent: boolean },
  next?: (error?: unknown) => void,
) => void

export const middlewareSchemas: OptionSchemas<MiddlewareOptions> = {
  baseUrl: { type: 'string', pattern: '^/', title: 'a path such as "/api/v1"' },
  ...controlSchemas,
  allowedHosts: { oneOf: [{ const: true }, { type: 'array', items: hostSchema }] },
}

/**
 * A handler that answers the requests for the mock and passes all others on. Mount it before
 * parsers of bodies.
 *
 * @example
 * app.use(middleware(createMock()))
 */
export function middleware(mock: Mock, options: MiddlewareOptions = {}): Middleware {
  checkMock('middleware', mock)
  const read = readOptions('middleware', middlewareSchemas, options)
  const { baseUrl, control: isOn = true, controlToken, allowedHosts = [] } = read
  const addresses = [...parseBaseUrl(baseUrl), ...parseBaseUrl(undefined)]
  const mount = findMockUrl(baseUrl ?? '')
  const findHostError = allowedHosts === true ? undefined : createHostPolicy(allowedHosts)
  const refusesFar = isOn && controlToken === undefined
  const findSenderError = (request: IncomingMessage) =>
    findHostError?.(request) ?? (refusesFar ? findFarError(request) : undefined)
  const token = isOn ? controlToken : undefined
  const handler = createHandler(mock, { isOn, token, findSenderError })
  return (given, sent, next) => {
    const request = given as IncomingMessage
    const response = sent as ServerResponse
    const target = findOwn(request.url ?? '', addresses, mount)
    if (target === undefined && next) {
      next()
      return
    }
    if (isTaken(request) && hasBody(request)) {
      const error = new UsageError(TAKEN)
      if (next) next(error)
      else response.destroy(error)
      return
    }
    request.url = target ?? request.url
    // HTTP/2 has a separate field for the host, which counts more (RFC 9113 §8.3.1).
    const authority = request.headers[':authority']
    if (authority !== undefined) request.headers.host = authority as string
    // With our fields only, as on our server. If another handler has begun it, sending fails and
    // cuts the connection.
    if (!response.headersSent)
      for (const name of response.getHeaderNames()) response.removeHeader(name)
    handler.receive(request, response)
  }
}

/** Whether another handler has begun to read the body. */
const isTaken = (request: IncomingMessage): boolean =>
  request.readableDidRead || request.listenerCount('data') > 0 || request.readableEncoding !== null

export const dropMount = (target: string, mount: string) =>
  target.startsWith(`${mount}/`) ? target.slice(mount.length) : target

/**
 * The target of a request in the mock, if it is the mock's. The path is not resolved, as it is not
 * in the service.
 */
function findOwn(target: string, addresses: readonly RegExp[], mount: string): string | undefined {
  // The control API is at the root, and beside the API for clients that know only its address.
  const own = dropMount(target, mount)
  if (isControlTarget(own)) return own
  const { path: pathname } = splitQuery(target)
  const search = target.slice(pathname.length)
  return findTarget(addresses, { origin: 'http://localhost', pathname, search })
}

function findFarError(request: IncomingMessage): ApiError | undefined {
  if (!isControlTarget(request.url ?? '')) return undefined
  const { remoteAddress } = request.socket
  if (remoteAddress === undefined || isLoopback(remoteAddress)) return undefined
  return new ApiError(
    403,
    'The control API refuses clients on other machines; give the mock a controlToken',
  )
}
