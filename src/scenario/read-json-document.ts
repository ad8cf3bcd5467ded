// Reads the text of a JSON document, such as a scenario or a line of a recording.
import { UsageError } from '../contract/errors.ts'
import type { JsonLimits } from '../contract/int64-json.ts'
import { failAt, JsonError, parseJson } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS } from '../contract/limits.ts'
import type { Problem } from '../contract/problem.ts'
import { describeValue } from '../contract/values.ts'

/** Where the text is from: its file, or the body of a request. */
type Source = Pick<Problem, 'at'> & { readonly of?: 'body' }

/**
 * Reads a JSON document. A repeated key is an error, as it is in YAML: one of the two values would
 * be lost.
 */
export function readJsonDocument(text: string, source: Source = {}, max?: JsonLimits): unknown {
  const { at } = source
  const onDuplicate = (key: string, offset: number) =>
    failAt({ text, at: offset }, `the key ${describeValue(key)} is repeated`)
  try {
    return parseJson(text, onDuplicate, { keys: MAX_DOCUMENT_KEYS, ...max })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { line, ...problem } = error.problem
    if (at) throw new UsageError({ ...problem, at: { line, ...at } })
    throw new UsageError({ ...error.problem, ...source })
  }
}
