// The text of a scenario document, JSON or YAML, as a value that has been checked; every problem comes with its file and line.
import { UsageError } from '../contract/errors.ts'
import { type Json, JsonError, parseJson } from '../contract/int64-json.ts'
import { toSentence, toSentences, type Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH } from '../limits.ts'
import { findDocumentProblems, type ScenarioDocument } from './document.ts'
import { readYaml, type YamlReading } from './read-yaml.ts'

/** A document that is right by itself. */
export interface ParsedDocument {
  readonly document: ScenarioDocument
  /** The report on problems that only show when the document is put to use. */
  report(problems: readonly Violation[]): Promise<string[]>
}

/** Reads the text of the file of that name; throws a UsageError that names every problem. */
export async function parseDocument(text: string, file: string): Promise<ParsedDocument> {
  const quick = /\.json$/i.test(file) ? readJson(text, file) : undefined
  if (quick !== undefined && findDocumentProblems(quick).length === 0) {
    return { document: quick as ScenarioDocument, report: async (problems) => toReport(problems, file, await readYaml(text)) }
  }
  const reading = await readYaml(text)
  const { value, syntaxErrors } = reading
  if (syntaxErrors.length > 0) throw new UsageError(syntaxErrors.map(({ line, message }) => `${file}:${line} ${message}`))
  const problems = [...reading.problems, ...findDocumentProblems(value)]
  if (problems.length > 0) throw new UsageError(toReport(problems, file, reading))
  return { document: value as ScenarioDocument, report: async (later) => toReport(later, file, reading) }
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

/** The problems from the top of the file to its end; what was refused already is not held against the schema as well. */
function toReport(problems: readonly Violation[], file: string, { lineOf }: YamlReading): string[] {
  const first = new Map<string, Violation>()
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem)
  const inOrder = [...first.values()].sort((left, right) => lineOf(left.path) - lineOf(right.path))
  return toSentences(
    inOrder,
    (problem) => `${file}:${lineOf(problem.path)} ${toSentence({ ...problem, path: problem.path || 'scenario' })}`,
  )
}
