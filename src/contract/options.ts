// Checks what a tester passes to a public function. Each problem has a line, with a suggestion.
import { UsageError } from './errors.ts'
import { addCaller, type Problem } from './problem.ts'
import { findViolations, objectOf, type Schema } from './schema.ts'
import { isPlainObject, withoutUndefined } from './values.ts'

export type FindProblems = (value: unknown, path: string) => readonly Problem[]
/** Any part may still have the wrong type. */
export type Unchecked<T> = { readonly [Key in keyof T]?: unknown }
export type OptionSchemas<Options> = { readonly [Name in keyof Required<Options>]: Schema }

export const CHECKED_LATER: Schema = {}
export const BOOLEAN: Schema = { type: 'boolean' }
export const TEXT: Schema = { type: 'string' }
export const COUNT: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
export const INT64: Schema = { type: 'integer', format: 'int64' }
export const PORT = { type: 'integer', minimum: 0, maximum: 65_535 } as const
/** Up to a day. */
export const TIMEOUT_MS: Schema = { type: 'integer', minimum: 1, maximum: 86_400_000 }
/** 0 for no response. */
export const LOGGED_STATUS: Schema = { type: 'integer', minimum: 0, maximum: 599 }
export const FUNCTION: Schema = { type: 'function' }
export const OBJECT: Schema = { type: 'object' }

/** Returns a copy. A field that is inherited or undefined counts as absent. */
export function readOptions<Options extends object>(
  caller: string,
  properties: OptionSchemas<Options>,
  given: unknown = {},
  required: readonly (keyof Options & string)[] = [],
): Options {
  const schema = objectOf(required, properties)
  if (!isPlainObject(given)) {
    throwIfAny(findViolations(schema, given, 'options'), caller)
    return given as Options
  }
  const options = withoutUndefined({ ...given })
  throwIfAny(findViolations(schema, options), caller)
  return options as Options
}

export function checkValue<T>(
  schema: Schema,
  value: T,
  path = '',
  findMore: FindProblems = () => [],
): T {
  throwIfAny([...findViolations(schema, value, path), ...findMore(value, path)])
  return value
}

export function throwIfAny(problems: readonly Problem[], caller?: string): void {
  if (problems.length === 0) return
  throw new UsageError(caller ? addCaller(problems, caller) : problems)
}
