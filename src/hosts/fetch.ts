// Carries a standard Request into the engine and a Response out. It decides nothing: it waits and drops as the reply says.
import type { Service } from '../service/answer.ts'
import type { Call, Reply } from '../service/call.ts'

/** Answers a request; a dropped connection is a network error. */
export type Fetch = (request: Request) => Promise<Response>

/** Asks the service; `toTarget` finds the service's path in the address of a request. */
export function createFetch({ answer }: Pick<Service, 'answer'>, toTarget = toOwnTarget): Fetch {
  return async (request) => {
    const reply = answer(await toCall(request, toTarget(new URL(request.url))))
    if (reply.delay !== undefined) await wait(reply.delay, request.signal)
    return reply.drop ? Response.error() : toResponse(reply)
  }
}

function toOwnTarget({ pathname, search }: URL): string {
  return pathname + search
}

async function toCall(request: Request, target: string): Promise<Call> {
  return {
    method: request.method,
    target,
    header: (name) => request.headers.get(name) ?? undefined,
    body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
  }
}

function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body === '' ? null : body, { status, headers: { ...headers } })
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
