// Plain data out of YAML, or out of JSON, which is YAML too, with the line that every part of it stands on. Aliases, merge keys
// and tags are refused: a scenario says what it says. The library is heavy, so it is loaded when it is first needed.
import type { Document, LineCounter, Node, Pair, Scalar } from 'yaml'
import { type Json, normalizeInt64 } from '../contract/int64-json.ts'
import type { Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH } from '../limits.ts'

export interface YamlReading {
  readonly value: unknown
  /** Places where the text is no YAML at all; if there are any, the value means nothing. */
  readonly syntaxErrors: readonly { readonly line: number; readonly message: string }[]
  /** What is YAML, but no plain data. */
  readonly problems: readonly Violation[]
  /** The line of a path as in `pets[3].status`; of what surrounds it if it is not there. */
  lineOf(path: string): number
}

/** What is found on the way through a document. */
interface Findings {
  readonly problems: Violation[]
  /** Where each path begins in the text. */
  readonly offsets: Map<string, number>
}

type Library = typeof import('yaml')

export async function readYaml(text: string): Promise<YamlReading> {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line
  const syntaxErrors: { line: number; message: string }[] = []
  const tokens = readTokens(library, text, lines, (offset) =>
    syntaxErrors.push({ line: lineAt(offset), message: `expected at most ${MAX_DOCUMENT_DEPTH} levels, got more` }),
  )
  // The library would compare each key with all others; ours are looked up.
  const composer = new library.Composer({ schema: 'core', intAsBigInt: true, stringKeys: true, uniqueKeys: false, logLevel: 'error' })
  const [document, another] = [...composer.compose(tokens, true, text.length)] as [Document.Parsed, Document.Parsed?]
  for (const { pos, message } of document.errors) syntaxErrors.push({ line: lineAt(pos[0]), message })
  if (another) syntaxErrors.push({ line: lineAt(another.range[0]), message: 'expected one document, got another' })
  const findings: Findings = { problems: [], offsets: new Map() }
  return {
    value: toValue(library, document.contents, '', 0, findings),
    syntaxErrors,
    problems: findings.problems,
    lineOf(path) {
      for (let around = path; around !== ''; around = around.replace(/(?:^|\.)[^.[]*$|\[\d+\]$|.$/s, '')) {
        const offset = findings.offsets.get(around)
        if (offset !== undefined) return lineAt(offset)
      }
      return 1
    },
  }
}

/**
 * The tokens of the text, up to where it gets far too deep: the library goes through them by recursion, and V8 does not survive
 * every end of its stack.
 */
function* readTokens(library: Library, text: string, lines: LineCounter, onTooDeep: (offset: number) => void) {
  const parser = new library.Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const lexeme of new library.Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > 2 * MAX_DOCUMENT_DEPTH) return onTooDeep(parser.offset)
  }
  yield* parser.end()
}

/** The value of a node; nothing if it is refused. */
function toValue(library: Library, node: Node | null, path: string, depth: number, findings: Findings): Json | undefined {
  const refuse = (got: string, expected = 'plain data') => void findings.problems.push({ path, expected, got })
  if (node === null) return null
  if (library.isAlias(node)) return refuse(`the alias *${node.source}`)
  if (node.tag !== undefined) return refuse('a tag')
  if (library.isScalar(node)) {
    if (typeof node.value === 'string' && !node.value.isWellFormed()) return refuse('half of a surrogate pair', 'whole characters')
    return typeof node.value === 'bigint' ? normalizeInt64(node.value) : (node.value as Json)
  }
  if (depth === MAX_DOCUMENT_DEPTH) return refuse('more', `at most ${MAX_DOCUMENT_DEPTH} levels`)
  if (library.isMap<Scalar, Node | null>(node)) return toObject(library, node.items, path, depth, findings)
  if (!library.isSeq<Node>(node)) return null
  return node.items.map((item, index) => {
    const itemPath = `${path}[${index}]`
    findings.offsets.set(itemPath, item.range?.[0] ?? 0)
    return toValue(library, item, itemPath, depth + 1, findings) as Json
  })
}

function toObject(library: Library, pairs: readonly Pair<Scalar, Node | null>[], path: string, depth: number, findings: Findings): Json {
  const object: { [name: string]: Json } = {}
  for (const { key, value } of pairs) {
    const name = String(key.value)
    const fieldPath = path === '' ? name : `${path}.${name}`
    const refuse = (expected: string, got: string) => findings.problems.push({ path: fieldPath, expected, got })
    findings.offsets.set(fieldPath, key.range?.[0] ?? 0)
    if (key.tag !== undefined) refuse('plain data', 'a tag')
    if (name === '<<') refuse('plain data', 'a merge key')
    if (Object.hasOwn(object, name)) refuse('each key once', 'it again')
    const field = toValue(library, value, fieldPath, depth + 1, findings) as Json
    // A plain assignment of __proto__ would set the prototype.
    Object.defineProperty(object, name, { value: field, enumerable: true, configurable: true, writable: true })
  }
  return object
}
