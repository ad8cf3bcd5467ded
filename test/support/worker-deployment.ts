// A worker inside this process: its objects, with storages in memory that tests can look into. The tests must use fake timers, which
// `fetch` advances.
import { vi } from 'vitest'
import { readBindings } from '../../src/hosts/worker/bindings.ts'
import { toCall } from '../../src/hosts/worker/carry.ts'
import type { Namespace, SandboxObject } from '../../src/hosts/worker/platform.ts'
import { findKey, SHARED } from '../../src/hosts/worker/sandbox-key.ts'
import { createSandboxObject } from '../../src/hosts/worker/sandbox-object.ts'
import { createSql } from './sql.ts'

export const TOKEN = 'a-token-of-some-length'

/** A deployment: its objects, what they have stored, and the statements that wrote it. */
export function deploy(bindings: Record<string, unknown> = {}) {
  const storages = new Map<string, ReturnType<typeof createSql>>()
  const objects = new Map<string, SandboxObject>()
  const writes: string[] = []
  const enlisted: string[] = []
  const sandboxes: Namespace = { idFromName: (name) => name, get: (id) => objects.get(id as string) ?? wake(id as string) }
  const settings = readBindings({ CONTROL_TOKEN: TOKEN, ...bindings, SANDBOXES: sandboxes })

  function wake(name: string): SandboxObject {
    const stored = storages.get(name) ?? createSql()
    storages.set(name, stored)
    const sql: typeof stored.sql = {
      exec(query, ...values) {
        if (!query.startsWith('SELECT')) writes.push(`${name}: ${query.split(' ', 1)} ${values.slice(0, 2).join(' ')}`)
        return stored.sql.exec(query, ...values)
      },
    }
    const { enlist, ...object } = createSandboxObject(
      { storage: { sql, deleteAll: stored.deleteAll }, blockConcurrencyWhile: (run) => run(), abort: () => {} },
      settings,
    )
    const noted = async (key: string) => {
      enlisted.push(key)
      await enlist(key)
    }
    objects.set(name, { ...object, enlist: noted })
    return objects.get(name) as SandboxObject
  }

  /** The response, however many turns of the event loop it takes. */
  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`http://mock${path}`, init)
    let response: Response | undefined
    void sandboxes
      .get(findKey(toCall(request), settings) ?? SHARED)
      .fetch(request)
      .then((given) => {
        response = given
      })
    while (!response) await vi.advanceTimersByTimeAsync(0)
    return response
  }

  async function ask(bearer: string, method: string, path: string, body?: unknown): Promise<{ status: number; value: unknown }> {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'x-mock-control': '1' }
    const response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, value: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    enlisted,
    writes,
    fetch,
    ask,
    control: async (method: string, path: string, body?: unknown) => (await ask(TOKEN, method, `/__mock${path}`, body)).value,
    create: (key: string) => ask(key, 'POST', '/v1/pets', { name: 'Rex', categoryId: 1 }),
    /** What an object has stored of one part. */
    rows: (name: string, part: string) =>
      storages
        .get(name)
        ?.tables.get('kept')
        ?.rows.filter((row) => row.part === part) ?? [],
    tables: (name: string) => [...(storages.get(name)?.tables.keys() ?? [])],
    /** As kill -9 does: timers are lost. */
    restart() {
      vi.clearAllTimers()
      objects.clear()
    },
  }
}
