// Puts the coverage of several processes together, and adds what only a test runner knows: the names of the tests.
import { describeValue, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { findViolations, type Schema, toSentences } from '../contract/schema.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import type { Coverage } from './coverage.ts'

const text: Schema = { type: 'string' }
const mapOf = (items: Schema): Schema => ({ type: 'object', properties: {}, additionalProperties: items })
const objectOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const count: Schema = { type: 'integer', minimum: 0 }
const coverageSchema = objectOf({
  format: { const: 1 },
  contract: text,
  requests: count,
  cells: mapOf(count),
  beside: mapOf(count),
  tests: mapOf({ type: 'array', items: text }),
})

/** The value, if it is coverage; otherwise a UsageError says what is wrong with `name`. */
export function checkCoverage(value: unknown, name: string): Coverage {
  if (!isPlainObject(value) || !('cells' in value)) {
    throw new UsageError(`${name}: expected coverage of animal-store-mock, got ${describeValue(value)}`)
  }
  const [first] = toSentences(findViolations(coverageSchema, value))
  if (first !== undefined) throw new UsageError(`${name}: ${first}`)
  return value as unknown as Coverage
}

/**
 * One coverage of several, e.g. of the shards of a test run. They must be of the same contract; `names` are what a message calls them.
 *
 * @example
 * const whole = mergeCoverage([first.control.coverage(), second.control.coverage()])
 */
export function mergeCoverage(parts: readonly Coverage[], names: readonly string[] = []): Coverage {
  if (!Array.isArray(parts) || parts.length === 0) throw new UsageError('mergeCoverage: expected a list of at least one coverage')
  const toName = (index: number) => names[index] ?? `part ${index + 1}`
  const [first, ...rest] = [...parts].map((part, index) => checkCoverage(part, toName(index))) as [Coverage, ...Coverage[]]
  const stranger = rest.findIndex(({ contract }) => contract !== first.contract)
  if (stranger >= 0) {
    throw new UsageError(
      `${toName(stranger + 1)} covers ${rest[stranger]?.contract} and ${toName(0)} covers ${first.contract}; only coverage of one contract can be merged`,
    )
  }
  return rest.reduce(mergeTwo, { ...first, beside: sort(first.beside), tests: sort(first.tests) })
}

/** The coverage with the name of a test beside every assumption that its requests depended on. */
export function nameTest(coverage: Coverage, test: string, entries: readonly Pick<JournalEntry, 'assumptions'>[]): Coverage {
  const ids = new Set(entries.flatMap((entry) => entry.assumptions))
  const tests = Object.fromEntries([...ids].map((id) => [id, [test]]))
  return { ...coverage, tests: mergeMaps(coverage.tests, tests, unite) }
}

/** Cells stay in the order of the contract. */
function mergeTwo(left: Coverage, right: Coverage): Coverage {
  return {
    ...left,
    requests: add(left.requests, right.requests),
    cells: mergeMaps(left.cells, right.cells, add),
    beside: sort(mergeMaps(left.beside, right.beside, add)),
    tests: sort(mergeMaps(left.tests, right.tests, unite)),
  }
}

function add(one: number, other: number): number {
  // What a file says may be anything; a sum that is not exact would not be read again.
  return Math.min(one + other, Number.MAX_SAFE_INTEGER)
}

function unite(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])].sort()
}

function mergeMaps<T>(left: Readonly<Record<string, T>>, right: Readonly<Record<string, T>>, merge: (one: T, other: T) => T) {
  const merged = new Map(Object.entries(left))
  for (const [name, other] of Object.entries(right)) {
    const one = merged.get(name)
    merged.set(name, one === undefined ? other : merge(one, other))
  }
  // Not by assignment, which `__proto__` in a file would turn into something else.
  return Object.fromEntries(merged)
}

/** The same whatever came first. */
function sort<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)))
}
