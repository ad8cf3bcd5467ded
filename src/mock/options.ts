// Options as a caller passes them to a public door. Each is read once, own fields only, and checked against a table, so that a wrong
// name or a wrong type is one clear line instead of silence or a TypeError from somewhere inside.
import { describeValue, isObject, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { describeSchema, findViolations, type Schema } from '../contract/schema.ts'
import { joinWords } from '../contract/text.ts'
import { suggest } from '../near-names.ts'

/** What one option must be. */
export interface OptionRule {
  /** In words, after "must be": `true or false`. */
  readonly expected: string
  fits(value: unknown): boolean
  /** A better line for a common mistake. */
  explain?(value: unknown): string | undefined
}

export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule }

/** For an option that has its own check where it is used. */
export const CHECKED_LATER: OptionRule = { expected: 'valid', fits: () => true }
export const BOOLEAN: OptionRule = { expected: 'true or false', fits: (value) => typeof value === 'boolean' }

/** A string like the example. */
export function stringLike(example: string): OptionRule {
  return { expected: `a string such as ${JSON.stringify(example)}`, fits: (value) => typeof value === 'string' }
}

export function objectLike(example: string): OptionRule {
  return { expected: `an object such as ${example}`, fits: isPlainObject }
}

export function oneOf(values: readonly string[]): OptionRule {
  const quoted = values.map((value) => JSON.stringify(value))
  return { expected: joinWords(quoted, 'or'), fits: (value) => values.includes(value as string) }
}

/** What a schema says, in its words. */
export function matching(name: string, schema: Schema): OptionRule {
  const explain = (value: unknown) => findViolations(schema, value, name).map(say).join('; ')
  return { expected: describeSchema(schema), fits: (value) => findViolations(schema, value).length === 0, explain }
}

export function integerBetween(low: number, high: number): OptionRule {
  return {
    expected: `an integer from ${low} to ${high}`,
    fits: (value) => Number.isInteger(value) && (value as number) >= low && (value as number) <= high,
  }
}

/**
 * A plain copy of the options, if all of them are known and right; otherwise a UsageError with one line for each that is not.
 * A field that is inherited or undefined counts as absent. `explainUnknown` can say where an option of that name belongs.
 */
export function readOptions<Options extends object>(
  door: string,
  rules: OptionRules<Options>,
  given: unknown,
  explainUnknown: (name: string) => string | undefined = () => undefined,
): Options {
  if (given === undefined) return {} as Options
  if (!isPlainObject(given)) {
    throw new UsageError(`${door}: options must be ${isObject(given) ? 'a plain object' : 'an object'}, got ${describeValue(given)}`)
  }
  const known = Object.keys(rules)
  const whole = `the options are ${joinWords(known, 'and')}`
  const problems: string[] = []
  const options: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value === undefined) continue
    const rule = Object.hasOwn(rules, name) ? (rules as Record<string, OptionRule>)[name] : undefined
    if (!rule) problems.push(`${door}: unknown option ${describeValue(name)}; ${explainUnknown(name) ?? suggest(name, known, whole)}`)
    else if (!rule.fits(value)) {
      problems.push(`${door}: ${rule.explain?.(value) ?? `${name} must be ${rule.expected}, got ${describeValue(value)}`}`)
    } else options[name] = value
  }
  if (problems.length > 0) throw new UsageError(problems)
  return options as Options
}
