// Coverage from files: checked, and merged.
import { UsageError } from '../../contract/errors.ts'
import { coveredContract } from '../../contract/generated/coverage.ts'
import { COUNT, type OptionSchemas, TEXT } from '../../contract/options.ts'
import { findViolations, mapOf, type Schema } from '../../contract/schema.ts'
import { sum } from '../../contract/values.ts'
import { type Coverage, FORMAT, type Tree } from '../../service/coverage.ts'

const counts = mapOf(COUNT)
const countsByName = mapOf(counts)
const fields: OptionSchemas<Coverage> = {
  format: { const: FORMAT },
  contract: TEXT,
  requests: COUNT,
  cells: counts,
  faults: countsByName,
  undocumented: counts,
  nearMisses: counts,
  assumptions: mapOf(countsByName),
}
const schema: Schema = { type: 'object', required: Object.keys(fields), properties: fields }

export function checkCoverage(value: unknown, name: string): Coverage {
  const [first] = findViolations(schema, value)
  if (first)
    throw new UsageError({ ...first, caller: `${name} is not coverage of animal-store-mock` })
  const coverage = value as Coverage
  if (coverage.contract === coveredContract) return coverage
  const here = `this version of animal-store-mock has ${coveredContract}`
  throw new UsageError(`${name} covers ${coverage.contract}, and ${here}`)
}

export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const trees = parts.map(({ format, contract, ...counted }) => counted)
  const sums = addTrees(trees) as object
  return { format: FORMAT, contract: coveredContract, ...sums } as Coverage
}

function addTrees(trees: readonly Tree[]): Tree {
  const branches = trees.filter((tree) => typeof tree === 'object')
  if (branches.length === 0) return sum(trees.map(Number))
  const subtrees = new Map<string, Tree[]>()
  for (const branch of branches) {
    for (const [name, tree] of Object.entries(branch)) {
      const own = subtrees.get(name)
      if (own) own.push(tree)
      else subtrees.set(name, [tree])
    }
  }
  return Object.fromEntries([...subtrees].map(([name, own]) => [name, addTrees(own)]))
}
