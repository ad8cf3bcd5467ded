// What a run has tried of the contract, as plain data: counts by name, without keys, bodies or values, so that merging is adding.
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'

/** What was tried so far. Coverage files hold exactly this. */
export interface Coverage {
  /** The version of this format. */
  readonly format: 2
  /** The name, version and hash of the contract that the cells come from; only coverage of the same contract can be merged. */
  readonly contract: string
  /** How many requests were counted; CORS preflights are not. */
  readonly requests: number
  /** Every cell of the contract and how often it was tried: `createPet`, `createPet.400`, `listPets.status=sold`. */
  readonly cells: Counts
  /** Faults that were applied, by operation: `503`, `drop`, `delay`, `200 truncated`. */
  readonly faults: Readonly<Record<string, Counts>>
  /** Responses that the contract does not list: `listPets.400`. */
  readonly undocumented: Counts
  /** Requests that no operation matched, by what was wrong with them, and unknown parameters: `Missing /v1`, `Method not allowed`. */
  readonly nearMisses: Counts
  /** Responses that depended on what the contract leaves open, by question, choice and operation; `-` where no operation matched. */
  readonly assumptions: Readonly<Record<string, Readonly<Record<string, Counts>>>>
}

export type Counts = Readonly<Record<string, number>>
type Tree = number | { readonly [name: string]: Tree }

const count: Schema = { type: 'integer', minimum: 0 }
const mapOf = (items: Schema): Schema => ({ type: 'object', properties: {}, additionalProperties: items })
const counts = mapOf(count)
const properties: Readonly<Record<keyof Coverage, Schema>> = {
  format: { const: 2 },
  contract: { type: 'string' },
  requests: count,
  cells: counts,
  faults: mapOf(counts),
  undocumented: counts,
  nearMisses: counts,
  assumptions: mapOf(mapOf(counts)),
}
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
  const sums = addUp(checked.map(({ format, contract, ...counted }) => counted)) as Omit<Coverage, 'format' | 'contract'>
  return { format: 2, contract: first.contract, ...sums }
}

/** Numbers are added, and maps name by name. */
function addUp(trees: readonly Tree[]): Tree {
  const maps = trees.filter((tree) => typeof tree === 'object')
  if (maps.length === 0) return trees.reduce<number>((total, tree) => total + Number(tree), 0)
  const names = new Set(maps.flatMap((tree) => Object.keys(tree)))
  return Object.fromEntries(
    [...names].map((name) => [name, addUp(maps.flatMap((tree) => (Object.hasOwn(tree, name) ? [tree[name] ?? 0] : [])))]),
  )
}
