// Reads the stream of a body, of the platform or of a library.

/** By what it can do: other realms and libraries have other classes. */
export const isStream = (value: unknown): value is ReadableStream<Uint8Array> =>
  typeof (value as Partial<ReadableStream> | null | undefined)?.getReader === 'function'

/**
 * The bytes up to the first chunk beyond the limit: the service then sees that the body is too
 * large. It stops reading when the signal aborts.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  const stop = () => {
    reader.cancel().catch(() => {})
  }
  signal?.addEventListener('abort', stop)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    while (length <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      length += value.length
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
  signal?.throwIfAborted()
  return joinBytes(chunks)
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let position = 0
  for (const chunk of chunks) {
    bytes.set(chunk, position)
    position += chunk.length
  }
  return bytes
}
