// A flag as data, for the command line, its variables and the bindings of a Worker.
import { mismatch, rethrow, UsageError } from '../../contract/errors.ts'
import { checkValue } from '../../contract/options.ts'
import { addCaller } from '../../contract/problem.ts'
import { readTyped, type Schema } from '../../contract/schema.ts'

export interface Flag {
  /**
   * As help shows it: `-p, --port <n>` takes a value, `--api-key <key...>` several, `--watch` none.
   */
  readonly syntax: string
  readonly help: string
  /**
   * The heading in help. Such a flag has a variable too: `--cors-origin` is
   * ANIMAL_STORE_CORS_ORIGIN.
   */
  readonly group?: string
  /**
   * Throws a UsageError, which names the flag, for what the mock would refuse. Without it the text
   * is the value.
   */
  readonly parse?: (text: string) => unknown
  readonly default?: string
  readonly conflicts?: readonly string[]
  /** The flag whose value this one sets instead. */
  readonly sets?: string
}

/** By the names of their values: `--ready-file` is `readyFile`, `--no-control` is `control`. */
export type FlagTable = Readonly<Record<string, Flag>>

type Single<Row> = Row extends { parse: (text: string) => infer Value } ? Value : string
type ValueOf<Row extends Flag> = Row['syntax'] extends `${string}...>`
  ? readonly Single<Row>[]
  : Row['syntax'] extends `${string}>`
    ? Single<Row>
    : boolean
/** A flag with a default always has a value, and so has `--no-…`. */
type AlwaysSet = { default: string } | { syntax: `--no-${string}` }

export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table as Table[Name] extends AlwaysSet ? Name : never]: ValueOf<
    Table[Name]
  >
} & {
  readonly [Name in keyof Table as Table[Name] extends AlwaysSet ? never : Name]?: ValueOf<
    Table[Name]
  >
}

/** `CORS_ORIGIN` for `--cors-origin`, in a Worker. */
export function nameBinding(syntax: string): string {
  const [, long = ''] = /--([a-z-]+)/.exec(syntax) ?? []
  return long.replaceAll('-', '_').toUpperCase()
}

/** `ANIMAL_STORE_CORS_ORIGIN` for `--cors-origin`. */
export const nameVariable = (syntax: string): string => `ANIMAL_STORE_${nameBinding(syntax)}`

/** Parses a text. An error names the flag or variable, but not the text, which may be a secret. */
export function parseAt(place: string, parse: (text: string) => unknown, text: string): unknown {
  try {
    if (text === '' || text.startsWith('--')) throw new UsageError('expected a value')
    return parse(text)
  } catch (error) {
    return rethrow(error, (problems) => addCaller(problems, place))
  }
}

export function readFlag(flag: Pick<Flag, 'syntax' | 'parse'>, text: string, place: string) {
  const { syntax } = flag
  if (!syntax.endsWith('>')) return parseAt(place, parseSwitch, text)
  const { parse = String } = flag
  if (!syntax.endsWith('...>')) return parseAt(place, parse, text)
  return splitList(text).map((part) => parseAt(place, parse, part))
}

export function parseSwitch(text: string): boolean {
  const isOn = /^(?:1|true|yes|on)$/i.test(text)
  if (!isOn && !/^(?:0|false|no|off)$/i.test(text)) throw mismatch('', '1 or 0', { got: text })
  return isOn
}

export function splitList(text: string): string[] {
  return text.replace(/^[\s,]+|[\s,]+$/g, '').split(/[\s,]+/)
}

export function parseBy<T>(schema: Schema): (text: string) => NoInfer<T> {
  return (text) => checkValue(schema, readTyped(schema, text)) as NoInfer<T>
}

/** Not generic: in a row of `settingTexts` the compiler would lose the types of the flags. */
export function parseNumberBy(schema: Schema): (text: string) => number {
  return parseBy<number>(schema)
}
