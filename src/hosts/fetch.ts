// Carries a standard Request into the engine and a Response out. It decides nothing: it waits and drops as the reply says.
import type { Call, Reply } from '../service/call.ts'
import type { Service } from '../service/answer.ts'

/** A fetch that asks the service. */
export function createFetch({ answer }: Pick<Service, 'answer'>): (request: Request) => Promise<Response> {
  return async (request) => {
    const reply = answer(await toCall(request))
    if (reply.delay !== undefined) await wait(reply.delay, request.signal)
    if (reply.drop) throw new TypeError('Failed to fetch: the mock dropped the connection')
    return toResponse(reply)
  }
}

async function toCall(request: Request): Promise<Call> {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
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
