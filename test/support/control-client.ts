// A client of the control API on a real port. It sends what it is told, fields included that
// `fetch` would not let through.
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { type ServeOptions, type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import type { Answer } from './client.ts'
import { sendOverHttp } from './send-over-http.ts'

export interface Ask {
  readonly method?: string
  /** Below `/__mock`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown
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
export async function startControl(
  options: MockOptions = {},
  serving: ServeOptions = {},
): Promise<ControlClient> {
  const mock = createMock(options)
  const server = await serve(mock, serving)
  onTestFinished(server.close)

  const ask = (asked: Ask | string) => {
    const { path = '', ...rest }: Ask = typeof asked === 'string' ? { path: asked } : asked
    return exchange(server.port, `/__mock${path}`, rest)
  }
  return {
    ...server,
    mock,
    ask,
    write: (method, path, body) => ask({ method, path, headers: JSON_TYPE, body }),
    poke: (method, path) => ask({ method, path, headers: { 'x-mock-control': '1' } }),
    call(target, key = 'spec-key', pet) {
      const authorization = `Bearer ${key}`
      if (pet === undefined) return exchange(server.port, target, { headers: { authorization } })
      return exchange(server.port, target, {
        method: 'POST',
        headers: { authorization, ...JSON_TYPE },
        body: pet,
      })
    },
  }
}

async function exchange(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body: value = '' }: Ask,
): Promise<Answer> {
  const body = new Uint8Array(
    value instanceof Uint8Array
      ? value
      : Buffer.from(typeof value === 'string' ? value : toJson(value)),
  )
  // By default the client sends no length for the body of a DELETE.
  const length =
    body.length === 0 || 'transfer-encoding' in headers
      ? {}
      : { 'content-length': String(body.length) }
  const { text, ...answer } = await sendOverHttp(port, {
    method,
    target,
    headers: { ...length, ...headers },
    body,
  })
  return {
    ...answer,
    text,
    json:
      answer.headers['content-type'] === 'application/json' && text !== ''
        ? parseJson(text)
        : undefined,
  }
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
export function listen(
  port: number,
  path = '/events',
  headers: Readonly<Record<string, string>> = {},
): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: `/__mock${path}`, headers, agent: false },
      (response) => {
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
      },
    )
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
    .flatMap((match) =>
      match ? [{ event: match[1] as string, data: parseJson(match[2] as string) }] : [],
    )
}
