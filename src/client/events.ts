// Reads server-sent events (HTML standard, 9.2.6) out of a stream of text. The platform's EventSource cannot send the control
// API's token, and Node 20 has none.

/** One event of a stream; comments, which keep the connection alive, are not events. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string
  readonly data: string
}

/**
 * The events of a stream, as soon as each is complete.
 *
 * @example
 * for await (const { event, data } of readEvents(chunks)) console.log(event, JSON.parse(data))
 */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent, void> {
  let event = ''
  let data: string[] = []
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
  }
}

/** Complete lines, which may end in LF, CR LF or CR. Each character is looked at once, however the chunks are cut. */
async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  /** The beginning of a line whose end has not come yet. */
  let pending: string[] = []
  /** A CR was the last character: an LF that follows belongs to it. */
  let wasReturn = false
  let isFirst = true
  for await (let chunk of chunks) {
    if (isFirst && chunk.startsWith('\uFEFF')) chunk = chunk.slice(1)
    if (chunk !== '') isFirst = false
    if (wasReturn && chunk.startsWith('\n')) chunk = chunk.slice(1)
    if (chunk === '') continue
    wasReturn = chunk.endsWith('\r')
    const lines = chunk.split(/\r\n|\n|\r/)
    const rest = lines.pop() as string
    for (const line of lines) {
      yield pending.length === 0 ? line : pending.join('') + line
      pending = []
    }
    if (rest !== '') pending.push(rest)
  }
}
