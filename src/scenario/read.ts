// The text of a scenario document, JSON or YAML, as a value, and the way to place its problems: in
// the file, and in YAML on a line. YAML must be plain data. Whether the value is a valid document
// is decided in check-scenario.ts.
import type { Document, Node, Range, Scalar } from 'yaml'
import { UsageError } from '../contract/errors.ts'
import { type JsonLimits, normalizeInt64 } from '../contract/int64-json.ts'
import { MAX_JSON_DEPTH, MAX_PROBLEMS } from '../contract/limits.ts'
import type { Problem } from '../contract/problem.ts'
import { isRecordingText } from '../world/row.ts'
import { toDocument } from './document.ts'
import { readJsonDocument } from './read-json-document.ts'
import { isJsonFile, nameOfFile } from './scenario-names.ts'

type Library = typeof import('yaml')
type ReportProblem = (offset: number, message: string) => void

interface ReadText {
  readonly value: unknown
  /** Where a path such as `pets[3].status` is. */
  findPlace(path?: string): NonNullable<Problem['at']>
}

export async function readDocument(given: string, file: string, max?: JsonLimits) {
  // Some editors write a byte order mark.
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  if (isRecordingText(text)) throw createRowlessError(file)
  const read = isJsonFile(file) ? readJson(text, file, max) : await readYaml(text, file)
  return {
    value: toDocument(read.value),
    name: nameOfFile(file),
    place: (problems: readonly Problem[]) => placeProblems(problems, read.findPlace),
  }
}

/** A recording where a scenario is expected. */
export function createRowlessError(file: string): UsageError {
  return new UsageError(`${file} is a recording; name one of its rows, as in ${file}#12`)
}

/** In the order of their lines. */
function placeProblems(problems: readonly Problem[], findPlace: ReadText['findPlace']): Problem[] {
  const lineOf = ({ at }: Problem) => at?.line ?? Number.POSITIVE_INFINITY
  const placed = problems.map((problem) => {
    // What has no path is not about the document, such as that the mock is full.
    if (!('path' in problem)) return problem
    return { ...problem, at: findPlace(problem.path) }
  })
  return placed.sort((one, other) => lineOf(one) - lineOf(other))
}

function readJson(text: string, file: string, max?: JsonLimits): ReadText {
  return { value: readJsonDocument(text, { at: { file } }, max), findPlace: () => ({ file }) }
}

async function readYaml(text: string, file: string): Promise<ReadText> {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  lines.addNewLine(0)
  const lineOf = (offset: number) => lines.linePos(offset).line
  const problems: Problem[] = []
  const report: ReportProblem = (offset, found) => {
    problems.push({ kind: 'syntax', found, at: { file, line: lineOf(offset) } })
  }

  const composer = new library.Composer({ schema: 'core', intAsBigInt: true, stringKeys: true })
  const tokens = readTokens(library, text, lines.addNewLine, report)
  const composed = composer.compose(tokens, true, text.length) as Iterable<Document.Parsed>
  const [document, another] = composed
  if (!document || problems.length > 0) throw new UsageError(problems)
  if (another) report(another.range[0], 'expected one document, got another')
  for (const { pos, message } of document.errors.slice(0, MAX_PROBLEMS)) report(pos[0], message)
  if (problems.length === 0) checkPlainData(library, document, report)
  if (problems.length > 0) throw new UsageError(problems)
  return {
    value: document.toJS(),
    findPlace: (path = '') => ({ file, line: lineOf(findOffset(library, document, path)) }),
  }
}

/**
 * The library composes tokens by recursion, which can end V8: a text that is too deep has no
 * tokens.
 */
function* readTokens(
  library: Library,
  text: string,
  onLine: (offset: number) => void,
  report: ReportProblem,
) {
  const parser = new library.Parser(onLine)
  for (const lexeme of new library.Lexer().lex(text)) {
    yield* parser.next(lexeme)
    // The document itself and a scalar are on the stack as well.
    if (parser.stack.length > MAX_JSON_DEPTH + 2) {
      return report(parser.offset, `expected at most ${MAX_JSON_DEPTH} levels, got more`)
    }
  }
  yield* parser.end()
}

/** Refuses what is not plain data, and gives integers the type that they have everywhere else. */
function checkPlainData(library: Library, document: Document.Parsed, report: ReportProblem): void {
  library.visit(document, (_, node) => {
    if (library.isAlias(node)) {
      report(startOf(node), 'expected plain data, got an alias')
    } else if (library.isNode(node) && node.tag !== undefined) {
      report(startOf(node), 'expected plain data, got a tag')
    } else if (library.isScalar(node) && typeof node.value === 'bigint') {
      node.value = normalizeInt64(node.value)
    }
  })
}

/** Where the value of a path begins; if it does not exist, what surrounds it. */
function findOffset(library: Library, document: Document.Parsed, path: string): number {
  let node: Node | null = document.contents
  let offset = node ? startOf(node) : 0
  for (const name of path.split(/[.[\]]+/)) {
    if (library.isMap<Scalar, Node | null>(node)) {
      const pair = node.items.find(({ key }) => String(key.value) === name)
      if (!pair) break
      offset = startOf(pair.key)
      node = pair.value
    } else {
      const items: readonly Node[] = library.isSeq<Node>(node) ? node.items : []
      const item = items[Number(name)]
      if (!item) break
      offset = startOf(item)
      node = item
    }
  }
  return offset
}

function startOf(node: Node): number {
  const [start] = node.range as Range
  return start
}
