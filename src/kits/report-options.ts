// The options that the kits for test runners share: how long matchers wait, and which requests fail a test.
import { integerBetween, type OptionRule, type OptionRules } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { MISSTEPS, type Misstep } from './describe-request.ts'

export interface ReportOptions {
  /** How long matchers wait for a request, in milliseconds; 1,000 by default. */
  readonly timeout?: number
  /** Fails a test that sends such a request: to an unknown path, for a deprecated operation, or an invalid one. None by default. */
  readonly failOn?: readonly Misstep[]
}

const MAX_TIMEOUT_MS = 60_000

export const reportRules: OptionRules<ReportOptions> = {
  timeout: integerBetween(0, MAX_TIMEOUT_MS),
  failOn: {
    expected: `a list of ${list(Object.keys(MISSTEPS), 'or')}`,
    fits: (value) => Array.isArray(value) && value.every((one) => Object.hasOwn(MISSTEPS, one)),
  },
}

export function oneOf(values: readonly string[]): OptionRule {
  return {
    expected: list(
      values.map((value) => JSON.stringify(value)),
      'or',
    ),
    fits: (value) => values.includes(value as string),
  }
}
