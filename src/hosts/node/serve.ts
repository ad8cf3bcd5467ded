// The mock on a real port: wires node:http to the engine, listens, and stops.
import { Buffer } from 'node:buffer'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { staysHere } from '../../contract/address.ts'
import { contract } from '../../contract/generated/contract.ts'
import {
  HEADERS_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  STOP_TIMEOUT_MS,
} from '../../contract/limits.ts'
import {
  BOOLEAN,
  type OptionSchemas,
  PORT,
  readOptions,
  TIMEOUT_MS,
} from '../../contract/options.ts'
import { CONTROL_PATH } from '../../control/protocol.ts'
import type { Mock } from '../../mock/mock.ts'
import { checkMock } from '../../mock/respond.ts'
import { controlTokenSchema, hostSchema } from '../../scenario/settings/access.ts'
import { bind, LOOPBACK, toReachable } from './bind.ts'
import { timers } from './exchange.ts'
import { createHandler } from './handler.ts'
import { createHostPolicy } from './host-policy.ts'

/** Where and how a mock listens. */
export interface ServeOptions {
  /** The port to listen on; 0 picks a free one. @default 0 */
  readonly port?: number | undefined
  /**
   * The address to listen on, such as `0.0.0.0`; `127.0.0.1` includes `::1`. @default both loopback
   * addresses
   */
  readonly host?: string | undefined
  /** Host names to accept besides `localhost`, IP addresses and the bound name. @default none */
  readonly allowedHosts?: readonly string[] | undefined
  /** Whether the control API is available. @default true */
  readonly control?: boolean | undefined
  /**
   * The bearer token that the control API requires. @default none on loopback, elsewhere a
   * generated one
   */
  readonly controlToken?: string | undefined
  /**
   * Whether responses of the service are compressed, as the `Accept-Encoding` of a request allows:
   * with br, gzip or deflate. @default false
   */
  readonly compress?: boolean | undefined
  /** Milliseconds that a request may take to arrive; a later one gets 408. @default 10,000 */
  readonly requestTimeout?: number | undefined
}

/** A mock that listens. */
export interface Serving {
  /** The address for clients, version segment included. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** The address of the control API, if it is available. */
  readonly controlUrl: string | undefined
  /** The token that the control API requires, if any. */
  readonly controlToken: string | undefined
  /**
   * Stops the server: running requests are answered, and everything is closed after two seconds at
   * the latest.
   */
  close(): Promise<void>
}

const TOKEN_BYTES = 24
const HTTP_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  connectionsCheckingInterval: 1_000,
  // We check the Host ourselves, so that the response has an Error body.
  requireHostHeader: false,
  // By default node:http keeps only the first of some repeated fields.
  joinDuplicateHeaders: true,
}

export const controlSchemas = { control: BOOLEAN, controlToken: controlTokenSchema }
const schemas: OptionSchemas<ServeOptions> = {
  port: PORT,
  host: { type: 'string', minLength: 1 },
  allowedHosts: { type: 'array', items: hostSchema },
  ...controlSchemas,
  compress: BOOLEAN,
  requestTimeout: TIMEOUT_MS,
}

/**
 * Serves a mock over HTTP.
 *
 * @example
 * const { url, close } = await serve(createMock())
 */
export async function serve(mock: Mock, options: ServeOptions = {}): Promise<Serving> {
  checkMock('serve', mock)
  const given = readOptions('serve', schemas, options)
  const { port = 0, host = LOOPBACK, allowedHosts = [], control: isOn = true } = given
  const { compress = false, requestTimeout = REQUEST_TIMEOUT_MS } = given
  const token = isOn ? (given.controlToken ?? generateToken(host)) : undefined
  const findSenderError = createHostPolicy([host, ...allowedHosts])
  const settings = { isOn, token, findSenderError, hasFrontDoor: true, compress }
  const handler = createHandler(mock, settings)
  const servers = await bind(() => createHttpServer(handler, requestTimeout), port, host)
  const address = servers[0]?.address() as AddressInfo
  const origin = `http://${toReachable(host)}:${address.port}`
  return {
    url: origin + contract.basePath,
    port: address.port,
    controlUrl: isOn ? origin + CONTROL_PATH : undefined,
    controlToken: token,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      handler.stop()
      handler.connections.closeIdle()
      const timer = timers.setTimeout(handler.connections.closeAll, STOP_TIMEOUT_MS)
      await Promise.all(closed)
      timers.clearTimeout(timer)
    },
  }
}

/**
 * Other machines need a token, which is generated if you choose none. Node loads its
 * global when it is used, and a module at every start.
 */
function generateToken(host: string): string | undefined {
  if (staysHere(host)) return undefined
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  return Buffer.from(bytes).toString('base64url')
}

function createHttpServer(
  handler: ReturnType<typeof createHandler>,
  requestTimeout: number,
): Server {
  const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeout)
  const options = { ...HTTP_OPTIONS, headersTimeout, requestTimeout }
  const server: Server = createServer(options, handler.receive)
  server.on('connection', handler.connections.open)
  server.on('checkExpectation', handler.receive)
  server.on('clientError', handler.refuseUnreadable)
  server.on('connect', (_, socket: Socket) => {
    socket.on('error', () => {})
    handler.refuseUnreadable({}, socket)
  })
  // By default node:http silently ignores what comes after a thousand fields; the size of the head
  // is limit enough.
  server.maxHeadersCount = 0
  // A client that closes its side right after its request may still read. Known to node:http, not
  // to its types.
  return Object.assign(server, { httpAllowHalfOpen: true })
}
