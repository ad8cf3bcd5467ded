// Counts what calls try of the contract, at the moment each is settled. It belongs to the mock and not to a world, so that resets, the
// length of the journal and removed sandboxes lose nothing.
import { isObject } from '../contract/describe-value.ts'
import { coveredContract, createCells } from '../generated/coverage.ts'
import { MAX_AWAITED_RETRIES } from '../limits.ts'
import type { Sent } from '../service/parse-input.ts'
import type { Progress } from '../service/progress.ts'
import type { World } from '../world/world.ts'
import { classify, type Field, MALFORMED, toClassName } from './classify.ts'
import type { Coverage } from './coverage.ts'

export interface Tally {
  count(progress: Progress): void
  coverage(): Coverage
}

interface OperationTally {
  calls: number
  readonly statuses: readonly number[]
  /** How often each status was sent. */
  readonly counts: number[]
  readonly fields: readonly Field[]
}

interface Use {
  readonly id: string
  readonly choice: string
  readonly operation: string
  count: number
}

export function createTally(): Tally {
  const operations: Record<string, OperationTally> = createCells()
  const beside = new Map<string, number>()
  /** The assumptions behind responses, the few that there are: searching them is faster than putting a name together. */
  const uses: Use[] = []
  /** The faults that a retry may still follow, by the request. A reset makes another world, and a test after it retries nothing. */
  const awaited = new WeakMap<World, Map<string, string>>()
  let requests = 0
  let hasMetFault = false

  function note(name: string): void {
    beside.set(name, (beside.get(name) ?? 0) + 1)
  }

  function countUse(id: string, choice: string, operation: string): void {
    for (const use of uses) {
      if (use.id === id && use.operation === operation && use.choice === choice) {
        use.count++
        return
      }
    }
    uses.push({ id, choice, operation, count: 1 })
  }

  function countInput(fields: readonly Field[], { path, query, body }: Sent): void {
    let unknown = query.size
    for (const field of fields) {
      const { name, in: place, counts } = field
      let value: unknown
      let isRepeated = false
      if (place === 'query') {
        const values = query.get(name)
        if (values) {
          unknown--
          isRepeated = values.length > 1
          value = values[0]
        }
      } else if (place === 'path') value = path[name]
      else if (!isObject(body)) continue
      else if (Object.hasOwn(body, name)) value = body[name]
      increment(counts, isRepeated ? MALFORMED : classify(field, value))
    }
    if (unknown > 0) note('near-miss:Unknown parameter')
  }

  /** Whether it is a retry, and whether one may follow it. */
  function countFault({ world, operation, target, apiKey, faults, forced, outcome }: Progress): void {
    const request = `${operation?.operationId} ${target} ${apiKey}`
    const waiting = awaited.get(world) ?? new Map<string, string>()
    const before = waiting.get(request)
    if (before !== undefined) note(`retried:${before}`)
    waiting.delete(request)
    if (faults.length === 0) return
    const fault = `${operation?.operationId} ${forced === undefined ? 'delay' : forced || 'drop'}`
    note(`fault:${fault}`)
    hasMetFault = true
    // A response that was only late needs no second request, unless the client did not wait for it.
    if ((forced !== undefined || outcome === 'aborted') && waiting.size < MAX_AWAITED_RETRIES) {
      awaited.set(world, waiting.set(request, fault))
    }
  }

  return {
    count(progress) {
      const { operation, method, status, notes, forced, sent, assumptions, faults, world } = progress
      if (!operation && method === 'OPTIONS') return
      requests++
      for (const id of assumptions) countUse(id, world.choices[id], operation?.operationId ?? '-')
      if (!operation) {
        // The hint for a path that is nearly right says first what is wrong, and then the path, which is left out here.
        note(`near-miss:${(status === 404 && notes[0]?.split(';')[0]) || status}`)
        return
      }
      const tally = operations[operation.operationId] as OperationTally
      const place = tally.statuses.indexOf(status)
      if (place >= 0) increment(tally.counts, place)
      else if (forced === undefined && status > 0) note(`undocumented:${operation.operationId}.${status}`)
      if (hasMetFault || faults.length > 0) countFault(progress)
      if (forced !== undefined) return
      tally.calls++
      if (sent) countInput(tally.fields, sent)
    },
    coverage() {
      const cells: Record<string, number> = {}
      for (const [id, { calls, statuses, counts, fields }] of Object.entries(operations)) {
        cells[id] = calls
        for (const [place, status] of statuses.entries()) cells[`${id}.${status}`] = counts[place] as number
        for (const field of fields) {
          for (const [place, count] of field.counts.entries()) {
            if (field.classes[place]) cells[`${id}.${field.path ?? field.name}=${toClassName(field, place)}`] = count
          }
        }
      }
      const all = Object.fromEntries(beside)
      for (const { id, choice, operation, count } of uses) all[`assumption:${id}=${choice} ${operation}`] = count
      return { format: 1, contract: coveredContract, requests, cells, beside: all, tests: {} }
    },
  }
}

function increment(counts: number[], place: number): void {
  counts[place] = (counts[place] as number) + 1
}
