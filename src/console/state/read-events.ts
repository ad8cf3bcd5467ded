// Server-sent events out of a stream of bytes. The platform's EventSource cannot send the control API's token.

/** Gives the data of each event to `onData`, in order; ends with the stream. `onBytes` hears of every sign of life. */
export async function readEvents(stream: ReadableStream<Uint8Array>, onData: (data: string) => void, onBytes?: () => void): Promise<void> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes?.()
    const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = toData(block)
      if (data !== undefined) onData(data)
    }
  }
}

/** The data lines of an event as one text; a comment, which keeps the connection alive, has none. */
function toData(block: string): string | undefined {
  const lines = block.split(/\r?\n/).flatMap((line) => /^data:(?: ?)(.*)$/s.exec(line)?.[1] ?? [])
  return lines.length === 0 ? undefined : lines.join('\n')
}
