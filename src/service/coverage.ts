// What a run has tried of the contract: counts by name, of a mock and not of a world, so that
// resets lose nothing.
import type {
  AssumptionChoices,
  OperationContract,
  OperationId,
} from '../contract/generated/contract.ts'
import { cellNames, coveredContract } from '../contract/generated/coverage.ts'
import { saySlip } from '../contract/problem.ts'
import { listAll, USUAL_ASSUMPTIONS } from '../world/assumption-set.ts'
import { hasOutcome } from '../world/fault-outcome.ts'
import type { Strike } from '../world/faults.ts'
import { isDelivered, type KeptRequest, statusOf } from '../world/kept-row.ts'
import { isUncounted } from '../world/row.ts'
import { covered, findInputCells, UNKNOWN_PARAMETER } from './cells.ts'
import type { Context } from './context.ts'

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
  /** Faults that were applied, by operation: `503`, `drop`, `hold`, `delay`, `200 truncated`. */
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
  /** By the numbers of the cells. */
  readonly cells: number[]
  readonly faults: Branch
  readonly undocumented: Branch
  readonly nearMisses: Branch
  readonly assumptions: Branch
}

/** Requests by the set of their assumptions and their operation, while the choices are the same. */
interface Uses {
  choices: AssumptionChoices | undefined
  readonly counts: Map<number, number>
}

const operationIds = Object.keys(covered) as OperationId[]
/** Of a request for an unknown path or method. */
const NO_OPERATION = operationIds.length

export const FORMAT: Coverage['format'] = 2
/** A fault after which the service still answers. */
export const DELAY = 'delay'

export function createTally() {
  const tally: Tally = {
    requests: 0,
    cells: new Array(UNKNOWN_PARAMETER + 1).fill(0),
    faults: {},
    undocumented: {},
    nearMisses: {},
    assumptions: {},
  }
  const uses: Uses = { choices: undefined, counts: new Map() }

  /** Counts a request that has ended. */
  function count(row: KeptRequest, context: Context): void {
    if (isUncounted(row)) return
    const { operation } = context
    tally.requests++
    countAssumptions(uses, tally, row, context)
    if (operation) countOperation(tally, operation, row, context)
    else add(tally.nearMisses, nameMiss(row))
  }

  function coverage(): Coverage {
    foldUses(uses, tally)
    return showTally(tally)
  }

  return { count, coverage }
}

function showTally(tally: Tally): Coverage {
  const named = cellNames.map((name, index) => [name, tally.cells[index]])
  const cells = Object.fromEntries(named)
  const unknown = tally.cells[UNKNOWN_PARAMETER]
  const nearMisses = { ...tally.nearMisses }
  if (unknown) nearMisses['Unknown parameter'] = unknown
  const coverage = { format: FORMAT, contract: coveredContract, ...tally, cells, nearMisses }
  return structuredClone(coverage) as Coverage
}

function countAssumptions(uses: Uses, tally: Tally, row: KeptRequest, context: Context): void {
  const { operation, state } = context
  const isUsual = isDelivered(row) && !isFault(context)
  const set = isUsual ? row.assumptions : row.assumptions & ~USUAL_ASSUMPTIONS
  if (set === 0) return
  if (uses.choices !== state.choices) foldUses(uses, tally)
  uses.choices = state.choices
  const index = operation ? covered[operation.operationId].index : NO_OPERATION
  const key = set * (NO_OPERATION + 1) + index
  uses.counts.set(key, (uses.counts.get(key) ?? 0) + 1)
}

function foldUses({ choices, counts }: Uses, { assumptions }: Tally): void {
  if (!choices) return
  for (const [key, count] of counts) {
    const index = key % (NO_OPERATION + 1)
    const set = (key - index) / (NO_OPERATION + 1)
    for (const assumption of listAll(set)) {
      const chosen = branchOf(branchOf(assumptions, assumption), choices[assumption])
      add(chosen, operationIds[index] ?? '-', count)
    }
  }
  counts.clear()
}

function isFault({ strike }: Context): boolean {
  return strike !== undefined && hasOutcome(strike)
}

/** Without the path, which is different in each run. */
function nameMiss(row: KeptRequest): string {
  const [problem] = row.decidedProblems
  return problem?.kind === 'near-path' ? saySlip(problem) : `Rejected with ${statusOf(row)}`
}

function countOperation(
  tally: Tally,
  operation: OperationContract,
  row: KeptRequest,
  context: Context,
): void {
  const { operationId } = operation
  const { strike } = context
  const { called, statuses } = covered[operationId]
  const status = statusOf(row)
  const isFaulty = isFault(context)
  addCell(tally, called)
  // A fault's body is not the documented response.
  const isOwnBody = strike?.body === undefined && strike?.response === undefined
  const cell = isOwnBody ? statuses[status] : undefined
  if (cell !== undefined) addCell(tally, cell)
  else if (!isFaulty && status > 0) add(tally.undocumented, `${operationId}.${status}`)
  if (strike) add(branchOf(tally.faults, operationId), nameFault(strike))
  if (isFaulty) return
  for (const own of findInputCells(operation, context)) {
    if (own !== undefined) addCell(tally, own)
  }
}

function addCell({ cells }: Tally, cell: number): void {
  cells[cell] = (cells[cell] as number) + 1
}

function branchOf(tree: Branch, name: string): Branch {
  tree[name] ??= {}
  return tree[name] as Branch
}

function add(counts: Branch, name: string, more = 1): void {
  counts[name] = Number(counts[name] ?? 0) + more
}

function nameFault(strike: Strike): string {
  const { drop, lost, rst, hold, status, body, response } = strike
  if (!hasOutcome(strike)) return DELAY
  if (drop) return 'drop'
  if (lost) return 'lost'
  if (rst) return 'rst'
  if (hold) return 'hold'
  if (response) return `${response.status} response`
  return [status, body].filter((part) => part !== undefined).join(' ')
}
