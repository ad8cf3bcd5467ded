// What a run has tried of the contract: counts by name, of a mock and not of a world, so that
// resets lose nothing.

import type { AssumptionId, OperationId } from '../contract/generated/contract.ts'
import { coveredContract, coveredOperations } from '../contract/generated/coverage.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { saySlip } from '../contract/problem.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { hasOutcome } from '../world/fault-outcome.ts'
import type { Strike } from '../world/faults.ts'
import { type KeptRequest, statusOf } from '../world/kept-row.ts'
import { isUncounted } from '../world/row.ts'
import type { Context, SentInput } from './reply.ts'

/** What was tried so far. Coverage files hold exactly this. */
export interface Coverage {
  /** The version of this format. */
  readonly format: 2
  /**
   * The name, version and hash of the contract of the cells; only coverage of the same contract can
   * be merged.
   */
  readonly contract: string
  /** How many requests were counted; those with OPTIONS are not. */
  readonly requests: number
  /**
   * Every cell of the contract and how often it was tried: `createPet`, `createPet.400`,
   * `listPets.status=sold`.
   */
  readonly cells: Counts
  /** Faults that were applied, by operation: `503`, `drop`, `delay`, `200 truncated`. */
  readonly faults: Readonly<Record<string, Counts>>
  /** Responses that the contract does not list: `listPets.400`. */
  readonly undocumented: Counts
  /**
   * Requests without an operation, by what was wrong, and unknown parameters: `Missing /v1`,
   * `Rejected with 405`.
   */
  readonly nearMisses: Counts
  /**
   * Responses that depended on what the API leaves open, by question, choice and operation; `-` for
   * none.
   */
  readonly assumptions: Readonly<Record<string, Readonly<Record<string, Counts>>>>
}

export type Counts = Readonly<Record<string, number>>
export type Tree = number | { [name: string]: Tree }
type Branch = Exclude<Tree, number>
type Tally = { requests: number } & Record<
  'cells' | 'faults' | 'undocumented' | 'nearMisses' | 'assumptions',
  Branch
>

export interface Field {
  readonly name: string
  readonly in: string
  readonly type: 'integer' | 'string'
  /** The bounds of an integer, or of the length of a string. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  readonly cells: Readonly<Partial<Record<Class, string>>>
  readonly values?: Readonly<Record<string, string>>
}

type Class = 'absent' | 'lowest' | 'highest' | 'inside' | 'outside' | 'malformed'

type Operation = Readonly<{ statuses: Readonly<Record<number, string>>; fields: readonly Field[] }>
export const covered: Readonly<Record<OperationId, Operation>> = coveredOperations

export const FORMAT: Coverage['format'] = 2
/** A fault after which the service still answers. */
export const DELAY = 'delay'

export function createTally() {
  const all = Object.entries(covered).flatMap(([id, { statuses, fields }]) => [
    id,
    ...Object.values(statuses),
    ...fields.flatMap(({ cells, values = {} }) => [
      ...Object.values(cells),
      ...Object.values(values),
    ]),
  ])
  const cells = Object.fromEntries(all.map((cell) => [cell, 0]))
  const tally: Tally = {
    requests: 0,
    cells,
    faults: {},
    undocumented: {},
    nearMisses: {},
    assumptions: {},
  }
  const countUse = (assumption: AssumptionId, { operation, state }: Context) =>
    add(
      branchOf(branchOf(tally.assumptions, assumption), state.choices[assumption]),
      operation?.operationId ?? '-',
    )

  function countInput(fields: readonly Field[], { path, query, body }: SentInput): void {
    const known = fields.filter(({ name, in: place }) => place === 'query' && query.has(name))
    for (const field of fields) {
      const { name, in: place } = field
      if (place === 'body' && !isObject(body)) continue
      const single = place === 'path' ? path[name] : readOwn(body, name)
      const values = place === 'query' ? (query.get(name) ?? []) : [single]
      const cell = values.length > 1 ? field.cells.malformed : findCell(field, values[0])
      if (cell !== undefined) add(cells, cell)
    }
    if (query.size > known.length) add(tally.nearMisses, 'Unknown parameter')
  }

  return {
    count(row: KeptRequest, context: Context) {
      const { operation, strike, sent } = context
      const status = statusOf(row)
      const isFault = strike !== undefined && hasOutcome(strike)
      if (isUncounted(row)) return
      tally.requests++
      for (const assumption of context.assumptions) countUse(assumption, context)
      // The request log leaves out this and `unknown-category` below, since nearly every run
      // depends on them.
      if (status >= 400 && !isFault) countUse('error-codes', context)
      const [problem] = row.decidedProblems
      // Without the path, which is different in each run.
      if (!operation)
        return add(
          tally.nearMisses,
          problem?.kind === 'near-path' ? saySlip(problem) : `Rejected with ${status}`,
        )
      const id = operation.operationId
      const { statuses, fields } = covered[id]
      add(cells, id)
      // A fault's body is not the documented response.
      const cell =
        strike?.body === undefined && strike?.response === undefined ? statuses[status] : undefined
      if (cell !== undefined) add(cells, cell)
      else if (!isFault && status > 0) add(tally.undocumented, `${id}.${status}`)
      if (strike) add(branchOf(tally.faults, id), nameFault(strike))
      if (isFault || !sent) return
      countInput(fields, sent)
      const hasCategory = readOwn(sent.body, 'categoryId') !== undefined
      if (hasCategory && status === operation.success) countUse('unknown-category', context)
    },
    coverage: () =>
      structuredClone({ format: FORMAT, contract: coveredContract, ...tally }) as Coverage,
  }
}

const branchOf = (tree: Branch, name: string): Branch => {
  tree[name] ??= {}
  return tree[name] as Branch
}

const add = (counts: Branch, name: string): void => {
  counts[name] = Number(counts[name] ?? 0) + 1
}

function nameFault(strike: Strike): string {
  const { drop, status, body, response } = strike
  if (!hasOutcome(strike)) return DELAY
  if (drop) return 'drop'
  return response ? `${response.status} response` : [status ?? [], body ?? []].flat().join(' ')
}

/** `undefined` means absent. A parameter is a string whatever its type. */
export function findCell(
  { in: place, type, low, high, cells, values }: Field,
  given: unknown,
): string | undefined {
  if (given === undefined) return cells.absent
  const value = type === 'integer' && place !== 'body' ? readInteger(given as string) : given
  if (type === 'string') {
    if (typeof value !== 'string') return cells.malformed
    if (values) return Object.hasOwn(values, value) ? values[value] : cells.outside
    // Code points are counted only where there is a maximum length.
    return cells[
      compareWithBounds(high === undefined ? value.length : [...value].length, low, high)
    ]
  }
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger ? cells[compareWithBounds(value as number | bigint, low, high)] : cells.malformed
}

function compareWithBounds(size: number | bigint, low: Field['low'], high: Field['high']): Class {
  if ((low !== undefined && size < low) || (high !== undefined && size > high)) return 'outside'
  if (low !== undefined && size <= low) return 'lowest'
  return high !== undefined && size >= high ? 'highest' : 'inside'
}

const readInteger = (text: string) =>
  parseInt64(text) ?? (/^-?[1-9]\d*$/.test(text) ? BigInt(text) : text)
