// Sends the requests of probes.yaml to a mock and judges its responses.
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

export const probes: readonly Probe[] = parse(readFileSync(new URL('./probes.yaml', import.meta.url), 'utf8'))

/** For each probe `✓`, or the wrong response in a few words. */
export async function judge(port: number): Promise<string[]> {
  const verdicts: string[] = []
  for (const probe of probes) verdicts.push(await judgeOne(probe, port).catch(() => 'no response'))
  return verdicts
}

async function judgeOne({ send = {}, expect, not }: Probe, port: number): Promise<string> {
  let received: Received | undefined
  for (const { target = '/v1/pets', headers = KEY, body, method = body === undefined ? 'GET' : 'POST' } of [send].flat()) {
    const sent = { method, target: target.replace('{id}', String(received && readJson(received.text).id)), headers }
    const typed = { ...headers, 'Content-Type': 'application/json' }
    received = await ask(port, body === undefined ? sent : { ...sent, headers: typed, body })
  }
  const { headers, text } = received as Received
  const summary = summarize(received as Received)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const has = (pattern: string) => new RegExp(pattern, 'im').test([summary, ...fields, '', text].join('\n'))
  return expect.every(has) && (not === undefined || !has(not)) ? '✓' : summary
}

function summarize({ status, headers, text }: Received): string {
  const json = readJson(text)
  const type = String(headers['content-type'] ?? 'no body').split(';')[0] as string
  if (Array.isArray(json)) return `${status}, ${json.length} animals`
  if (typeof json.code === 'string' && typeof json.message === 'string' && json.status === status) return `${status}, Error`
  if (text === '' || type !== 'application/json') return `${status}, ${type}`
  return `${status}, ${text.replaceAll(/\s*\n\s*/g, '').slice(0, 64)}`
}

/** An empty object if it is not JSON. */
function readJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
