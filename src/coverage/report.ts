// Coverage arranged for reading: the cells by operation and field, then what else is worth a look. Every format shows this.
import { contract } from '../generated/contract.ts'
import { questions as openQuestions } from '../generated/questions.ts'
import type { Counts, Coverage } from './coverage.ts'

export interface Report {
  readonly contract: string
  readonly requests: number
  /** Without deprecated operations: covering one that goes away is not a merit. */
  readonly tried: number
  readonly total: number
  /** Rounded down, so that 100 means all. */
  readonly percent: number
  readonly operations: readonly OperationReport[]
  /** What else was seen, none of it in the percentage. */
  readonly seen: Readonly<Record<string, Counts>>
  /** The assumptions that responses depended on, the one used most first. */
  readonly questions: readonly QuestionReport[]
}

interface OperationReport {
  readonly id: string
  readonly isDeprecated: boolean
  readonly tried: number
  readonly total: number
  /** What to know about the operation as a whole; empty if there is nothing. */
  readonly note: string
  /** The call itself, then the responses, then one row for each parameter and body field. */
  readonly rows: readonly ReportRow[]
}

interface ReportRow {
  /** `called`, `responses`, or the name of the field. */
  readonly name: string
  readonly tried: number
  readonly total: number
  /** The cells that were not tried, without the part that the row's name says. */
  readonly missing: readonly string[]
}

export interface QuestionReport {
  readonly id: string
  readonly question: string
  readonly count: number
  /** How many responses used each choice. */
  readonly choices: Counts
  /** The operations that were called, or `unknown path`. */
  readonly operations: readonly string[]
}

export function createReport(coverage: Coverage): Report {
  const operations = Object.values(contract.operations).map((one) => reportOperation(one.operationId, one.deprecated, coverage))
  const kept = operations.filter(({ isDeprecated }) => !isDeprecated)
  const tried = sum(kept.map((operation) => operation.tried))
  const total = sum(kept.map((operation) => operation.total))
  const questions = openQuestions.map(({ id, question, choices }) => reportQuestion(id, question, choices, coverage))
  return {
    contract: coverage.contract,
    requests: coverage.requests,
    tried,
    total,
    percent: total === 0 ? 100 : Math.floor((100 * tried) / total),
    operations,
    seen: { Faults: coverage.faults, 'Undocumented responses': coverage.undocumented, 'Near misses': coverage.nearMisses },
    questions: questions.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count),
  }
}

function reportOperation(id: string, isDeprecated: boolean, { cells, faults }: Coverage): OperationReport {
  const calls = cells[id] ?? 0
  const rows = new Map([['called', new Map([['', calls]])]])
  for (const [cell, count] of Object.entries(cells)) {
    if (!cell.startsWith(`${id}.`)) continue
    // `limit=lowest` of a field, or `200`.
    const [, row = 'responses', name = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(cell.slice(id.length + 1)) ?? []
    rows.set(row, (rows.get(row) ?? new Map()).set(name, count))
  }
  const reports = [...rows].map(([name, inRow]) => {
    const missing = [...inRow].filter(([, count]) => count === 0).map(([cell]) => cell)
    return { name, tried: inRow.size - missing.length, total: inRow.size, missing: missing.filter((cell) => cell !== '') }
  })
  return {
    id,
    isDeprecated,
    tried: sum(reports.map(({ tried }) => tried)),
    total: sum(reports.map(({ total }) => total)),
    note: isDeprecated ? 'deprecated, not in the percentage' : describeCalls(id, calls, faults),
    rows: reports,
  }
}

/** After a fault that only delays a response, the service still answers. */
function describeCalls(id: string, calls: number, faults: Counts): string {
  if (calls === 0) return 'never called'
  const answered = Object.entries(faults).filter(([name]) => name.startsWith(`${id} `) && name !== `${id} delay`)
  return sum(answered.map(([, count]) => count)) === calls ? 'only faults' : ''
}

function reportQuestion(id: string, question: string, choices: readonly { readonly id: string }[], coverage: Coverage): QuestionReport {
  const uses = Object.entries(coverage.assumptions)
    .filter(([name]) => name.startsWith(`${id}=`))
    .map(([name, count]) => {
      const [choice, operation = ''] = name.slice(id.length + 1).split(' ')
      return { choice, operation: operation === '-' ? 'unknown path' : operation, count }
    })
  const countOf = (choice: string) => sum(uses.filter((use) => use.choice === choice).map(({ count }) => count))
  return {
    id,
    question,
    count: sum(uses.map(({ count }) => count)),
    choices: Object.fromEntries(choices.map((choice) => [choice.id, countOf(choice.id)])),
    operations: [...new Set(uses.map(({ operation }) => operation))],
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
