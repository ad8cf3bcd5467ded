// Which control method a call of a tool means. An agent may name it in `call`, or pass an argument
// that only one method takes.
import { mismatch, UsageError } from '../../contract/errors.ts'
import { joinWords, type Problem } from '../../contract/problem.ts'
import { findViolations, objectOf } from '../../contract/schema.ts'
import type { ControlMethod } from '../control.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'
import { mergeFields } from './tool-arguments.ts'

/**
 * `usual` is for tools that only read. What a write means is never guessed from arguments that are
 * missing: any that could mean two methods is refused.
 */
export function chooseMethod(
  rows: readonly NamedRow[],
  usual: ControlMethod | undefined,
  call: unknown,
  input: Input,
): NamedRow {
  if (call !== undefined) return findNamed(rows, call)
  // A method that is not in doubt is chosen whatever the arguments: their check explains them.
  const [first, ...furtherRows] = rows
  if (first && furtherRows.length === 0) return first
  const given = Object.keys(input)
  const taking = rows.filter(([, row]) => takes(row, given))
  const preset = rows.find(([name]) => name === usual)
  if (preset && taking.includes(preset)) return preset
  const [only, ...furtherTaking] = taking
  const isNamed = given.length > 0 && furtherTaking.length === 0
  if (only && isNamed) return only
  if (preset) return preset
  throw explainChoice(rows, taking, given)
}

function findNamed(rows: readonly NamedRow[], call: unknown): NamedRow {
  const found = rows.find(([name]) => name === call)
  if (found) return found
  throw mismatch('call', listNames(rows))
}

function takes(row: MethodRow, given: readonly string[]): boolean {
  return given.every((name) => Object.hasOwn(row.input ?? {}, name))
}

function findMissing(row: MethodRow, given: readonly string[]): string[] {
  const { required = [] } = row
  return required.filter((name) => !given.includes(name))
}

/** Names the methods that could be meant, and what the others lack; or the unknown arguments. */
function explainChoice(
  rows: readonly NamedRow[],
  taking: readonly NamedRow[],
  given: readonly string[],
): UsageError {
  const unknown = findUnknown(rows, given)
  if (unknown.length > 0) return new UsageError(unknown)
  const possible = taking.length > 0 ? taking : rows
  const ready = possible.filter(([, row]) => findMissing(row, given).length === 0)
  const lacks = possible.flatMap(([name, row]) => {
    const missing = findMissing(row, given)
    return missing.length === 0 ? [] : `${name} requires ${joinWords(missing, 'and')}`
  })
  const expected = listNames(ready.length > 0 ? ready : possible)
  const problem = { kind: 'mismatch', path: 'call', expected } as const
  if (lacks.length === 0) return new UsageError(problem)
  return new UsageError({ ...problem, advice: lacks.join(', ') })
}

/** What no method of the tool takes. */
function findUnknown(rows: readonly NamedRow[], given: readonly string[]): Problem[] {
  const known = mergeFields(rows)
  const values = Object.fromEntries(given.map((name) => [name, null]))
  const problems = findViolations(objectOf([], known), values)
  return problems.filter((problem) => problem.kind === 'unknown-field')
}

function listNames(rows: readonly NamedRow[]): string {
  const names = rows.map(([name]) => name)
  return joinWords(names, 'or')
}
