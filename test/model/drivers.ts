// The way from the model to a mock: the real server with its control API.
import assert from 'node:assert/strict'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Scenario } from '../../src/index.ts'
import { Cut, createRawClient } from '../support/raw-client.ts'
import type { Choices, ModelEntry, ModelFault, ModelSituation } from './reference-model.ts'

export interface Sent {
  readonly method: string
  readonly target: string
  readonly key: string | null
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  readonly prefer?: string | undefined
}

export type Got = { status: number; headers: Readonly<Record<string, string>>; text: string }

/** All there is to see of a world; its state as JSON text, since its numbers are int64. */
export interface Look {
  readonly state: string
  readonly requestLog: readonly (ModelEntry & { readonly durationMs: number })[]
  readonly sandboxes: readonly string[]
}

/** A tester and a client of one mock. */
export interface Driver {
  /** A status of 0 is a dropped connection. */
  send(sent: Sent): Promise<Got>
  /** Whether it was granted. */
  reset(of?: string): Promise<boolean>
  load(document: string, of?: string): Promise<boolean>
  addFault(fault: ModelFault, of?: string): Promise<boolean>
  assume(choices: Choices, of?: string): Promise<boolean>
  clearFaults(of?: string): Promise<boolean>
  turnClock(turn: { now: string } | { advance: string }, of?: string): Promise<boolean>
  removeSandbox(key: string): Promise<boolean>
  look(of?: string): Promise<Look>
  end(): Promise<void>
}

export async function driveServer(options: Parameters<typeof createMock>[0]): Promise<Driver> {
  const { port, close } = await serve(createMock(options))
  const client = createRawClient(port)
  const tell = async (method: string, path: string, sandbox: string | undefined, body?: string) => {
    const target = `/__mock${path}${sandbox === undefined ? '' : `?sandbox=${sandbox}`}`
    const fields = [body === undefined ? (['X-Mock-Control', '1'] as const) : (['Content-Type', 'application/json'] as const)]
    const answer = await client.ask({ method, target, fields, body })
    assert.ok(answer.status < 500 || answer.status === 507, answer.text)
    return answer
  }
  const granted = async (...asked: Parameters<typeof tell>) => (await tell(...asked)).status < 300
  return {
    async send(sent) {
      const { method, target, body } = sent
      const fields = Object.entries(toHeaders(sent))
      try {
        return await client.ask({ method, target, fields, body })
      } catch (error) {
        if (error instanceof Cut && error.text === '') return { status: 0, headers: {}, text: '' }
        throw error
      }
    },
    reset: (sandbox) => granted('POST', '/reset', sandbox),
    load: (document, sandbox) => granted('PUT', '/state', sandbox, document),
    addFault: (one, sandbox) => granted('POST', '/faults', sandbox, JSON.stringify(one)),
    assume: (choices, sandbox) => granted('PUT', '/assumptions', sandbox, JSON.stringify(choices)),
    clearFaults: (sandbox) => granted('DELETE', '/faults', sandbox),
    turnClock: (turn, sandbox) => granted('PUT', '/clock', sandbox, JSON.stringify(turn)),
    removeSandbox: (sandbox) => granted('DELETE', `/sandboxes/${sandbox}`, undefined),
    async look(sandbox) {
      const [state, requestLog, sandboxes] = [
        await tell('GET', '/state', sandbox),
        await tell('GET', '/requests', sandbox),
        await tell('GET', '/sandboxes', undefined),
      ]
      return { state: state.text, requestLog: JSON.parse(requestLog.text), sandboxes: JSON.parse(sandboxes.text) }
    },
    async end() {
      client.close()
      await close()
    },
  }
}

function toHeaders({ key: sender, body, contentType = 'application/json', prefer }: Sent): Record<string, string> {
  return {
    ...(sender === null ? {} : { Authorization: `Bearer ${sender}` }),
    ...(body === undefined ? {} : { 'Content-Type': contentType }),
    ...(prefer === undefined ? {} : { Prefer: prefer }),
  }
}

/** JSON with bigints as digits. */
function print(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(/"#(-?\d+)#"/g, '$1')
}

/** A document as the value that a test would write: ids as bigints. */
export function toScenario(document: string): Scenario {
  const marked = document.replace(/("(?:id|categoryId|nextId)":)(-?\d+)/g, '$1"#$2"')
  return JSON.parse(marked, (_, one) => {
    if (typeof one !== 'string' || !/^#-?\d+$/.test(one)) return one
    const exact = BigInt(one.slice(1))
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  })
}

/** A situation as the scenario document that says it. */
export function toDocument({ pets, nextId, apiKeys, now: instant, assume, latency, faults }: ModelSituation): string {
  return print({
    pets: pets.map(({ id, name, categoryId, status: at }) => ({ id, name, categoryId, ...(at ? { status: at } : {}) })),
    ...(nextId === undefined ? {} : { nextId }),
    ...(apiKeys ? { apiKeys } : {}),
    now: new Date(instant).toISOString(),
    frozen: true,
    assume,
    ...(latency === undefined ? {} : { latency }),
    faults,
  })
}
