// The text of a scenario document, JSON or YAML, as a value, and the way to place its problems: in the file, and in YAML on a line.
// Whether the value is a valid document is decided in check.ts.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { addHint } from '../contract/hint.ts'
import { findLine, JsonError, type JsonLimits, parseJson } from '../contract/int64-json.ts'
import type { Problem } from '../contract/problem.ts'
import { MAX_DOCUMENT_KEYS } from '../limits.ts'
import { isJsonFile } from './document.ts'

/** Reads the text of the file of that name; throws a UsageError where it is neither JSON nor YAML. `place` adds the place and hints to problems. */
export async function readDocument(given: string, file: string, max?: JsonLimits) {
  // Some editors write a byte order mark.
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  if (isJsonFile(file)) {
    return {
      value: readJsonDocument(text, { at: { file } }, max),
      place: (problems: readonly Problem[]) => problems.map((problem) => ({ ...addHint(problem), at: { file } })),
    }
  }
  const { readYaml } = await import('./read-yaml.ts')
  const { value, problems, findLine } = await readYaml(text)
  if (problems.length > 0) {
    throw new UsageError(problems.map(({ line, message }) => ({ kind: 'syntax', found: message, at: { file, line } })))
  }
  const toLine = (problem: Problem) => findLine('path' in problem ? (problem.path ?? '') : '')
  const place = (found: readonly Problem[]) => found.map((problem) => ({ ...addHint(problem), at: { file, line: toLine(problem) } }))
  // From the top of the file to its end.
  return { value, place: (found: readonly Problem[]) => place(found).sort((one, other) => one.at.line - other.at.line) }
}

/** Reads a JSON document. A repeated key is an error, as it is in YAML: one of the two values would be lost. */
export function readJsonDocument(text: string, where: Pick<Problem, 'at'> | { readonly of: 'body' } = {}, max: JsonLimits = {}): unknown {
  const repeated: Problem[] = []
  const onDuplicate = (key: string, at: number) => {
    if (repeated.length > 0) return
    repeated.push({ kind: 'syntax', found: `the key ${describeValue(key)} is repeated`, line: findLine(text, at), ...where })
  }
  try {
    const value = parseJson(text, onDuplicate, { keys: MAX_DOCUMENT_KEYS, ...max })
    if (repeated.length > 0) throw new UsageError(repeated)
    return value
  } catch (error) {
    throw error instanceof JsonError ? new UsageError({ ...error.problem, ...where }) : error
  }
}
