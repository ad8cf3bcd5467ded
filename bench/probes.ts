// Sends the requests of probes.yaml to a mock, and says which responses are as expected.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ask, type BenchRequest, KEY, type Received } from './requests.ts'

interface Probe {
  readonly name: string
  readonly basis: 'required' | 'assumed'
  readonly send?: Partial<BenchRequest> | readonly Partial<BenchRequest>[]
  readonly expect: readonly string[]
  readonly not?: string
}

export const probes: readonly Probe[] = parse(
  readFileSync(new URL('./probes.yaml', import.meta.url), 'utf8'),
)

/** Whether the response to each probe is as expected. */
export async function judge(port: number): Promise<boolean[]> {
  const verdicts: boolean[] = []
  for (const probe of probes) verdicts.push(await judgeOne(probe, port).catch(() => false))
  return verdicts
}

async function judgeOne({ send = {}, expect, not }: Probe, port: number): Promise<boolean> {
  let received: Received | undefined
  for (const {
    target = '/v1/pets',
    headers = KEY,
    body,
    method = body === undefined ? 'GET' : 'POST',
  } of [send].flat()) {
    const sent = {
      method,
      target: target.replace('{id}', String(received && readJson(received.text).id)),
      headers,
    }
    const typed = { ...headers, 'Content-Type': 'application/json' }
    received = await ask(port, body === undefined ? sent : { ...sent, headers: typed, body })
  }
  const { headers, text } = received as Received
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const has = (pattern: string) =>
    new RegExp(pattern, 'im').test(
      [summarize(received as Received), ...fields, '', text].join('\n'),
    )
  return expect.every(has) && (not === undefined || !has(not))
}

/** The first line of what patterns see: `200, 20 animals`, `400, Error`, `201`. */
function summarize({ status, text }: Received): string {
  const json = readJson(text)
  if (Array.isArray(json)) return `${status}, ${json.length} animals`
  const isError =
    typeof json.code === 'string' && typeof json.message === 'string' && json.status === status
  return isError ? `${status}, Error` : String(status)
}

/** An empty object if it is not JSON. */
function readJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
