// Coverage, arranged for reading: the operations with what was not tried, and open questions.
import { contract, type OperationContract } from '../../contract/generated/contract.ts'
import { questions as openQuestions } from '../../contract/generated/questions.ts'
import { sum } from '../../contract/values.ts'
import { covered } from '../../service/cells.ts'
import { type Counts, type Coverage, DELAY } from '../../service/coverage.ts'

export type Report = ReturnType<typeof createReport>
type Question = (typeof openQuestions)[number]

export function createReport(coverage: Coverage) {
  const { contract: name, requests, cells, faults, undocumented, nearMisses } = coverage
  const operations = Object.values(contract.operations).map((one) =>
    reportOperation(one, cells, faults),
  )
  // A deprecated operation will go away, so a test suite need not cover it.
  const kept = operations.filter(({ isDeprecated }) => !isDeprecated)
  const tried = sum(kept.map((operation) => operation.tried))
  const total = sum(kept.map((operation) => operation.total))
  // Rounded down, so that 100 means all.
  const percent = total === 0 ? 100 : Math.floor((100 * tried) / total)
  const seen: Readonly<Record<string, Counts>> = {
    'Invalid values': countInvalid(cells),
    Faults: countFaults(faults),
    'Undocumented responses': undocumented,
    'Near misses': nearMisses,
  }
  const questions = openQuestions
    .map((question) => reportQuestion(question, coverage.assumptions[question.id]))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  return { contract: name, requests, tried, total, percent, operations, seen, questions }
}

/** Reported separately: a UI cannot send most values that the spec does not allow. */
function countInvalid(cells: Counts): Counts {
  const counts: Record<string, number> = {}
  const fields = Object.values(covered).flatMap((operation) => operation.fields)
  for (const { outside = '', malformed = '' } of fields.map((field) => field.cells)) {
    for (const cell of [outside, malformed]) {
      const times = cells[cell]
      if (times) counts[cell] = times
    }
  }
  return counts
}

function countFaults(faults: Coverage['faults']): Counts {
  const counts: Record<string, number> = {}
  for (const [id, own] of Object.entries(faults)) {
    for (const [fault, times] of Object.entries(own)) counts[`${id} ${fault}`] = times
  }
  return counts
}

function reportOperation(operation: OperationContract, cells: Counts, faults: Coverage['faults']) {
  const { operationId: id, deprecated: isDeprecated } = operation
  const { statuses, fields } = covered[id]
  const rows = [reportCells('called', { '': id }, cells), reportCells('responses', statuses, cells)]
  for (const field of fields) {
    const { outside, malformed, ...valid } = field.cells
    rows.push(reportCells(field.name, { ...valid, ...field.values }, cells))
  }
  const tried = sum(rows.map((row) => row.tried))
  const total = sum(rows.map((row) => row.total))
  const note = isDeprecated
    ? 'deprecated, not in the percentage'
    : describeUse(cells[id] ?? 0, faults[id] ?? {})
  return { id, isDeprecated, tried, total, note, rows }
}

/** `named` has the cells by what a reader calls them; a name may be empty. */
function reportCells(name: string, named: Readonly<Record<string, string>>, cells: Counts) {
  const labels = Object.keys(named)
  const missing = labels.filter((label) => !cells[named[label] ?? ''])
  const tried = labels.length - missing.length
  return { name, tried, total: labels.length, missing: missing.filter(Boolean) }
}

function describeUse(calls: number, faults: Counts): string {
  if (calls === 0) return 'never called'
  const { [DELAY]: delayed, ...struck } = faults
  return sum(Object.values(struck)) === calls ? 'only faults' : ''
}

function reportQuestion(asked: Question, uses: Coverage['assumptions'][string] = {}) {
  const { id, question } = asked
  const countOf = (choice: string) => sum(Object.values(uses[choice] ?? {}))
  const choices: Record<string, number> = {}
  for (const choice of asked.choices) choices[choice.id] = countOf(choice.id)
  const names = new Set(Object.values(uses).flatMap((byOperation) => Object.keys(byOperation)))
  const operations = [...names].map((name) => (name === '-' ? 'unknown path' : name))
  return { id, question, count: sum(Object.keys(uses).map(countOf)), choices, operations }
}
