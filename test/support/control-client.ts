// A client of the control API on a real port. It sends what it is told, fields included that `fetch` would not let through.
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { type ServeOptions, type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'

export interface Ask {
  readonly method?: string
  /** Below `/__mock`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown
}

/** What comes back, with field names in lower case; `json` is exact at int64. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: unknown
}

export interface ControlClient extends Serving {
  readonly mock: Mock
  ask(ask: Ask | string): Promise<Answer>
  /** A write with a JSON body. */
  write(method: string, path: string, body: unknown): Promise<Answer>
  /** A write without a body. */
  poke(method: string, path: string): Promise<Answer>
  /** Asks the service itself. */
  call(target: string, key?: string, pet?: unknown): Promise<Answer>
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** A fresh mock on a free port, closed after the test. */
export async function startControl(options: MockOptions = {}, serving: ServeOptions = {}): Promise<ControlClient> {
  const mock = createMock(options)
  const server = await serve(mock, serving)
  onTestFinished(server.close)

  const ask = (asked: Ask | string) => {
    const { method = 'GET', path = '', headers = {}, body } = typeof asked === 'string' ? { path: asked } : asked
    return exchange(server.port, method, `/__mock${path}`, headers, body)
  }
  return {
    ...server,
    mock,
    ask,
    write: (method, path, body) => ask({ method, path, headers: JSON_TYPE, body }),
    poke: (method, path) => ask({ method, path, headers: { 'x-mock-control': '1' } }),
    call: (target, key = 'spec-key', pet) =>
      exchange(
        server.port,
        pet === undefined ? 'GET' : 'POST',
        target,
        { authorization: `Bearer ${key}`, ...(pet === undefined ? {} : JSON_TYPE) },
        pet,
      ),
  }
}

function exchange(port: number, method: string, path: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answer> {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : toJson(body))
  // By default the client sends no length for the body of a DELETE.
  const length = bytes.length === 0 || 'transfer-encoding' in headers ? {} : { 'content-length': String(bytes.length) }
  const fields = { ...length, ...headers }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: fields, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject).on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          text,
          json: response.headers['content-type'] === 'application/json' && text !== '' ? parseJson(text) : undefined,
        }),
      )
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

export interface EventClient {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Waits until this many events have come, and returns the whole text. */
  until(count: number): Promise<string>
  /** What has come so far. */
  text(): string
  /** Settles when the server ends the stream. */
  readonly ended: Promise<void>
  pause(): void
  resume(): void
  destroy(): void
}

/** Listens to the event stream. */
export function listen(port: number, path = '/events', headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: `/__mock${path}`, headers, agent: false }, (response) => {
      let text = ''
      let rest = ''
      let blocks = 0
      let onText = () => {}
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop() as string
        blocks += parts.length
        onText()
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        until: (count) =>
          new Promise((reached) => {
            onText = () => {
              if (blocks > count) reached(text)
            }
            onText()
          }),
        text: () => text,
        ended: new Promise((ended) => void response.on('close', () => ended())),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        destroy: () => void sent.destroy(),
      })
      response.on('error', () => {})
    })
    onTestFinished(() => void sent.destroy())
    sent.on('error', reject)
    sent.end()
  })
}

/** The events of a stream's text, as far as they are whole. */
export function parseEvents(text: string): { event: string; data: unknown }[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => /^event: (.*)\ndata: (.*)$/.exec(block))
    .flatMap((match) => (match ? [{ event: match[1] as string, data: parseJson(match[2] as string) }] : []))
}
