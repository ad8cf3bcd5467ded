// Carries a standard Request into the engine and a Response out. It decides nothing: it waits and drops as the reply says.
import type { Service } from './service/answer.ts'
import type { Call, Reply } from './service/call.ts'

type Answering = Pick<Service, 'answer'>

/** Answers as the platform's `fetch` would: a dropped connection rejects with a TypeError, an aborted request with its reason. */
export function createFetch(service: Answering): (request: Request) => Promise<Response> {
  const respond = createResponder(service)
  return async (request) => {
    request.signal.throwIfAborted()
    const response = await respond(request)
    request.signal.throwIfAborted()
    if (response.type === 'error') throw new TypeError('fetch failed: the mock dropped the connection')
    return response
  }
}

/**
 * Answers every request, one whose connection drops with a network error; a request that is aborted ends the waiting.
 * `toTarget` finds the service's path in the address of a request.
 */
export function createResponder({ answer }: Answering, toTarget = toOwnTarget): (request: Request) => Promise<Response> {
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
  const { method, headers } = request
  return { method, target, header: (name) => headers.get(name) ?? undefined, body: await readBody(request) }
}

/** Reads it whatever `request.body` says: not every browser has that property. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > 0 ? bytes : undefined
}

function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body === '' ? null : body, { status, headers })
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
