// The text of a scenario document, JSON or YAML, as a value, and the way to name problems of it with file and line. Whether
// the value is a valid document is decided in check.ts.
import { UsageError } from '../contract/errors.ts'
import { type Json, JsonError, parseJson } from '../contract/int64-json.ts'
import { toSentences, type Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH } from '../limits.ts'
import { toDocumentSentence } from './check.ts'
import { readYaml, type YamlReading } from './read-yaml.ts'

export interface ParsedText {
  readonly value: unknown
  /** What is valid YAML, but not plain data. */
  readonly problems: readonly Violation[]
  /** The problems with file and line, from the top of the file to its end. */
  report(problems: readonly Violation[]): Promise<string[]>
}

/** Reads the text of the file of that name; a UsageError says where it is neither JSON nor YAML. */
export async function parseText(text: string, file: string): Promise<ParsedText> {
  const quick = /\.json$/i.test(file) ? readJson(text, file) : undefined
  if (quick !== undefined) {
    return { value: quick, problems: [], report: async (problems) => toReport(problems, file, await readYaml(text)) }
  }
  const reading = await readYaml(text)
  const { value, syntaxErrors } = reading
  if (syntaxErrors.length > 0) throw new UsageError(syntaxErrors.map(({ line, message }) => `${file}:${line} ${message}`))
  return { value, problems: reading.problems, report: async (problems) => toReport(problems, file, reading) }
}

/** JSON by our own parser, far quicker than YAML's; nothing where only that one can say what is wrong, and in which line. */
function readJson(text: string, file: string): Json | undefined {
  let hasDuplicates = false
  try {
    const value = parseJson(text, () => {
      hasDuplicates = true
    })
    return hasDuplicates || isDeeper(value, MAX_DOCUMENT_DEPTH) ? undefined : value
  } catch (error) {
    if (error instanceof JsonError) throw new UsageError(`${file}: ${error.message}`)
    throw error
  }
}

function isDeeper(value: Json, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((item) => isDeeper(item, limit - 1))
}

/** One problem for each place: what was refused as YAML is not held against the schema as well. */
function toReport(problems: readonly Violation[], file: string, { lineOf }: YamlReading): string[] {
  const first = new Map<string, Violation>()
  for (const problem of problems) if (!('more' in problem) && !first.has(problem.path)) first.set(problem.path, problem)
  const lines = new Map([...first.values()].map((problem) => [problem, lineOf(problem.path)]))
  const inOrder = [...lines].sort(([, left], [, right]) => left - right).map(([problem]) => problem)
  return toSentences(
    [...inOrder, ...problems.filter((problem) => 'more' in problem)],
    (problem) => `${file}:${lines.get(problem)} ${toDocumentSentence(problem)}`,
  )
}
