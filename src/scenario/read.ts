// The text of a scenario document, JSON or YAML, as a value, and the way to name its problems: with the file, and in YAML with the line.
// Whether the value is a valid document is decided in check.ts.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { JsonError, parseJson } from '../contract/int64-json.ts'
import { toSentences, type Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_KEYS } from '../limits.ts'
import { isJsonFile } from './document.ts'
import { describeWithHint } from './hint.ts'

export interface ReadDocument {
  readonly value: unknown
  /** The problems as lines of a message. */
  report(problems: readonly Violation[]): readonly string[]
}

/** Reads the text of the file of that name; throws a UsageError where it is neither JSON nor YAML. */
export async function readDocument(given: string, file: string): Promise<ReadDocument> {
  // Some editors write a byte order mark.
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  if (isJsonFile(file)) {
    return {
      value: readJsonDocument(text, (problem) => `${file}: ${problem}`),
      report: (problems) => toSentences(problems, (problem) => `${file}: ${describeWithHint(problem)}`),
    }
  }
  const { readYaml } = await import('./read-yaml.ts')
  const { value, problems, findLine } = await readYaml(text)
  if (problems.length > 0) throw new UsageError(problems.map(({ line, message }) => `${file}:${line} ${message}`))
  return { value, report: (found) => reportLines(found, file, findLine) }
}

/** Reads a JSON document. A repeated key is an error, as it is in YAML: one of the two values would be lost. */
export function readJsonDocument(text: string, describe: (problem: string) => string): unknown {
  const repeated: string[] = []
  const onDuplicate = (key: string, at: number) => {
    if (repeated.length === 0) repeated.push(`the key ${describeValue(key)} is repeated at line ${text.slice(0, at).split('\n').length}`)
  }
  try {
    const value = parseJson(text, onDuplicate, MAX_DOCUMENT_KEYS)
    if (repeated.length > 0) throw new UsageError(repeated.map(describe))
    return value
  } catch (error) {
    throw error instanceof JsonError ? new UsageError(describe(error.message)) : error
  }
}

/** From the top of the file to its end. */
function reportLines(problems: readonly Violation[], file: string, findLine: (path: string) => number): string[] {
  const lineOf = new Map(problems.map((problem) => [problem, findLine(problem.path)]))
  const sorted = problems.toSorted((a, b) => (lineOf.get(a) ?? 0) - (lineOf.get(b) ?? 0))
  return toSentences(sorted, (problem) => `${file}:${lineOf.get(problem)} ${describeWithHint(problem)}`)
}
