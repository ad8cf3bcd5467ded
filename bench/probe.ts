// What a probe is: requests to a mock and a judgement on the answers, told in a few words.
import { request } from 'node:http'

export interface Probe {
  readonly name: string
  readonly expected: string
  run(send: Send): Promise<Verdict>
}

export interface Verdict {
  readonly right: boolean
  /** What came instead, or as well, in a few words. */
  readonly answered: string
}

export interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

type Send = (sent: Sent) => Promise<Answer>

const key = { Authorization: 'Bearer bench-key' }

/** One request, and whether its answer is right. */
export function probe(name: string, expected: string, sent: Sent, isRight: (answer: Answer) => boolean): Probe {
  return {
    name,
    expected,
    async run(send) {
      const answer = await send({ headers: key, ...sent })
      return { right: isRight(answer), answered: tell(answer) }
    },
  }
}

/** Sends a probe's requests to a port. */
export function sendTo(port: number): Send {
  return ({ method = 'GET', target = '/v1/pets', headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const asked = request(
        { port, host: '127.0.0.1', method, path: target, headers: { ...headers, ...length }, agent: false, timeout: 5_000 },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part) => {
            text += part
          })
          response.on('end', () => resolve({ status: response.statusCode as number, headers: response.headers, text }))
          response.on('error', reject)
        },
      )
      asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')))
      asked.on('error', reject)
      asked.end(body)
    })
}

export function read({ text }: Answer): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Whether the body is the interface's Error, with the status of the answer. */
export function isError(answer: Answer): boolean {
  const body = read(answer) as Record<string, unknown>
  return typeof body.code === 'string' && typeof body.message === 'string' && body.status === answer.status
}

/** An answer in a few words. */
export function tell(answer: Answer): string {
  const body = read(answer)
  if (answer.text === '') return `${answer.status}, no body`
  if (Array.isArray(body)) return `${answer.status}, ${body.length} animals`
  if (isError(answer)) return `${answer.status}, Error`
  const type = String(answer.headers['content-type'] ?? 'no type').split(';')[0]
  if (type !== 'application/json') return `${answer.status}, ${type}`
  const text = answer.text.replaceAll(/\s*\n\s*/g, '')
  return `${answer.status}, ${text.length > 64 ? `${text.slice(0, 63)}…` : text}`
}
