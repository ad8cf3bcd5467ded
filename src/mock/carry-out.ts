// Carries a reply out: waits as it says, until it is released or the client leaves.
import type { Reply } from '../service/call.ts'
import type { HostLimit } from '../world/kept-row.ts'

/** Waits for as long as the reply says, and reports how it ended. Returns what is to be sent. */
export async function carryOut(
  reply: Reply,
  signal: AbortSignal | undefined,
  findUnable = findLimit,
): Promise<Reply> {
  let final = reply
  try {
    if (reply.delay !== undefined) final = await waitFor(reply, reply.delay, signal)
    if (final.spread !== undefined) await wait(final.spread, signal)
  } catch (reason) {
    final.settle?.('aborted')
    throw reason
  }
  final.settle?.('sent', findUnable(final))
  return final
}

/** What a Response cannot show of a connection. */
export function findLimit({ reset, spread }: Reply): HostLimit | undefined {
  if (reset) return 'reset'
  return spread === undefined ? undefined : 'slow'
}

/** Until the delay is over, or the reply is released; rejects when the client leaves. */
function waitFor(
  reply: Reply,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const { wait } = reply
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const finish = (final: Reply) => {
      stop()
      resolve(final)
    }
    const leave = () => {
      stop()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      if (wait) wait.end('time')
      else finish(reply)
    }, milliseconds)
    signal?.addEventListener('abort', leave)
    if (signal?.aborted) leave()
    else wait?.onEnd(finish)
  })
}

export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}
