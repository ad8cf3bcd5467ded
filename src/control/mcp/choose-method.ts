// Which control method a call of a tool means. An agent may name it in `call`, or let the arguments
// decide.
import { mismatch, UsageError } from '../../contract/errors.ts'
import { joinWords } from '../../contract/problem.ts'
import type { ControlMethod } from '../control.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'

/**
 * Without `call`, the tool's usual method, if it takes the arguments; or else the only one that
 * fits. A call that fits none or several is refused: a tool never guesses what to change.
 */
export function chooseMethod(
  rows: readonly NamedRow[],
  usual: ControlMethod | undefined,
  call: unknown,
  input: Input,
): NamedRow {
  if (call !== undefined) return findNamed(rows, call)
  const preset = rows.find(([name]) => name === usual)
  const given = Object.keys(input)
  if (preset && takes(preset[1], given)) return preset
  const fitting = rows.filter(([, row]) => fits(row, given))
  const [only, ...others] = fitting
  if (only && others.length === 0) return only
  // The check of its arguments says what is wrong with them.
  if (preset) return preset
  throw explainChoice(rows, fitting, given)
}

function findNamed(rows: readonly NamedRow[], call: unknown): NamedRow {
  const found = rows.find(([name]) => name === call)
  if (found) return found
  throw mismatch('call', listNames(rows))
}

/** All required arguments are given, and every given argument is one of its own. */
function fits(row: MethodRow, given: readonly string[]): boolean {
  if (!takes(row, given) || findMissing(row, given).length > 0) return false
  // A call without arguments means nothing in particular, and a removal without required arguments
  // may remove everything: an agent has to name that.
  const isVague = given.length === 0 || (row.method === 'DELETE' && !row.required)
  return !isVague
}

function takes(row: MethodRow, given: readonly string[]): boolean {
  return given.every((name) => Object.hasOwn(row.input ?? {}, name))
}

function findMissing(row: MethodRow, given: readonly string[]): string[] {
  const { required = [] } = row
  return required.filter((name) => !given.includes(name))
}

/** Names the methods that fit, or what each of them lacks. */
function explainChoice(
  rows: readonly NamedRow[],
  fitting: readonly NamedRow[],
  given: readonly string[],
): UsageError {
  if (fitting.length > 0) return mismatch('call', listNames(fitting))
  const lacks: string[] = []
  for (const [name, row] of rows) {
    const missing = findMissing(row, given)
    if (takes(row, given) && missing.length > 0)
      lacks.push(`${name} requires ${joinWords(missing, 'and')}`)
  }
  const expected = listNames(rows)
  const advice = lacks.join(', ')
  return new UsageError({ kind: 'mismatch', path: 'call', expected, ...(advice && { advice }) })
}

function listNames(rows: readonly NamedRow[]): string {
  const names = rows.map(([name]) => name)
  return joinWords(names, 'or')
}
