// The one way to refuse a value that a tester hands in.
import { UsageError } from './errors.ts'
import { findViolations, type Schema, toSentences } from './schema.ts'

/** The value, if it fits the schema; otherwise a UsageError names every problem. `path` is what messages call the value. */
export function check<T>(schema: Schema, value: unknown, path = ''): T {
  const violations = findViolations(schema, value, path)
  if (violations.length > 0) throw new UsageError(toSentences(violations))
  return value as T
}
