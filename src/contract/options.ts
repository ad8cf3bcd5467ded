// Refuses what a tester passed to a public function, in one clear line for each problem, with what was probably meant.
import { isPlainObject, withoutUndefined } from './describe-value.ts'
import { UsageError } from './errors.ts'
import { addCaller, findNear, type Problem } from './problem.ts'
import { findViolations, objectOf, type Schema } from './schema.ts'

export type OptionSchemas<Options> = { readonly [Name in keyof Required<Options>]: Schema }

export const CHECKED_LATER: Schema = {}
export const BOOLEAN: Schema = { type: 'boolean' }
export const TEXT: Schema = { type: 'string' }
export const INT64: Schema = { type: 'integer', format: 'int64' }
export const PORT = { type: 'integer', minimum: 0, maximum: 65_535 } as const
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
  const isPlain = isPlainObject(given)
  const options = isPlain ? withoutUndefined({ ...given }) : given
  throwIfAny(findViolations(objectOf(required, properties), options, isPlain ? '' : 'options'), caller)
  return options as Options
}

export function checkValue<T>(schema: Schema, value: T, path = ''): T {
  throwIfAny(findViolations(schema, value, path))
  return value
}

export function throwIfAny(problems: readonly Problem[], caller?: string): void {
  const hinted = problems.map(addHint)
  if (problems.length > 0) throw new UsageError(caller ? addCaller(hinted, caller) : hinted)
}

const OTHER_NAMES = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({ animals: 'pets', code: 'status', probability: 'rate', count: 'times', keys: 'apiKeys' }),
)

export function addHint(problem: Problem): Problem {
  if (problem.kind === 'unknown-field') {
    const other = OTHER_NAMES.get(problem.name) ?? ''
    return withNear(problem, problem.known.includes(other) ? other : findNear(problem.name, problem.known)[0])
  }
  if (problem.kind !== 'mismatch') return problem
  const { path, got = '', choices = [] } = problem
  const isPercentage = /\brate$/.test(path) && Number(got) > 1 && Number(got) <= 100
  // A short text is shown as JSON.
  return withNear(problem, isPercentage ? String(Number(`${got}e-2`)) : findNear(got.replace(/^"(.*)"$/, '$1'), choices)[0])
}

const withNear = (problem: Problem, near?: string) => (near === undefined ? problem : ({ ...problem, near } as Problem))
