// Counts what calls try of the contract, when each is settled. It belongs to the mock and not to a world, so that resets, the length of
// the journal and removed sandboxes lose nothing.
import { isObject } from '../contract/describe-value.ts'
import { coveredCells, coveredContract, coveredOperations } from '../generated/coverage.ts'
import type { Sent } from '../service/parse-input.ts'
import type { Progress } from '../service/progress.ts'
import type { Coverage } from './coverage.ts'
import { type Field, findCell } from './find-cell.ts'

export interface Tally {
  count(progress: Progress): void
  coverage(): Coverage
}

interface CoveredOperation {
  /** The cells of the documented statuses. */
  readonly statuses: Readonly<Record<number, string>>
  readonly fields: readonly Field[]
}

/** In place of an operation, where none matched. */
const NO_OPERATION = '-'
const MISSES: Readonly<Record<number, string>> = { 404: 'Unknown path', 405: 'Method not allowed' }

export function createTally(): Tally {
  const cells = new Map(coveredCells.map((cell) => [cell, 0]))
  const faults = new Map<string, number>()
  const undocumented = new Map<string, number>()
  const nearMisses = new Map<string, number>()
  const assumptions = new Map<string, number>()
  let requests = 0

  function countInput(fields: readonly Field[], { path, query, body }: Sent): void {
    let unknown = query.size
    for (const field of fields) {
      const { name, in: place } = field
      const repeated = place === 'query' ? query.get(name) : undefined
      if (repeated) unknown--
      if (place === 'body' && !isObject(body)) continue
      const value = place === 'query' ? repeated?.[0] : place === 'path' ? path[name] : readOwn(body, name)
      const cell = repeated && repeated.length > 1 ? field.cells.malformed : findCell(field, value)
      if (cell !== undefined) add(cells, cell)
    }
    if (unknown > 0) add(nearMisses, 'Unknown parameter')
  }

  return {
    count(progress) {
      const { operation, method, status, forced, sent, world } = progress
      if (!operation && method === 'OPTIONS') return
      requests++
      const id = operation?.operationId ?? NO_OPERATION
      const countUse = (assumption: keyof typeof world.choices) => add(assumptions, `${assumption}=${world.choices[assumption]} ${id}`)
      for (const assumption of progress.assumptions) countUse(assumption)
      // The journal lists neither this nor `unknown-category` below, since nearly every run would depend on them.
      if (status >= 400 && forced === undefined) countUse('error-codes')
      if (!operation) return add(nearMisses, describeMiss(progress))
      const { statuses, fields }: CoveredOperation = coveredOperations[operation.operationId]
      add(cells, id)
      const cell = statuses[status]
      if (cell !== undefined) add(cells, cell)
      else if (forced === undefined && status > 0) add(undocumented, `${id}.${status}`)
      if (progress.faults.length > 0) add(faults, `${id} ${forced === undefined ? 'delay' : forced || 'drop'}`)
      if (forced !== undefined || !sent) return
      countInput(fields, sent)
      if (status === operation.success && readOwn(sent.body, 'categoryId') !== undefined) countUse('unknown-category')
    },
    coverage: () => ({
      format: 1,
      contract: coveredContract,
      requests,
      cells: Object.fromEntries(cells),
      faults: Object.fromEntries(faults),
      undocumented: Object.fromEntries(undocumented),
      nearMisses: Object.fromEntries(nearMisses),
      assumptions: Object.fromEntries(assumptions),
    }),
  }
}

/** The hint for a path that is nearly right says what is wrong and then, after a semicolon, names the path, which is left out here. */
function describeMiss({ status, notes }: Progress): string {
  return (status === 404 && notes[0]?.split(';')[0]) || (MISSES[status] ?? `Rejected with ${status}`)
}

function readOwn(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
