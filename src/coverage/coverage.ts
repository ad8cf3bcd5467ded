// What a run has tried of the contract, as plain data: counts by name, without keys, bodies or values, so that merging is adding.
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'

/** What was tried so far. Coverage files hold exactly this. */
export interface Coverage {
  /** The version of this format. */
  readonly format: 1
  /** The name, version and hash of the contract that the cells come from; only coverage of the same contract can be merged. */
  readonly contract: string
  /** How many requests were counted; CORS preflights are not. */
  readonly requests: number
  /** Every cell of the contract and how often it was tried: `createPet`, `createPet.400`, `listPets.status=sold`. */
  readonly cells: Counts
  /** Faults that were applied: `createPet 503`, `listPets drop`, `listPets delay`, `listPets 200 truncated`. */
  readonly faults: Counts
  /** Responses that the contract does not list: `listPets.400`. */
  readonly undocumented: Counts
  /** Requests that no operation matched, by what was wrong with them, and unknown parameters: `Missing /v1`, `Method not allowed`. */
  readonly nearMisses: Counts
  /** Responses that depended on what the contract leaves open: `list-order=oldest-first listPets`; `-` where no operation matched. */
  readonly assumptions: Counts
}

export type Counts = Readonly<Record<string, number>>

const count: Schema = { type: 'integer', minimum: 0 }
const counts: Schema = { type: 'object', properties: {}, additionalProperties: count }
const maps = { cells: counts, faults: counts, undocumented: counts, nearMisses: counts, assumptions: counts }
const properties: Record<string, Schema> = { format: { const: 1 }, contract: { type: 'string' }, requests: count, ...maps }
const coverageSchema: Schema = { type: 'object', required: Object.keys(properties), properties }

/** The value, if it is coverage; otherwise a UsageError says what is wrong with `name`. */
export function checkCoverage(value: unknown, name: string): Coverage {
  const [first] = findViolations(coverageSchema, value)
  if (first !== undefined) throw new UsageError(`${name} is not coverage of animal-store-mock: ${say(first)}`)
  return value as Coverage
}

/**
 * Adds up the coverage of several mocks, e.g. of the shards of a test run. All must be of the same contract.
 *
 * @example
 * const whole = mergeCoverage([first.control.coverage(), second.control.coverage()])
 */
export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  if (!Array.isArray(parts) || parts.length === 0) throw new UsageError('mergeCoverage: expected a list of at least one coverage')
  const checked = [...parts].map((part, index) => checkCoverage(part, `part ${index + 1}`))
  const [first] = checked as [Coverage]
  const other = checked.find(({ contract }) => contract !== first.contract)
  if (other) throw new UsageError(`${other.contract} and ${first.contract}: only coverage of one contract can be merged`)
  const sums = Object.keys(maps).map((name) => [name, addCounts(checked.map((part) => part[name as keyof typeof maps]))])
  return { ...first, requests: checked.reduce((sum, { requests }) => sum + requests, 0), ...Object.fromEntries(sums) }
}

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>()
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) sums.set(name, (sums.get(name) ?? 0) + value)
  return Object.fromEntries(sums)
}
