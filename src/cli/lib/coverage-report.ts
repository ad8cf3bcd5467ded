// Coverage from files: merged, arranged for reading, and whether it is enough.
import { UsageError } from '../../contract/errors.ts'
import { contract, type OperationContract } from '../../contract/generated/contract.ts'
import { coveredContract } from '../../contract/generated/coverage.ts'
import { questions as openQuestions } from '../../contract/generated/questions.ts'
import { COUNT, type OptionSchemas, TEXT } from '../../contract/options.ts'
import { suggest } from '../../contract/problem.ts'
import { findViolations, mapOf } from '../../contract/schema.ts'
import { sum } from '../../contract/values.ts'
import {
  type Counts,
  type Coverage,
  covered,
  DELAY,
  FORMAT,
  type Tree,
} from '../../service/coverage.ts'

export function checkCoverage(value: unknown, name: string): Coverage {
  const [counts, byName] = [mapOf(COUNT), mapOf(mapOf(COUNT))]
  const head = {
    format: { const: FORMAT },
    contract: TEXT,
    requests: COUNT,
    cells: counts,
    faults: byName,
  }
  const all: OptionSchemas<Coverage> = {
    ...head,
    undocumented: counts,
    nearMisses: counts,
    assumptions: mapOf(byName),
  }
  const [first] = findViolations(
    { type: 'object', required: Object.keys(all), properties: all },
    value,
  )
  if (first)
    throw new UsageError({ ...first, caller: `${name} is not coverage of animal-store-mock` })
  const given = value as Coverage
  if (given.contract === coveredContract) return given
  throw new UsageError(
    `${name} covers ${given.contract}, and this version of animal-store-mock has ${coveredContract}`,
  )
}

export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const sums = addTrees(parts.map(({ format, contract, ...counted }) => counted)) as object
  return { format: FORMAT, contract: coveredContract, ...sums } as Coverage
}

function addTrees(trees: readonly Tree[]): Tree {
  const maps = trees.filter((tree) => typeof tree === 'object')
  if (maps.length === 0) return trees.reduce<number>((total, tree) => total + Number(tree), 0)
  const names = new Set(maps.flatMap((tree) => Object.keys(tree)))
  const of = (name: string) =>
    maps.flatMap((tree) => (Object.hasOwn(tree, name) ? [tree[name] ?? 0] : []))
  return Object.fromEntries([...names].map((name) => [name, addTrees(of(name))]))
}

export type Report = ReturnType<typeof createReport>
export type Check = Readonly<{ requirement: string; problem?: string }>
type Question = (typeof openQuestions)[number]

export function createReport(coverage: Coverage) {
  const {
    contract: name,
    requests,
    cells,
    faults,
    undocumented,
    nearMisses,
    assumptions,
  } = coverage
  const operations = Object.values(contract.operations).map((one) =>
    reportOperation(one, cells, faults),
  )
  // A deprecated operation will go away, so a test suite need not cover it.
  const kept = operations.filter(({ isDeprecated }) => !isDeprecated)
  const tried = sum(kept.map((operation) => operation.tried))
  const total = sum(kept.map((operation) => operation.total))
  // Reported separately: a UI cannot send most values that the spec does not allow.
  const fields = Object.values(covered).flatMap((operation) => operation.fields)
  const invalid = fields.flatMap(({ cells: { outside = '', malformed = '' } }) => [
    outside,
    malformed,
  ])
  const used = Object.entries(faults).flatMap(([id, own]) =>
    Object.keys(own).map((one) => [`${id} ${one}`, own[one]]),
  )
  const seen: Readonly<Record<string, Counts>> = {
    'Invalid values': Object.fromEntries(
      invalid.flatMap((cell) => (cells[cell] ? [[cell, cells[cell]]] : [])),
    ),
    Faults: Object.fromEntries(used),
    'Undocumented responses': undocumented,
    'Near misses': nearMisses,
  }
  const asked = openQuestions.map((question) => reportQuestion(question, assumptions[question.id]))
  const questions = asked
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  // Rounded down, so that 100 means all.
  const percent = total === 0 ? 100 : Math.floor((100 * tried) / total)
  return { contract: name, requests, tried, total, percent, operations, seen, questions }
}

function reportOperation(operation: OperationContract, cells: Counts, faults: Coverage['faults']) {
  const { operationId: id, deprecated: isDeprecated } = operation
  const { [DELAY]: delayed, ...struck } = faults[id] ?? {}
  const toRow = (name: string, named: Readonly<Record<string, string>>) => {
    const missing = Object.keys(named).filter((one) => !cells[named[one] ?? ''])
    const total = Object.keys(named).length
    return { name, tried: total - missing.length, total, missing: missing.filter(Boolean) }
  }
  const { statuses, fields } = covered[id]
  const rows = [
    toRow('called', { '': id }),
    toRow('responses', statuses),
    ...fields.map(({ name, cells: { outside, malformed, ...valid }, values }) =>
      toRow(name, { ...valid, ...values }),
    ),
  ]
  const calls = cells[id] ?? 0
  const use = calls === 0 ? 'never called' : sum(Object.values(struck)) === calls && 'only faults'
  const note = isDeprecated ? 'deprecated, not in the percentage' : use || ''
  const countAll = (what: 'tried' | 'total') => sum(rows.map((row) => row[what]))
  return { id, isDeprecated, tried: countAll('tried'), total: countAll('total'), note, rows }
}

function reportQuestion(
  { id, question, choices: known }: Question,
  uses: Coverage['assumptions'][string] = {},
) {
  const countOf = (choice: string) => sum(Object.values(uses[choice] ?? {}))
  const choices = Object.fromEntries(known.map((choice) => [choice.id, countOf(choice.id)]))
  const names = new Set(Object.values(uses).flatMap((byOperation) => Object.keys(byOperation)))
  const operations = [...names].map((name) => (name === '-' ? 'unknown path' : name))
  return { id, question, count: sum(Object.keys(uses).map(countOf)), choices, operations }
}

export function checkRequirements(
  cells: Counts,
  report: Report,
  require: readonly string[],
  min?: number,
): Check[] {
  const { requests, tried, total, percent } = report
  const known = Object.keys(cells)
  const problems = require.flatMap((name) => {
    if (known.includes(name)) return []
    const [operation = '', part = ''] = name.split(/\.(.*)/s)
    const own = known.flatMap((cell) =>
      cell.startsWith(`${operation}.`) ? cell.slice(operation.length + 1) : [],
    )
    if (own.length > 0)
      return `--require: ${operation} has no cell ${JSON.stringify(part)}; ${suggest(part, own)}`
    const hint = suggest(name, known, `expected a cell such as ${known.slice(0, 2).join(' or ')}`)
    return `--require: there is no cell ${JSON.stringify(name)}; ${hint}`
  })
  if (problems.length > 0) throw new UsageError(problems)
  const judge = (requirement: string, isMet: boolean, problem: string) => ({
    requirement,
    ...(!isMet && { problem }),
  })
  const checks = require.map((name) =>
    judge(`--require ${name}`, cells[name] !== 0, 'was never tried'),
  )
  if (requests === 0)
    checks.unshift(
      judge('requests', false, 'no request was counted: did the tests call this mock?'),
    )
  if (min === undefined) return checks
  // Compared exactly, since the printed percentage is rounded.
  return [
    ...checks,
    judge(`--min ${min}`, 100 * tried >= min * total, `only ${percent}% of the cells were tried`),
  ]
}
