// The text of a scenario document, JSON or YAML, as a value, and the way to name problems of it with file and line. Whether
// the value is a valid document is decided in check.ts.
import { UsageError } from '../contract/errors.ts'
import { JsonError } from '../contract/int64-json.ts'
import { toSentences, type Violation } from '../contract/schema.ts'
import { toDocumentSentence } from './check.ts'
import { findJsonLines, type JsonReading, readJson } from './read-json.ts'
import { type YamlReader, yamlReader } from './read-yaml.ts'
import { isJsonFile } from './scenario-file.ts'

export interface ParsedText {
  readonly value: unknown
  /** What the format allows, but a scenario does not. */
  readonly problems: readonly Violation[]
  /** The problems with file and line, from the top of the file to its end. */
  report(problems: readonly Violation[]): Promise<string[]>
}

/** Reads the text of the file of that name; a UsageError says where it is neither JSON nor YAML. */
export async function parseText(given: string, file: string, yaml: YamlReader = yamlReader): Promise<ParsedText> {
  // Some editors write a byte order mark; a text that was sent may still have it, as its file has.
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given
  if (isJsonFile(file)) {
    const report = async (problems: readonly Violation[]) => toReport(problems, file, async (paths) => findJsonLines(text, paths))
    return { ...parseJsonText(text, file), report }
  }
  const { syntaxErrors, ...reading } = await yaml.read(text)
  if (syntaxErrors.length > 0) throw new UsageError(syntaxErrors.map(({ line, message }) => `${file}:${line} ${message}`))
  return { ...reading, report: (problems) => toReport(problems, file, (paths) => yaml.findLines(text, paths)) }
}

function parseJsonText(text: string, file: string): JsonReading {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw new UsageError(`${file}: ${error.message}`)
    throw error
  }
}

async function toReport(
  problems: readonly Violation[],
  file: string,
  findLines: (paths: readonly string[]) => Promise<readonly number[]>,
): Promise<string[]> {
  const lines = await findLines(problems.map(({ path }) => path))
  const lineOf = new Map(problems.map((problem, index) => [problem, lines[index] as number]))
  const inOrder = [...lineOf].sort(([, left], [, right]) => left - right).map(([problem]) => problem)
  return toSentences(inOrder, (problem) => `${file}:${lineOf.get(problem)} ${toDocumentSentence(problem)}`)
}
