// Converts the platform's requests to calls, and replies to its responses.
import { splitTarget } from '../../contract/address.ts'
import { carryOut, findLimit } from '../../mock/carry-out.ts'
import { callOf, toResponse } from '../../mock/respond.ts'
import type { Call, Reply } from '../../service/call.ts'
import { createErrorReply } from '../../service/reply.ts'

export function toCall(request: Request): Call {
  const { url } = request
  const scheme = url.startsWith('https:') ? 'https' : 'http'
  return { ...callOf(request, splitTarget(url).rest || '/'), scheme }
}

export const toRefusal = (error: unknown): Response => toResponse(createErrorReply(error))

export async function sendReply(reply: Reply, request: Request): Promise<Response> {
  const isWaiting = reply.delay !== undefined || reply.spread !== undefined
  try {
    // The platform makes a signal for each request that asks for one.
    const final = await carryOut(reply, isWaiting ? request.signal : undefined, findLimitHere)
    return final.drop || final.cut ? toDropped() : toResponse(final)
  } catch {
    return toDropped()
  }
}

/** The platform sends nothing of a body that breaks off. */
function findLimitHere(reply: Reply): ReturnType<typeof findLimit> {
  return reply.cut ? 'cut' : findLimit(reply)
}

/** A response that breaks off before its first byte: the platform cannot cut a connection. */
function toDropped(): Response {
  const { readable, writable } = new FixedLengthStream(1)
  void writable.abort(new Error('Dropped on purpose')).catch(() => {})
  return new Response(readable)
}

declare const FixedLengthStream: new (
  bytes: number,
) => { readable: ReadableStream; writable: WritableStream }
