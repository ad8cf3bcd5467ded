// How a control client's requests are carried. In pages and wherever its price does not matter that is `fetch`; the command line
// brings a transport of its own, since the first use of `fetch` costs Node 30 ms.

export interface TransportRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** One of `text`, `chunks` and `cancel` is called, once. */
export interface TransportResponse {
  readonly status: number
  /** Empty if there is none. */
  readonly contentType: string
  text(): Promise<string>
  /** For a response that does not end by itself, and may be silent for a while. */
  chunks(): AsyncIterable<string>
  /** Gives the response up and frees its connection. */
  cancel(): void
}

/** Rejects if there is no response; follows no redirect. */
export type ControlTransport = (request: TransportRequest) => Promise<TransportResponse>

/** `origin` may be empty in a page that the mock itself has served. */
export function createFetchTransport(origin: string, send: typeof fetch = fetch): ControlTransport {
  return async ({ method, target, headers, body, signal }) => {
    const response = await send(origin + target, {
      method,
      headers: { ...headers },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text: () => response.text(),
      chunks: () => readChunks(response.body),
      cancel: () => void response.body?.cancel().catch(() => {}),
    }
  }
}

/** By its reader: not every browser can iterate over a stream. */
async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void> {
  if (!body) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Whoever stops listening frees the connection.
    await reader.cancel().catch(() => {})
  }
}
