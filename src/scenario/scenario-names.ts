// The names of scenarios: which are files, of what kind, and which scenarios are shipped.
import { MAX_SCENARIO_NAME_CHARACTERS } from '../contract/limits.ts'
import { joinWords, type Problem } from '../contract/problem.ts'
import { describeValue } from '../contract/values.ts'
import type { ReadScenario } from '../world/scenario.ts'

/** No shipped name has a slash, a dot, or the `#` before a row of a recording. */
export const isScenarioFile = (name: string): boolean => /[\\/.#]/.test(name)
export const isJsonFile = (file: string): boolean => /\.json$/i.test(file)
export const isYamlFile = (file: string): boolean => /\.ya?ml$/i.test(file)

/** Without its folder and its ending. */
export function nameOfFile(file: string): string {
  const [, name = ''] = /([^\\/]+?)(?:\.[^.\\/]*)?$/.exec(file) ?? []
  return name.slice(0, MAX_SCENARIO_NAME_CHARACTERS)
}

export type Shipped = Readonly<Record<string, ReadScenario>>

/**
 * The shipped scenario of that name, or the problem with the field at `path`, which may have one of
 * `others` too.
 */
export function findShipped(
  shipped: Shipped,
  name: unknown,
  path: string,
  others = '',
): ReadScenario | Problem {
  const choices = Object.keys(shipped)
  const found = choices.find((one) => one === name)
  if (found !== undefined) return shipped[found] as ReadScenario
  return {
    kind: 'mismatch',
    path,
    expected: joinWords(choices, 'or') + others,
    got: describeValue(name),
    choices,
  }
}
