// Coverage arranged for reading: the cells by operation and field, what else is worth a look, and whether it is enough.
import { UsageError } from '../contract/errors.ts'
import { joinWords } from '../contract/text.ts'
import { contract } from '../generated/contract.ts'
import { questions as openQuestions } from '../generated/questions.ts'
import { findNear } from '../near-names.ts'
import type { Counts, Coverage } from './coverage.ts'

export interface Report {
  readonly contract: string
  readonly requests: number
  /** What a client can reach that sends valid values, without deprecated operations: covering one that goes away is not a merit. */
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
  /** The call itself, then the responses, then one row for each parameter and body field, with the cells that were not tried. */
  readonly rows: readonly { readonly name: string; readonly tried: number; readonly total: number; readonly missing: readonly string[] }[]
}

/** Cells of values that the spec does not allow. A UI cannot send most of them, so that they are reported apart. */
const INVALID = /=(?:outside|malformed)$/

export interface QuestionReport {
  readonly id: string
  readonly question: string
  readonly count: number
  /** How many responses used each choice. */
  readonly choices: Counts
  /** The operations that were called, or `unknown path`. */
  readonly operations: readonly string[]
}

/** A requirement as it was typed, and what is wrong; undefined if it is met. */
export interface Verdict {
  readonly requirement: string
  readonly problem?: string
}

export function createReport(coverage: Coverage): Report {
  const operations = Object.values(contract.operations).map((one) => reportOperation(one.operationId, one.deprecated, coverage))
  const kept = operations.filter(({ isDeprecated }) => !isDeprecated)
  const tried = sum(kept.map((operation) => operation.tried))
  const total = sum(kept.map((operation) => operation.total))
  const invalid = Object.entries(coverage.cells).filter(([cell, count]) => INVALID.test(cell) && count > 0)
  const questions = openQuestions.map((question) => reportQuestion(question, coverage))
  return {
    contract: coverage.contract,
    requests: coverage.requests,
    tried,
    total,
    percent: total === 0 ? 100 : Math.floor((100 * tried) / total),
    operations,
    seen: {
      'Invalid values': Object.fromEntries(invalid),
      Faults: coverage.faults,
      'Undocumented responses': coverage.undocumented,
      'Near misses': coverage.nearMisses,
    },
    questions: questions.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count),
  }
}

function reportOperation(id: string, isDeprecated: boolean, { cells, faults }: Coverage): OperationReport {
  const calls = cells[id] ?? 0
  const rows = new Map([['called', new Map([['', calls]])]])
  for (const [cell, count] of Object.entries(cells)) {
    if (!cell.startsWith(`${id}.`) || INVALID.test(cell)) continue
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

function reportQuestion({ id, question, choices }: (typeof openQuestions)[number], coverage: Coverage): QuestionReport {
  const uses = Object.entries(coverage.assumptions)
    .map(([name, count]) => ({ count, parts: /^(.*?)=(.*) (.*)$/.exec(name) ?? [] }))
    .filter(({ parts }) => parts[1] === id)
  const countOf = (choice: string) => sum(uses.filter(({ parts }) => parts[2] === choice).map(({ count }) => count))
  return {
    id,
    question,
    count: sum(uses.map(({ count }) => count)),
    choices: Object.fromEntries(choices.map((choice) => [choice.id, countOf(choice.id)])),
    operations: [...new Set(uses.map(({ parts: [, , , operation = ''] }) => (operation === '-' ? 'unknown path' : operation)))],
  }
}

/** Whether the run tried each cell and the percentage; a UsageError if a cell does not exist. */
export function judge(cells: Counts, { requests, tried, total, percent }: Report, require: readonly string[], min?: number): Verdict[] {
  const unknown = require.filter((name) => !Object.hasOwn(cells, name))
  if (unknown.length > 0) throw new UsageError(unknown.map((name) => explainUnknown(name, Object.keys(cells))))
  const verdict = (requirement: string, isMet: boolean, problem: string) => (isMet ? { requirement } : { requirement, problem })
  return [
    ...(requests > 0 ? [] : [{ requirement: 'requests', problem: 'no request was counted: did the tests call this mock?' }]),
    ...require.map((name) => verdict(`--require ${name}`, cells[name] !== 0, 'was never tried')),
    // Compared exactly: the percentage that is shown is rounded.
    ...(min === undefined ? [] : [verdict(`--min ${min}`, 100 * tried >= min * total, `only ${percent}% of the cells were tried`)]),
  ]
}

function explainUnknown(name: string, cells: readonly string[]): string {
  const near = findNear(name, cells)
  const hint = near.length > 0 ? `did you mean ${joinWords(near, 'or')}?` : `expected a cell such as ${joinWords(cells.slice(0, 2), 'or')}`
  return `--require: there is no cell ${JSON.stringify(name)}; ${hint}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
