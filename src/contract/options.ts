// Options as a caller passes them to a public function: own fields only, each read once and held against its schema, so that a wrong name
// or a wrong type is one clear line that names the caller.
import { isPlainObject, withoutUndefined } from './describe-value.ts'
import { UsageError } from './errors.ts'
import { addHint } from './hint.ts'
import type { Problem } from './problem.ts'
import { findViolations, type Schema } from './schema.ts'

export type OptionSchemas<Options> = { readonly [Name in keyof Required<Options>]: Schema }

/** For an option that has its own check where it is used. */
export const CHECKED_LATER: Schema = {}
export const BOOLEAN: Schema = { type: 'boolean' }
export const TEXT: Schema = { type: 'string' }

/** A plain copy of the options; a UsageError names every problem. A field that is inherited or undefined counts as absent. */
export function readOptions<Options extends object>(caller: string, properties: OptionSchemas<Options>, given: unknown): Options {
  if (given === undefined) return {} as Options
  const isPlain = isPlainObject(given)
  const options = isPlain ? withoutUndefined({ ...given }) : given
  refuse(findViolations({ type: 'object', additionalProperties: false, properties }, options, isPlain ? '' : 'options'), caller)
  return options as Options
}

/** Throws a UsageError if there are problems, with hints and the caller's name. */
export function refuse(problems: readonly Problem[], caller?: string): void {
  if (problems.length > 0) throw new UsageError(problems.map((problem) => ({ ...addHint(problem), ...(caller && { caller }) })))
}
