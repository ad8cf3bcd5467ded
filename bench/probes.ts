// Sends the requests of probes.yaml to a mock and judges its responses.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ask, KEY, type Received } from './requests.ts'

interface Probe {
  readonly name: string
  readonly basis: 'required' | 'assumed'
  readonly send?: Sent | readonly Sent[]
  readonly status?: number
  readonly error?: true
  /** How many animals are listed. */
  readonly count?: number
  /** Fields of the animal in the body. */
  readonly animal?: Readonly<Record<string, unknown>>
  /** Regular expressions: of header fields, of the body, and of what the body must not have. */
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
  readonly not?: string
  /** Whether the response has no body and the Content-Length of the one before it. */
  readonly sameLength?: true
}

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response and its body as JSON; an empty object if it is not. */
type Judged = Received & { readonly json: Readonly<Record<string, unknown>> }

export const probes: readonly Probe[] = parse(readFileSync(new URL('./probes.yaml', import.meta.url), 'utf8'))

/** For each probe `✓`, or the wrong response in a few words. */
export async function judge(port: number): Promise<string[]> {
  const verdicts: string[] = []
  for (const probe of probes) {
    let before: Judged | undefined
    let last: Judged | undefined
    try {
      for (const sent of [probe.send ?? {}].flat()) {
        before = last
        last = await send(port, sent, before?.json.id)
      }
      verdicts.push(isRight(probe, last as Judged, before) ? '✓' : describe(last as Judged))
    } catch (error) {
      verdicts.push(`no response (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`)
    }
  }
  return verdicts
}

function isRight(probe: Probe, received: Judged, before: Judged | undefined): boolean {
  const { status, text, json } = received
  const has = (pattern: string | undefined, value: unknown) => pattern === undefined || new RegExp(pattern, 'i').test(String(value))
  return (
    (probe.status === undefined ? status < 300 : status === probe.status) &&
    (probe.error !== true || isError(received)) &&
    (probe.count === undefined || (Array.isArray(json) && json.length === probe.count)) &&
    Object.entries(probe.animal ?? {}).every(([name, value]) => json[name] === value) &&
    Object.entries(probe.headers ?? {}).every(([name, pattern]) => has(pattern, received.headers[name] ?? '')) &&
    has(probe.text, text) &&
    (probe.not === undefined || !has(probe.not, text)) &&
    (probe.sameLength !== true || (text === '' && Number(received.headers['content-length']) === Buffer.byteLength(before?.text ?? '')))
  )
}

function isError({ status, json }: Judged): boolean {
  return typeof json.code === 'string' && typeof json.message === 'string' && json.status === status
}

function describe(received: Judged): string {
  const { status, headers, text, json } = received
  const type = String(headers['content-type'] ?? 'no body').split(';')[0] as string
  if (Array.isArray(json)) return `${status}, ${json.length} animals`
  if (isError(received)) return `${status}, Error`
  if (text === '' || type !== 'application/json') return `${status}, ${type}`
  return `${status}, ${text.replaceAll(/\s*\n\s*/g, '').slice(0, 64)}`
}

async function send(port: number, sent: Sent, id: unknown): Promise<Judged> {
  const { target = '/v1/pets', headers = KEY, body, method = body === undefined ? 'GET' : 'POST' } = sent
  const request = { method, target: target.replace('{id}', String(id)) }
  const received = await ask(
    port,
    body === undefined ? { ...request, headers } : { ...request, headers: { ...headers, 'Content-Type': 'application/json' }, body },
  )
  return { ...received, json: readJson(received.text) }
}

function readJson(text: string): Judged['json'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
