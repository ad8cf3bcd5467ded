// A client on a bare socket: it sends a request exactly as it is written, well-formed or not, keeps
// the connection for the next one, and opens another when the server has closed it.
import { connect, type Socket } from 'node:net'

export interface RawRequest {
  readonly method?: string
  readonly target?: string
  /** Field lines in their order; a Host and the length of the body are added. */
  readonly fields?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | string | undefined
}

interface RawAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface RawClient {
  /**
   * Sends one request and waits for its answer; rejects with a Cut if the connection closes first.
   */
  ask(request: RawRequest): Promise<RawAnswer>
  close(): void
}

/** The connection closed before the answer was whole; what had come by then is in `text`. */
class Cut extends Error {
  readonly text: string
  constructor(text: string) {
    super(`the connection closed after ${text.length} bytes: ${text.slice(0, 100)}`)
    this.text = text
  }
}

export function createRawClient(port: number): RawClient {
  let open: { socket: Socket; onData(chunk: Buffer): void; onEnd(error?: Error): void } | undefined

  function reach(): NonNullable<typeof open> {
    if (open && !open.socket.destroyed && open.socket.writable) return open
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const mine = { socket, onData: (_: Buffer) => {}, onEnd: (_?: Error) => {} }
    socket.on('data', (chunk) => mine.onData(chunk))
    socket.on('error', (error) => mine.onEnd(error))
    socket.on('end', () => {
      if (open === mine) open = undefined
      mine.onEnd()
    })
    socket.on('close', () => mine.onEnd())
    open = mine
    return mine
  }

  return {
    ask(request) {
      const bytes = toBytes(request)
      return new Promise((resolve, reject) => {
        const mine = reach()
        const chunks: Buffer[] = []
        let length = 0
        let needed = 0
        const leave = () => {
          mine.onData = () => {}
          mine.onEnd = () => {}
        }
        mine.onData = (chunk) => {
          chunks.push(chunk)
          length += chunk.length
          // A long answer comes in many pieces; they are put together once it can be whole.
          if (length < needed) return
          const got = Buffer.concat(chunks.splice(0))
          chunks.push(got)
          needed = findLength(got, request.method === 'HEAD')
          const answer = length < needed ? undefined : parseAnswer(got, request.method === 'HEAD')
          if (!answer) return
          leave()
          // A connection that the server is about to close is not the one to ask on next.
          if (answer.headers.connection === 'close') {
            if (open === mine) open = undefined
            mine.socket.end()
          }
          resolve(answer)
        }
        mine.onEnd = (error) => {
          leave()
          const refused = (error as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
          reject(refused ? error : new Cut(Buffer.concat(chunks).toString('latin1')))
        }
        mine.socket.write(bytes)
      })
    },
    close: () => void open?.socket.destroy(),
  }
}

/**
 * Sends bytes as they are, and returns all that comes back until the server closes the connection.
 */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

/**
 * The bytes of a request; text outside the body goes out as Latin-1, one byte for each character.
 */
function toBytes({ method = 'GET', target = '/v1/pets', fields = [], body }: RawRequest): Buffer {
  const payload = body === undefined ? undefined : Buffer.from(body as string)
  const named = (name: string) => fields.some(([other]) => other.toLowerCase() === name)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(named('host') ? [] : ['Host: localhost']),
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(payload === undefined || named('content-length') || named('transfer-encoding')
      ? []
      : [`Content-Length: ${payload.length}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return payload ? Buffer.concat([head, payload]) : head
}

/** The answer, once all of it is there. Ours always say how long they are. */
function parseAnswer(bytes: Buffer, isHead = false): RawAnswer | undefined {
  const length = findLength(bytes, isHead)
  if (length === 0 || bytes.length < length) return undefined
  const end = bytes.indexOf(HEAD_END)
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  return {
    status: Number(line.split(' ')[1]),
    headers,
    text: bytes.toString('utf8', end + HEAD_END.length, length),
  }
}

/** How long the answer is, head and all; 0 as long as its head is not there. */
function findLength(bytes: Buffer, isHead: boolean): number {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return 0
  const head = bytes.toString('latin1', 0, end)
  const isEmpty = isHead || head.startsWith('HTTP/1.1 204')
  return (
    end +
    HEAD_END.length +
    (isEmpty ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0))
  )
}

const HEAD_END = '\r\n\r\n'
