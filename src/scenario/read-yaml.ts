// Plain data out of YAML, and the line that any part of it is on. Aliases and tags are refused: a scenario says what it says.
import type { Document, Node, Pair, Range, Scalar, YAMLMap } from 'yaml'
import { describeValue } from '../contract/describe-value.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_DEPTH, MAX_PROBLEMS } from '../limits.ts'

type Library = typeof import('yaml')
type YamlNode = Node | null
type Report = (offset: number, message: string) => void

/** How the library reports a text in quotes that does not end. */
const MISSING_QUOTE = /Missing closing ['"]quote/

/** The value; `problems` are what is not plain data, and if there are any, the value means nothing. */
export async function readYaml(text: string) {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  lines.addNewLine(0)
  const problems: { readonly line: number; readonly message: string }[] = []
  const report: Report = (offset, message) => void problems.push({ line: lines.linePos(offset).line, message })
  // Keys are compared below: the library would compare each with all others.
  const composer = new library.Composer({ schema: 'core', intAsBigInt: true, stringKeys: true, uniqueKeys: false })
  const tokens = readTokens(library, text, lines.addNewLine, report)
  const [document, another] = withoutStacks(() => {
    const [first, second] = composer.compose(tokens, true, text.length) as Iterable<Document.Parsed>
    return [first, second]
  })
  if (!document || problems.length > 0) return { value: undefined, problems, findLine: () => 1 }
  if (another) report(another.range[0], 'expected one document, got another')
  reportErrors(library, document, report)
  if (problems.length === 0) toPlainData(library, document, report)
  return {
    value: problems.length > 0 ? undefined : document.toJS(),
    problems,
    /** The line of a path such as `pets[3].status`; of what surrounds it where it does not exist. */
    findLine: (path: string) => lines.linePos(findOffset(library, document, path)).line,
  }
}

/** The library makes an error for each problem that it finds, and a stack costs more than all else. */
function withoutStacks<T>(parse: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The library composes tokens by recursion, and V8 does not survive every end of its stack: a text that is too deep has no tokens. */
function* readTokens(library: Library, text: string, onLine: (offset: number) => void, report: Report) {
  const parser = new library.Parser(onLine)
  for (const lexeme of new library.Lexer().lex(text)) {
    yield* parser.next(lexeme)
    // The document itself and a scalar are on the stack as well.
    if (parser.stack.length > MAX_DOCUMENT_DEPTH + 2) {
      return report(parser.offset, `expected at most ${MAX_DOCUMENT_DEPTH} levels, got more`)
    }
  }
  yield* parser.end()
}

/** Refuses what is not plain data, and gives integers the type that they have everywhere else. */
function toPlainData(library: Library, document: Document.Parsed, report: Report): void {
  library.visit(document, {
    Node(_, node) {
      const refuseHere = (message: string) => report(startOf(node), message)
      if (library.isAlias(node)) refuseHere('expected plain data, got an alias')
      else if (node.tag !== undefined) refuseHere('expected plain data, got a tag')
      else if (library.isMap<Scalar>(node)) refuseRepeated(node, report)
      else if (library.isScalar(node) && typeof node.value === 'bigint') node.value = normalizeInt64(node.value)
      else if (library.isScalar(node) && typeof node.value === 'string' && !node.value.isWellFormed()) {
        refuseHere('expected whole characters, got half of a surrogate pair')
      }
    },
  })
}

/** Of a text that is not closed, the library names the end, which may be far below: it is reported where it begins. */
function reportErrors(library: Library, document: Document.Parsed, report: Report): void {
  const { errors } = document
  const texts: Range[] = []
  if (errors.length > 0) library.visit(document, { Scalar: (_, { range }) => void (range && texts.push(range)) })
  for (const { pos, message } of errors.slice(0, MAX_PROBLEMS)) {
    const isOpen = ([start, , last]: Range) => start < pos[0] && pos[0] <= last
    const opened = MISSING_QUOTE.test(message) ? texts.findLast(isOpen) : undefined
    report(opened?.[0] ?? pos[0], message)
  }
}

/** Of what was read from a text. */
function startOf({ range }: Node): number {
  return (range as Range)[0]
}

function refuseRepeated({ items }: YAMLMap<Scalar>, report: Report): void {
  const names = new Set<string>()
  for (const { key } of items) {
    const name = String(key.value)
    if (names.has(name)) report(startOf(key), `the key ${describeValue(name)} is repeated`)
    names.add(name)
  }
}

function findOffset(library: Library, document: Document.Parsed, path: string): number {
  let node: YamlNode = document.contents
  let offset = node ? startOf(node) : 0
  for (const name of path.split(/[.[\]]+/)) {
    const pair: Pair<Scalar, YamlNode> | undefined = library.isMap<Scalar, YamlNode>(node)
      ? node.items.find(({ key }) => String(key.value) === name)
      : undefined
    const item: YamlNode | undefined = library.isSeq<Node>(node) ? node.items[Number(name)] : undefined
    const start: Node | undefined | null = pair?.key ?? item
    if (!start) break
    offset = startOf(start)
    node = pair ? pair.value : (item ?? null)
  }
  return offset
}
