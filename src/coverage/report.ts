// Coverage arranged for reading: the cells by operation and field, and beside them what is worth a look. Every format shows this.
// What the contract says is handed in: the console has it from the mock, and need not carry a copy.
import type { Coverage } from './coverage.ts'

export interface Report {
  readonly contract: string
  readonly requests: number
  /** The cells of the operations that stay; covering one that goes away is no merit. */
  readonly tried: number
  readonly total: number
  /** Rounded down, so that only all of them are 100. */
  readonly percent: number
  readonly operations: readonly OperationReport[]
  readonly faults: readonly (Counted & { readonly retried: number })[]
  readonly deprecated: readonly Counted[]
  readonly undocumented: readonly Counted[]
  readonly nearMisses: readonly Counted[]
  /** The assumptions that responses depended on, the one used most first. */
  readonly questions: readonly QuestionReport[]
}

export interface Counted {
  readonly name: string
  readonly count: number
}

export interface OperationReport {
  readonly id: string
  readonly isDeprecated: boolean
  readonly calls: number
  readonly tried: number
  readonly total: number
  /** The call itself, then the responses, then one for each parameter and body field. */
  readonly rows: readonly ReportRow[]
}

export interface ReportRow {
  /** `called`, `responses`, or the name of the field. */
  readonly name: string
  readonly cells: readonly CellReport[]
}

interface CellReport extends Counted {
  /** What requirements call it; `name` is the part that its row does not say. */
  readonly id: string
}

export interface QuestionReport {
  readonly id: string
  readonly question: string
  readonly silence: string
  readonly count: number
  readonly choices: readonly (Counted & { readonly meaning: string; readonly isDefault: boolean })[]
  /** The operations that were called. */
  readonly operations: readonly Counted[]
  readonly tests: readonly string[]
}

/** What the journal calls a near miss by its status alone. */
const MISSES: Readonly<Record<string, string>> = { 404: 'Unknown path', 405: 'Method not allowed' }

interface Question {
  readonly id: string
  readonly question: string
  readonly silence: string
  readonly default: string
  readonly choices: readonly { readonly id: string; readonly meaning: string }[]
}

/** `described` are the operations of the contract, `open` the questions that it leaves open. */
export function arrange(
  coverage: Coverage,
  described: readonly Pick<OperationReport, 'id' | 'isDeprecated'>[],
  open: readonly Question[],
): Report {
  const operations = described.map(({ id, isDeprecated }) => toOperation(id, isDeprecated, coverage))
  const kept = operations.filter(({ isDeprecated }) => !isDeprecated)
  const tried = sum(kept.map((operation) => operation.tried))
  const total = sum(kept.map((operation) => operation.total))
  return {
    contract: coverage.contract,
    requests: coverage.requests,
    tried,
    total,
    percent: total === 0 ? 100 : Math.floor((100 * tried) / total),
    operations,
    faults: namesAfter('fault:', coverage).map((fault) => ({ ...fault, retried: coverage.beside[`retried:${fault.name}`] ?? 0 })),
    deprecated: operations
      .filter(({ isDeprecated, calls }) => isDeprecated && calls > 0)
      .map(({ id, calls }) => ({ name: id, count: calls })),
    undocumented: namesAfter('undocumented:', coverage),
    nearMisses: namesAfter('near-miss:', coverage).map(({ name, count }) => ({ name: toMiss(name), count })),
    questions: open
      .map((question) => toQuestion(question, coverage))
      .filter(({ count }) => count > 0)
      .sort((left, right) => right.count - left.count),
  }
}

/** How many of the cells of a row were tried. */
export function countTried(cells: readonly Counted[]): number {
  return cells.filter(({ count }) => count > 0).length
}

function toOperation(id: string, isDeprecated: boolean, { cells }: Coverage): OperationReport {
  const calls = cells[id] ?? 0
  const rows = new Map<string, CellReport[]>([
    ['called', [{ id, name: 'called', count: calls }]],
    ['responses', []],
  ])
  for (const [cell, count] of Object.entries(cells)) {
    if (!cell.startsWith(`${id}.`)) continue
    const rest = cell.slice(id.length + 1)
    const equals = rest.indexOf('=')
    const row = equals < 0 ? 'responses' : rest.slice(0, equals)
    rows.set(row, [...(rows.get(row) ?? []), { id: cell, name: rest.slice(equals + 1), count }])
  }
  const all = [...rows.values()].flat()
  return {
    id,
    isDeprecated,
    calls,
    tried: countTried(all),
    total: all.length,
    rows: [...rows].map(([name, inRow]) => ({ name, cells: inRow })),
  }
}

function toQuestion({ id, question, silence, choices, default: usual }: Question, coverage: Coverage): QuestionReport {
  // `assumption:list-order=oldest-first listPets`, `-` if the path was unknown.
  const uses = namesAfter(`assumption:${id}=`, coverage).map(({ name, count }) => {
    const [choice = '', operation = '-'] = name.split(' ')
    return { choice, operation: operation === '-' ? 'unknown path' : operation, count }
  })
  const countOf = (some: typeof uses) => sum(some.map(({ count }) => count))
  return {
    id,
    question,
    silence,
    count: countOf(uses),
    choices: choices.map((choice) => ({
      name: choice.id,
      meaning: choice.meaning,
      isDefault: choice.id === usual,
      count: countOf(uses.filter((use) => use.choice === choice.id)),
    })),
    operations: [...new Set(uses.map(({ operation }) => operation))].map((name) => ({
      name,
      count: countOf(uses.filter(({ operation }) => operation === name)),
    })),
    tests: coverage.tests[id] ?? [],
  }
}

function namesAfter(start: string, { beside }: Coverage): Counted[] {
  return Object.entries(beside)
    .filter(([name]) => name.startsWith(start))
    .map(([name, count]) => ({ name: name.slice(start.length), count }))
}

function toMiss(name: string): string {
  return MISSES[name] ?? (/^\d+$/.test(name) ? `Rejected with ${name}` : name)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
