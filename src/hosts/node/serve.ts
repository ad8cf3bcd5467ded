// The mock on a real port: node:http around the engine. Binding, limits and stopping are decided here, answers are not.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../contract/errors.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { CONTROL_PATH } from '../../control-path.ts'
import { contract } from '../../generated/contract.ts'
import {
  HEADERS_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_YAML_TEXT_BYTES,
  REQUEST_TIMEOUT_MS,
  STOP_TIMEOUT_MS,
} from '../../limits.ts'
import type { Mock } from '../../mock.ts'
import { tooLarge } from '../../service/admit.ts'
import type { Call, Reply } from '../../service/call.ts'
import { announcesTooMuch, createWaiting, hasBody, readBody, sendReply, toCall } from './call.ts'
import { createNodeControl } from './control.ts'
import { createHostPolicy } from './host-policy.ts'
import { answerParserError, endWith, toBytes } from './parser-errors.ts'
import { createRounds } from './rounds.ts'

export interface ServeOptions {
  /** 0, the default, picks a free one. */
  readonly port?: number
  /** By default both loopback addresses. */
  readonly host?: string
  /** Names that the mock answers to on a loopback address, beside `localhost` and IP addresses. */
  readonly allowedHosts?: readonly string[]
  /** Whether the control API answers; it does by default. */
  readonly control?: boolean
  /** What the control API wants to be sent as a bearer token. By default nothing, or beyond loopback a token of the mock's own. */
  readonly controlToken?: string
}

/** A mock that listens. */
export interface Serving {
  /** The address for clients, version segment included. */
  readonly url: string
  readonly port: number
  /** The address of the control API, if it answers. */
  readonly controlUrl: string | undefined
  /** The token that the control API wants, if any. */
  readonly controlToken: string | undefined
  /** Stops: running requests are answered, and after two seconds everything is closed. */
  close(): Promise<void>
}

const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
}
const LOOPBACK = '127.0.0.1'
const LOOPBACK_6 = '::1'
/** The client has left in the middle of a request. */
const GONE = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']
/** A free port on one loopback address may be taken on the other; then another one is tried. */
const PICKS = 20
/** A connection, its request, and the round that answers it. */
const TURNS = 4

/**
 * Serves a mock over HTTP.
 *
 * @example
 * const { url, close } = await serve(createMock())
 */
export async function serve(mock: Mock, options: ServeOptions = {}): Promise<Serving> {
  const { port = 0, host = LOOPBACK, allowedHosts, control: isControlOn = true, controlToken } = options
  const control = await createNodeControl(mock.control, { isOn: isControlOn, host, token: controlToken })
  const waiting = createWaiting()
  const checkHost = createHostPolicy(host, allowedHosts)
  const rounds = createRounds()
  const connections = new Set<Socket>()
  let closing = false

  function onConnection(socket: Socket): void {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }

  function send(reply: Reply, request: IncomingMessage, response: ServerResponse, expectsBody: boolean): void {
    if (reply.delay !== undefined && !closing) {
      const { delay, ...prompt } = reply
      waiting.add(delay, response, () => send(prompt, request, response, expectsBody))
      return
    }
    rounds.send(() => {
      if (closing) response.shouldKeepAlive = false
      sendReply(reply, request, response, expectsBody)
    })
  }

  /** What is wrong with a request before its body and its meaning matter. */
  function findFault(request: IncomingMessage, call: Call, limit: number): ApiError | undefined {
    return checkHost(call.header('host'), request.httpVersion) ?? (announcesTooMuch(call, limit) ? tooLarge(limit) : undefined)
  }

  const service = { desk: mock, limit: MAX_BODY_BYTES }
  const tester = { desk: control, limit: MAX_YAML_TEXT_BYTES }

  /** Who a call is for, and how large its body may be. */
  function find({ target }: Call): typeof service | typeof tester {
    return isControlTarget(target) ? tester : service
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const call = toCall(request)
    const { desk, limit } = find(call)
    const expectsBody = hasBody(call)
    const sendBack = (reply: Reply) => send(reply, request, response, expectsBody)
    const answer = (whole: Call) => (desk === control ? control.answer(whole, response, sendBack) : sendBack(mock.answer(whole)))
    const fault = findFault(request, call, limit)
    if (fault) sendBack(desk.refuse(call, fault))
    else if (!expectsBody) answer(call)
    else readBody(request, limit, (body) => rounds.join(() => answer(toCall(request, body))))
  }

  /** A client that waits for permission gets the answer instead, if its body could not change it (RFC 9110 §10.1.1). */
  function onExpectContinue(request: IncomingMessage, response: ServerResponse): void {
    const call = toCall(request)
    const { desk, limit } = find(call)
    const early = findFault(request, call, limit) ? undefined : desk.answerWithoutBody(call)
    if (early) {
      response.shouldKeepAlive = false
      send(early, request, response, false)
      return
    }
    if (!announcesTooMuch(call, limit)) response.writeContinue()
    onRequest(request, response)
  }

  function onExpectOther(request: IncomingMessage, response: ServerResponse): void {
    const call = toCall(request)
    const refusal = new ApiError(417, 'The one expectation that can be met is 100-continue')
    send(find(call).desk.refuse(call, refusal), request, response, hasBody(call))
  }

  /** For what never became a request, and is answered on the spot. */
  const onTheSpot = {
    answer(call: Call): Reply {
      const fault = checkHost(call.header('host'))
      if (fault) return find(call).desk.refuse(call, fault)
      // No such method is one of the control API's, so its answer needs no body.
      return isControlTarget(call.target) ? (control.answerWithoutBody(call) as Reply) : mock.answer(call)
    },
    refuse: (call: Call, error: ApiError) => find(call).desk.refuse(call, error),
  }

  /** After the answers to the requests that came before on the same connection. */
  const onTurn = (work: () => void) => rounds.join(() => rounds.send(work))

  function create(): Server {
    return createServer({ ...LIMITS, requireHostHeader: false }, (request, response) => rounds.join(() => onRequest(request, response)))
      .on('connection', onConnection)
      .on('checkContinue', onExpectContinue)
      .on('checkExpectation', onExpectOther)
      .on('connect', (request: IncomingMessage, socket: Duplex) =>
        onTurn(() => endWith(socket, toBytes(onTheSpot.answer(toCall(request))))),
      )
      .on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
        onTurn(() => {
          // Nobody is there any more to be answered; or an answer that is still held back would be taken for another request's.
          const isPointless = GONE.includes(error.code ?? '') || waiting.holds(socket)
          endWith(socket, isPointless ? '' : answerParserError(onTheSpot, error))
        })
      })
  }

  const servers = await bind(create, port, host)
  const address = servers[0]?.address() as AddressInfo
  const origin = `http://${toReachable(host)}:${address.port}`
  return {
    url: origin + contract.basePath,
    port: address.port,
    controlUrl: isControlOn ? origin + CONTROL_PATH : undefined,
    controlToken: control.token,
    async close() {
      closing = true
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      waiting.flush()
      control.close()
      for (const server of servers) server.closeIdleConnections()
      // Browsers open some in advance; as long as nothing has come on them, node:http does not count them as idle.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      const timer = setTimeout(() => {
        for (const server of servers) server.closeAllConnections()
      }, STOP_TIMEOUT_MS)
      await Promise.all(closed)
      clearTimeout(timer)
    },
  }
}

/** The host of an address that clients can use: nobody can connect to "every address". */
function toReachable(host: string): string {
  if (host === '0.0.0.0') return LOOPBACK
  if (host === '::') return `[${LOOPBACK_6}]`
  return host.includes(':') ? `[${host}]` : host
}

/** One server for the address; two for loopback, since `localhost` may mean either of its addresses. */
async function bind(create: () => Server, port: number, host: string): Promise<Server[]> {
  for (let pick = 1; ; pick++) {
    const first = await listen(create(), port, host)
    if (host !== LOOPBACK) return [first]
    // Who waits for the port already is answered meanwhile: to node:net an IPv6 address is five milliseconds of work.
    await pass(TURNS)
    try {
      return [first, await listen(create(), (first.address() as AddressInfo).port, LOOPBACK_6)]
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (NO_IPV6.includes(code)) return [first]
      first.close()
      if (port !== 0 || pick === PICKS) throw error
    }
  }
}

/** Lets so many turns of the event loop pass. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}
