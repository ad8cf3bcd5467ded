// Checks the call of a control method: its name, its arguments, and what it found.
import { notFound } from '../contract/errors.ts'
import { checkValue, OBJECT, throwIfAny } from '../contract/options.ts'
import {
  type Fields,
  findViolations,
  objectOf,
  readTyped,
  type Schema,
} from '../contract/schema.ts'
import { withoutUndefined } from '../contract/values.ts'
import type { ControlMethod } from './control.ts'
import type { Input, MethodRow } from './method-row.ts'
import { methods } from './methods.ts'

export function checkCall(name: ControlMethod, given: Input): Input {
  checkValue({ enum: Object.keys(methods) }, name, 'name')
  checkValue(OBJECT, given, 'input')
  return checkInput(methods[name], given)
}

/** A copy of the arguments, with defaults. One that is undefined counts as absent. */
export function checkInput(
  row: Pick<MethodRow, 'input' | 'required' | 'findProblems'>,
  given: Input,
): Input {
  const { input = {}, required = [], findProblems } = row
  const defaults = readDefaults(input)
  const entries = Object.entries({ ...defaults, ...withoutUndefined(given) })
  // Not by assignment, since a field of a body may be called `__proto__`.
  const values = Object.fromEntries(
    entries.map(([name, value]) => [name, coerce(input[name], value)]),
  )
  const violations = findViolations(objectOf(required, input), values)
  const others = findProblems?.(values) ?? []
  throwIfAny([...violations, ...others])
  return values
}

function readDefaults(input: Fields): Input {
  const defaults: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(input)) {
    if (schema.default !== undefined) defaults[name] = schema.default
  }
  return defaults
}

/** A query has only texts, and agents mix up texts and numbers. */
function coerce(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return value
  if (typeof value === 'string') return readTyped(schema, value)
  if (typeof value === 'number' && schema.type === 'string') return String(value)
  return value
}

/**
 * For people and agents, whose key without a sandbox is probably a typo. Programs may start it with
 * any write.
 */
export function checkSandbox(row: MethodRow, key: string, keys: readonly string[]): void {
  if (row.starts || keys.includes(key)) return
  const hint = 'the first request with that key starts it, and so does a load'
  throw notFound('Sandbox', key, keys, hint)
}

export function checkFound<T extends { readonly result?: unknown }>(
  row: MethodRow,
  id: unknown,
  found: T,
): T {
  const isMissing = found.result === false || found.result === undefined
  if (row.of && isMissing) throw notFound(row.of, id)
  return found
}
