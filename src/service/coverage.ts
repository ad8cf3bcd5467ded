// What a run has tried of the contract: counts by name, of a mock and not of a world, so that
// resets lose nothing.

import type {
  AssumptionId,
  OperationContract,
  OperationId,
} from '../contract/generated/contract.ts'
import { coveredContract, coveredOperations } from '../contract/generated/coverage.ts'
import { saySlip } from '../contract/problem.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { hasOutcome } from '../world/fault-outcome.ts'
import type { Strike } from '../world/faults.ts'
import { type KeptRequest, statusOf } from '../world/kept-row.ts'
import { isUncounted } from '../world/row.ts'
import type { Context, SentInput } from './context.ts'
import { type Field, findCell } from './find-cell.ts'

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

interface Tally {
  requests: number
  readonly cells: Branch
  readonly faults: Branch
  readonly undocumented: Branch
  readonly nearMisses: Branch
  readonly assumptions: Branch
}

interface CoveredOperation {
  /** The cells of the documented statuses. */
  readonly statuses: Readonly<Record<number, string>>
  readonly fields: readonly Field[]
}

export const covered: Readonly<Record<OperationId, CoveredOperation>> = coveredOperations

export const FORMAT: Coverage['format'] = 2
/** A fault after which the service still answers. */
export const DELAY = 'delay'

export function createTally() {
  const tally: Tally = {
    requests: 0,
    cells: startCells(),
    faults: {},
    undocumented: {},
    nearMisses: {},
    assumptions: {},
  }

  function count(row: KeptRequest, context: Context): void {
    if (isUncounted(row)) return
    tally.requests++
    countAssumptions(tally, row, context)
    const { operation } = context
    if (operation) countOperation(tally, operation, row, context)
    else add(tally.nearMisses, nameMiss(row))
  }

  return {
    count,
    coverage: () =>
      structuredClone({ format: FORMAT, contract: coveredContract, ...tally }) as Coverage,
  }
}

function startCells(): Branch {
  const cells: Branch = {}
  for (const [id, { statuses, fields }] of Object.entries(covered)) {
    cells[id] = 0
    for (const cell of Object.values(statuses)) cells[cell] = 0
    for (const field of fields) {
      for (const cell of Object.values(field.cells)) cells[cell] = 0
      for (const cell of Object.values(field.values ?? {})) cells[cell] = 0
    }
  }
  return cells
}

function countAssumptions(tally: Tally, row: KeptRequest, context: Context): void {
  const { operation, sent, strike } = context
  const status = statusOf(row)
  const isFault = strike !== undefined && hasOutcome(strike)
  for (const assumption of context.assumptions) countUse(tally, assumption, context)
  // The request log leaves out these two, since nearly every run depends on them.
  if (isFault) return
  if (status >= 400) countUse(tally, 'error-codes', context)
  const hasCategory = readOwn(sent?.body, 'categoryId') !== undefined
  if (hasCategory && status === operation?.success) countUse(tally, 'unknown-category', context)
}

function countUse(tally: Tally, assumption: AssumptionId, { operation, state }: Context): void {
  const choices = branchOf(tally.assumptions, assumption)
  const uses = branchOf(choices, state.choices[assumption])
  add(uses, operation?.operationId ?? '-')
}

/** Without the path, which is different in each run. */
function nameMiss(row: KeptRequest): string {
  const [problem] = row.decidedProblems
  return problem?.kind === 'near-path' ? saySlip(problem) : `Rejected with ${statusOf(row)}`
}

function countOperation(
  tally: Tally,
  { operationId }: OperationContract,
  row: KeptRequest,
  { strike, sent }: Context,
): void {
  const { statuses, fields } = covered[operationId]
  const status = statusOf(row)
  const isFault = strike !== undefined && hasOutcome(strike)
  add(tally.cells, operationId)
  // A fault's body is not the documented response.
  const isOwnBody = strike?.body === undefined && strike?.response === undefined
  const cell = isOwnBody ? statuses[status] : undefined
  if (cell !== undefined) add(tally.cells, cell)
  else if (!isFault && status > 0) add(tally.undocumented, `${operationId}.${status}`)
  if (strike) add(branchOf(tally.faults, operationId), nameFault(strike))
  if (sent && !isFault) countInput(tally, fields, sent)
}

function countInput(tally: Tally, fields: readonly Field[], sent: SentInput): void {
  let knownCount = 0
  for (const field of fields) {
    if (field.in === 'query' && sent.query.has(field.name)) knownCount++
    if (field.in === 'body' && !isObject(sent.body)) continue
    const values = readValues(field, sent)
    const cell = values.length > 1 ? field.cells.malformed : findCell(field, values[0])
    if (cell !== undefined) add(tally.cells, cell)
  }
  if (sent.query.size > knownCount) add(tally.nearMisses, 'Unknown parameter')
}

function readValues({ name, in: place }: Field, { path, query, body }: SentInput) {
  if (place === 'query') return query.get(name) ?? []
  return [place === 'path' ? path[name] : readOwn(body, name)]
}

function branchOf(tree: Branch, name: string): Branch {
  tree[name] ??= {}
  return tree[name] as Branch
}

function add(counts: Branch, name: string): void {
  counts[name] = Number(counts[name] ?? 0) + 1
}

function nameFault(strike: Strike): string {
  const { drop, status, body, response } = strike
  if (!hasOutcome(strike)) return DELAY
  if (drop) return 'drop'
  if (response) return `${response.status} response`
  return [status, body].filter((part) => part !== undefined).join(' ')
}
