// The control API on a real port: gives it files and lazily loaded chunks, keeps its event streams, and holds its token.
import type { ServerResponse } from 'node:http'
import type { Control } from '../../control/control.ts'
import { type ControlApi, type ControlReply, createControlApi } from '../../control/control-api.ts'
import { parseControlToken } from '../../control/control-token.ts'
import { sharedResources } from '../../control/shared-resources.ts'
import { MAX_EVENT_BACKLOG_BYTES } from '../../limits.ts'
import type { Call, Reply } from '../../service/call.ts'
import { clearInterval, setInterval } from './timers.ts'

export interface NodeControl extends Omit<ControlApi, 'answer'> {
  /** The token that a client has to send, if any. */
  readonly token: string | undefined
  /** Passes the reply to `send`, or writes events for as long as the client listens. */
  answer(call: Call, response: ServerResponse, send: (reply: Reply) => void): void
  /** Ends the event streams. */
  close(): void
}

interface NodeControlSettings {
  readonly isOn: boolean
  /** Whether others on the network can reach it, so that it needs a token; one is generated if none is given. */
  readonly isExposed: boolean
  readonly token: string | undefined
  readonly schemes?: readonly string[]
}

const HEARTBEAT_MS = 15_000

export function createNodeControl(control: Control, settings: NodeControlSettings): NodeControl {
  const token = chooseToken(settings)
  const { answer, ...api } = createControlApi(control, {
    ...sharedResources,
    ...settings,
    isToken: token === undefined ? undefined : createTokenCheck(token),
  })
  const streams = new Set<ServerResponse>()
  let closed = false

  function openStream({ status, headers, stream }: ControlReply, response: ServerResponse): void {
    const { socket } = response.req
    // Once it has ended nothing else comes on this connection, so that a mock that stops need not wait for it.
    response.shouldKeepAlive = false
    // The close of a connection is reported once, so a stream that began after it would never stop.
    if (socket.destroyed) return
    response.writeHead(status, headers)
    const write = (text: string) => {
      if (response.destroyed || response.writableEnded) return
      response.write(text)
      if (response.writableLength > MAX_EVENT_BACKLOG_BYTES) response.destroy()
    }
    const stop = stream?.(write)
    const timer = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
    streams.add(response)
    socket.once('end', () => socket.destroy())
    // A response that still waits for its turn does not close with its connection.
    socket.once('close', () => {
      clearInterval(timer)
      stop?.()
      streams.delete(response)
    })
    // The same goes for a client that had closed its side: it cannot be told from one that has left.
    if (closed || socket.readableEnded) response.end()
  }

  return {
    token,
    answer(call, response, send) {
      const carry = (reply: ControlReply) => (reply.stream ? openStream(reply, response) : send(reply))
      const reply = answer(call)
      if (reply instanceof Promise) void reply.then(carry)
      else carry(reply)
    },
    ...api,
    close() {
      closed = true
      for (const response of streams) response.end()
    },
  }
}

/** Loaded when it is needed: most servers start without a token. */
const crypto = () => process.getBuiltinModule('node:crypto')

function chooseToken({ isOn, isExposed, token }: NodeControlSettings): string | undefined {
  if (!isOn) return undefined
  if (token !== undefined) return parseControlToken(token)
  return isExposed ? crypto().randomBytes(24).toString('base64url') : undefined
}

/** Compares digests, so that the time it takes tells nothing about the token or its length. */
function createTokenCheck(token: string): (sent: string) => boolean {
  const { createHash, timingSafeEqual } = crypto()
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return (sent) => timingSafeEqual(digest(sent), expected)
}
