// Counts what calls try of the contract, at the moment each is settled. It belongs to the mock and not to a world, so that resets, the
// length of the journal and removed sandboxes lose nothing.
import { isObject } from '../contract/describe-value.ts'
import { coveredContract, createCells } from '../generated/coverage.ts'
import { MAX_AWAITED_RETRIES } from '../limits.ts'
import type { Sent } from '../service/parse-input.ts'
import type { Progress } from '../service/progress.ts'
import type { World } from '../world/world.ts'
import { classify, type Field } from './classify.ts'
import type { Coverage } from './coverage.ts'

export interface Tally {
  count(progress: Progress): void
  coverage(): Coverage
}

interface OperationTally {
  calls: number
  readonly statuses: Record<number, number>
  readonly fields: readonly Field[]
}

export function createTally(): Tally {
  const operations: Record<string, OperationTally> = createCells()
  const beside: Record<string, number> = {}
  /** The faults that a retry may still follow, by the request. A reset makes another world, and a test after it retries nothing. */
  const awaited = new WeakMap<World, Map<string, string>>()
  let requests = 0

  function note(name: string): void {
    beside[name] = (beside[name] ?? 0) + 1
  }

  function countInput(fields: readonly Field[], { path, query, body }: Sent): void {
    let unknown = query.size
    for (const field of fields) {
      const { name, in: place, classes } = field
      let values: readonly unknown[] = []
      if (place === 'path') values = [path[name]]
      else if (place === 'query') {
        values = query.get(name) ?? values
        if (values.length > 0) unknown--
      } else if (!isObject(body)) continue
      else if (Object.hasOwn(body, name)) values = [body[name]]
      ;(classes[values.length > 1 ? 'malformed' : classify(field, values[0])] as number)++
    }
    if (unknown > 0) note('near-miss:Unknown parameter')
  }

  /** Whether it is a retry, and whether one may follow it. */
  function countFault({ world, operation, target, key, faults, forced, outcome }: Progress): void {
    const request = `${operation?.operationId} ${target} ${key}`
    const waiting = awaited.get(world) ?? new Map<string, string>()
    const before = waiting.get(request)
    if (before !== undefined) note(`retried:${before}`)
    waiting.delete(request)
    if (faults.length === 0) return
    const fault = `${operation?.operationId} ${forced === undefined ? 'delay' : forced || 'drop'}`
    note(`fault:${fault}`)
    // A response that was only late needs no second request, unless the client did not wait for it.
    if ((forced !== undefined || outcome === 'aborted') && waiting.size < MAX_AWAITED_RETRIES) {
      awaited.set(world, waiting.set(request, fault))
    }
  }

  return {
    count(progress) {
      const { operation, method, answer, notes, forced, sent, assumptions, faults, world } = progress
      const { status } = answer
      if (!operation && method === 'OPTIONS') return
      requests++
      for (const id of assumptions) note(`assumption:${id}=${world.choices[id]} ${operation?.operationId ?? '-'}`)
      if (!operation) {
        // The hint for a path that is nearly right says first what is wrong, and then the path, which is left out here.
        note(`near-miss:${(status === 404 && notes[0]?.split(';')[0]) || status}`)
        return
      }
      const tally = operations[operation.operationId] as OperationTally
      if (status in tally.statuses) (tally.statuses[status] as number)++
      else if (forced === undefined && status > 0) note(`undocumented:${operation.operationId}.${status}`)
      if (faults.length > 0 || awaited.has(world)) countFault(progress)
      if (forced !== undefined) return
      tally.calls++
      if (sent) countInput(tally.fields, sent)
    },
    coverage() {
      const cells: Record<string, number> = {}
      for (const [id, { calls, statuses, fields }] of Object.entries(operations)) {
        cells[id] = calls
        for (const status in statuses) cells[`${id}.${status}`] = statuses[status] as number
        for (const { name, path = name, classes } of fields) {
          for (const one in classes) cells[`${id}.${path}=${one}`] = classes[one] as number
        }
      }
      return { format: 1, contract: coveredContract, requests, cells, beside: { ...beside }, tests: {} }
    },
  }
}
