// Plain data out of YAML, and the line that any part of it is on. Aliases, merge keys and tags are refused: a scenario says what
// it says. What the library would take long for is refused while its tokens are read, so that reading stays linear in the size of the text.
import type { Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { type Json, normalizeInt64 } from '../contract/int64-json.ts'
import type { Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_INTEGER_CHARACTERS, MAX_DOCUMENT_KEY_CHARACTERS, MAX_PROBLEMS } from '../limits.ts'
import { keep } from './check.ts'

export interface YamlReading {
  readonly value: unknown
  /** Places where the text is not YAML; if there are any, the value means nothing. */
  readonly syntaxErrors: readonly SyntaxProblem[]
  /** What is YAML, but not plain data. */
  readonly problems: readonly Violation[]
  /** The lines of paths as in `pets[3].status`; of what surrounds them where they do not exist. */
  findLines(paths: readonly string[]): number[]
}

interface SyntaxProblem {
  readonly line: number
  readonly message: string
}

type Library = typeof import('yaml')
type YamlNode = Node | null
type Fields = YAMLMap<Scalar, YamlNode>
/** A place in a document, as the way to it: names of fields, numbers of items. */
type Trail = { readonly name: string | number; readonly parent: Trail } | undefined

/** How the library reports a text in quotes that does not end. */
const MISSING_QUOTE = /^Missing closing ['"]quote/
const SHOWN_CHARACTERS = 40
/** The lexeme before a text without quotes, in which they may appear anywhere. */
const PLAIN_TEXT = '\u001f'
/** What the library makes a bigint of, in quadratic time. */
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/

/** Reads a text of at most this many lexemes; one megabyte has up to 1.5 million. */
export async function readYaml(text: string, maxLexemes = Number.POSITIVE_INFINITY): Promise<YamlReading> {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  lines.addNewLine(0)
  const lineAt = (offset: number) => lines.linePos(offset).line
  const { contents, syntaxErrors } = parse(library, text, maxLexemes, lines, lineAt)
  const problems: Violation[] = []
  return {
    value: syntaxErrors.length > 0 ? undefined : toValue(library, contents, undefined, 0, problems),
    syntaxErrors,
    problems,
    findLines: (paths) => findOffsets(library, contents, paths).map(lineAt),
  }
}

function parse(library: Library, text: string, maxLexemes: number, lines: LineCounter, lineAt: (offset: number) => number) {
  const syntaxErrors: SyntaxProblem[] = []
  const refuse = (offset: number, message: string) => void syntaxErrors.push({ line: lineAt(offset), message })
  // The library would compare each key with all others; ours are looked up.
  const composer = new library.Composer({ schema: 'core', intAsBigInt: true, stringKeys: true, uniqueKeys: false, logLevel: 'error' })
  const unclosed: number[] = []
  const tokens = readTokens(library, text, lines, { maxLexemes, refuse, onUnclosed: (offset) => void unclosed.push(offset) })
  // Not all documents that there may be: the second is one too many.
  const documents = composer.compose(tokens, true, text.length) as Generator<Document.Parsed>
  const document = withoutStacks(() => documents.next().value as Document.Parsed)
  for (const { pos, message } of document.errors.slice(0, MAX_PROBLEMS)) {
    // The library names the place where it gave up, which may be far below the quote that is not closed.
    const opened = MISSING_QUOTE.test(message) ? unclosed.shift() : undefined
    if (opened === undefined) refuse(pos[0], message)
    else {
      refuse(opened, `missing closing quote: ${text.slice(opened, opened + SHOWN_CHARACTERS).split('\n')[0]}`)
      // The rest of the text was taken for a part of it, so what else is wrong is not known yet.
      break
    }
  }
  const another = syntaxErrors.length === 0 ? withoutStacks(() => documents.next()) : undefined
  if (another && !another.done) refuse(another.value.range[0], 'expected one document, got another')
  return { contents: document.contents as YamlNode, syntaxErrors: syntaxErrors.slice(0, MAX_PROBLEMS) }
}

/** The library makes an error for each mistake, a million in a text of commas, and collecting their stacks would take a minute. */
function withoutStacks<T>(run: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

interface TokenListener {
  readonly maxLexemes: number
  refuse(offset: number, message: string): void
  /** A quote was opened there and is never closed. */
  onUnclosed(offset: number): void
}

/**
 * The tokens of the text, up to where it gets far too deep, since the library goes through them by recursion and V8 does not
 * survive every end of its stack; and up to the hundredth error, since the library keeps something for each.
 */
function* readTokens(library: Library, text: string, lines: LineCounter, { maxLexemes, refuse, onUnclosed }: TokenListener) {
  const parser = new library.Parser(lines.addNewLine)
  let errors = 0
  let lexemes = 0
  let previous = ''
  for (const lexeme of new library.Lexer().lex(text)) {
    if (++lexemes > maxLexemes) return refuse(parser.offset, 'expected less YAML; send it as JSON, or start the mock with --scenario')
    if (lexeme.length > MAX_DOCUMENT_INTEGER_CHARACTERS && INTEGER.test(lexeme)) {
      return refuse(parser.offset, `expected an integer of at most ${MAX_DOCUMENT_INTEGER_CHARACTERS} characters, got ${lexeme.length}`)
    }
    if (previous !== PLAIN_TEXT && isUnclosed(lexeme)) onUnclosed(parser.offset)
    previous = lexeme
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors++
      yield token
    }
    if (parser.stack.length > 2 * MAX_DOCUMENT_DEPTH) return refuse(parser.offset, TOO_DEEP)
    if (errors >= MAX_PROBLEMS) return
  }
  yield* parser.end()
}

const TOO_DEEP = `expected at most ${MAX_DOCUMENT_DEPTH} levels, got more`

function isUnclosed(lexeme: string): boolean {
  const [quote] = lexeme
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote))
}

function toPath(trail: Trail): string {
  if (trail === undefined) return ''
  const { name, parent } = trail
  return joinPath(toPath(parent), name)
}

function joinPath(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** The value of a node; nothing if it is refused. */
function toValue(library: Library, node: YamlNode, trail: Trail, depth: number, problems: Violation[]): Json | undefined {
  const refuse = (got: string, expected = 'plain data') => {
    keep(problems, { path: toPath(trail), expected, got })
    return undefined
  }
  if (node === null) return null
  if (library.isAlias(node)) return refuse(`the alias *${node.source.slice(0, MAX_DOCUMENT_KEY_CHARACTERS)}`)
  if (node.tag !== undefined) return refuse('a tag')
  if (library.isScalar(node)) {
    if (typeof node.value === 'string' && !node.value.isWellFormed()) return refuse('half of a surrogate pair', 'whole characters')
    return typeof node.value === 'bigint' ? normalizeInt64(node.value) : (node.value as Json)
  }
  if (depth === MAX_DOCUMENT_DEPTH) return refuse('more', `at most ${MAX_DOCUMENT_DEPTH} levels`)
  if (library.isMap<Scalar, YamlNode>(node)) return toObject(library, node, trail, depth, problems)
  if (!library.isSeq<Node>(node)) return null
  return node.items.map((item, name) => toValue(library, item, { name, parent: trail }, depth + 1, problems) as Json)
}

function toObject(library: Library, { items }: Fields, parent: Trail, depth: number, problems: Violation[]): Json {
  const object: { [name: string]: Json } = {}
  for (const { key, value } of items) {
    const name = String(key.value)
    const trail = { name, parent }
    const refuse = (expected: string, got: string) => keep(problems, { path: toPath(trail), expected, got })
    if (name.length > MAX_DOCUMENT_KEY_CHARACTERS) {
      // V8 hashes long strings by their length alone: many of them would be compared with each other.
      refuse(`a key of at most ${MAX_DOCUMENT_KEY_CHARACTERS} characters`, `${name.length}`)
      continue
    }
    if (key.tag !== undefined) refuse('plain data', 'a tag')
    if (name === '<<') refuse('plain data', 'a merge key')
    if (Object.hasOwn(object, name)) refuse('each key once', 'it again')
    const field = toValue(library, value, trail, depth + 1, problems) as Json
    // A plain assignment of __proto__ would set the prototype.
    Object.defineProperty(object, name, { value: field, enumerable: true, configurable: true, writable: true })
  }
  return object
}

/** Where paths begin in the text. One walk that enters only what some path leads through. */
function findOffsets(library: Library, contents: YamlNode, paths: readonly string[]): number[] {
  const wanted = new Set(paths.flatMap(toPrefixes))
  const offsets = new Map<string, number>()
  const visit = (node: YamlNode, path: string): void => {
    const enter = (name: string | number, { range }: Node, value: YamlNode) => {
      const inner = joinPath(path, name)
      if (!wanted.has(inner)) return
      offsets.set(inner, range?.[0] ?? 0)
      visit(value, inner)
    }
    if (library.isSeq<Node>(node)) for (const [index, item] of node.items.entries()) enter(index, item, item)
    else if (library.isMap<Scalar, YamlNode>(node)) {
      for (const { key, value } of node.items as Pair<Scalar, YamlNode>[]) enter(String(key.value), key, value)
    }
  }
  visit(contents, '')
  return paths.map((path) => offsets.get(toPrefixes(path).findLast((prefix) => offsets.has(prefix)) ?? '') ?? 0)
}

/** The path and all that surrounds it, from the outside in; a name with dots and brackets in it is among them. */
function toPrefixes(path: string): string[] {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index).filter((index) => index > 0)
  // The names of a scenario have no dots: a path with hundreds of them ends in an unknown one.
  return [...ends.slice(0, MAX_DOCUMENT_DEPTH).map((end) => path.slice(0, end)), path]
}
