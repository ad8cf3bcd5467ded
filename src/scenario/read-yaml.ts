// Plain data out of YAML, and the line that any part of it is on. Aliases, merge keys and tags are refused: a scenario says what
// it says. The library is heavy, so it is loaded when it is first needed; what it could take long for is refused on the way.
import type { Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { type Json, normalizeInt64 } from '../contract/int64-json.ts'
import type { Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_INTEGER_CHARACTERS, MAX_DOCUMENT_KEY_CHARACTERS, MAX_PROBLEMS } from '../limits.ts'

/** What a text says. Plain values only, since a thread may have to send them. */
export interface YamlReading {
  readonly value: unknown
  /** Places where the text is not YAML; if there are any, the value means nothing. */
  readonly syntaxErrors: readonly SyntaxProblem[]
  /** What is YAML, but not plain data. */
  readonly problems: readonly Violation[]
}

interface SyntaxProblem {
  readonly line: number
  readonly message: string
}

/** A reader of YAML texts. */
export interface YamlReader {
  read(text: string): Promise<YamlReading>
  /** The lines of paths as in `pets[3].status`; of what surrounds them where they do not exist. */
  findLines(text: string, paths: readonly string[]): Promise<number[]>
}

export const yamlReader: YamlReader = {
  async read(text) {
    const { library, contents, syntaxErrors } = await parse(text)
    const findings = createFindings()
    const value = syntaxErrors.length > 0 ? undefined : toValue(library, contents, undefined, 0, findings)
    return { value, syntaxErrors, problems: findings.problems() }
  },
  async findLines(text, paths) {
    const { library, contents, lineAt } = await parse(text)
    const find = createFinder(library)
    return paths.map((path) => lineAt(find(contents, path)))
  },
}

type Library = typeof import('yaml')
type YamlNode = Node | null
type Field = Pair<Scalar, YamlNode>
type Fields = YAMLMap<Scalar, YamlNode>
/** A place in a document, as the way to it: names of fields, numbers of items. */
type Trail = { readonly name: string | number; readonly parent: Trail } | undefined

interface ParsedYaml {
  readonly library: Library
  readonly contents: YamlNode
  readonly syntaxErrors: readonly SyntaxProblem[]
  lineAt(offset: number): number
}

async function parse(text: string): Promise<ParsedYaml> {
  const library = await import('yaml')
  const lines = new library.LineCounter()
  lines.addNewLine(0)
  const lineAt = (offset: number) => lines.linePos(offset).line
  const syntaxErrors: SyntaxProblem[] = []
  const refuse = (offset: number, message: string) => void syntaxErrors.push({ line: lineAt(offset), message })
  // The library would compare each key with all others; ours are looked up.
  const composer = new library.Composer({ schema: 'core', intAsBigInt: true, stringKeys: true, uniqueKeys: false, logLevel: 'error' })
  // Not all documents that there may be: the second is one too many.
  const unclosed: number[] = []
  const tokens = readTokens(library, text, lines, { refuse, onUnclosed: (offset) => void unclosed.push(offset) })
  const documents = composer.compose(tokens, true, text.length) as Generator<Document.Parsed>
  const document = documents.next().value as Document.Parsed
  for (const { pos, message } of document.errors.slice(0, MAX_PROBLEMS)) {
    // The library names the place where it gave up, which may be far below the quote that somebody forgot to close.
    const opened = MISSING_QUOTE.test(message) ? unclosed.shift() : undefined
    if (opened === undefined) refuse(pos[0], message)
    else {
      refuse(opened, `missing closing quote: ${text.slice(opened, opened + SHOWN_CHARACTERS).split('\n')[0]}`)
      // The rest of the text was taken for a part of it, so what else is wrong is not known yet.
      break
    }
  }
  const another = syntaxErrors.length === 0 ? documents.next() : undefined
  if (another && !another.done) refuse(another.value.range[0], 'expected one document, got another')
  return { library, contents: document.contents, syntaxErrors: syntaxErrors.slice(0, MAX_PROBLEMS), lineAt }
}

/** How the library tells of a text in quotes that does not end. */
const MISSING_QUOTE = /^Missing closing ['"]quote/
const SHOWN_CHARACTERS = 40
/** The lexeme before a text without quotes, in which they may stand anywhere. */
const PLAIN_TEXT = '\u001f'

/** What the library makes a bigint of, in quadratic time. */
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/

/**
 * The tokens of the text, up to where it gets far too deep, since the library goes through them by recursion and V8 does not
 * survive every end of its stack; and up to the hundredth error, since the library keeps something for each.
 */
function* readTokens(library: Library, text: string, lines: LineCounter, { refuse, onUnclosed }: TokenListener) {
  const parser = new library.Parser(lines.addNewLine)
  let errors = 0
  let previous = ''
  for (const lexeme of new library.Lexer().lex(text)) {
    if (lexeme.length > MAX_DOCUMENT_INTEGER_CHARACTERS && INTEGER.test(lexeme)) {
      return refuse(parser.offset, `expected an integer of at most ${MAX_DOCUMENT_INTEGER_CHARACTERS} characters, got ${lexeme.length}`)
    }
    if (previous !== PLAIN_TEXT && isUnclosed(lexeme)) onUnclosed(parser.offset)
    previous = lexeme
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors++
      yield token
    }
    if (parser.stack.length > 2 * MAX_DOCUMENT_DEPTH)
      return refuse(parser.offset, `expected at most ${MAX_DOCUMENT_DEPTH} levels, got more`)
    if (errors >= MAX_PROBLEMS) return
  }
  yield* parser.end()
}

interface TokenListener {
  refuse(offset: number, message: string): void
  /** A quote was opened there and is never closed. */
  onUnclosed(offset: number): void
}

function isUnclosed(lexeme: string): boolean {
  const [quote] = lexeme
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote))
}

interface Findings {
  add(trail: Trail, expected: string, got: string): void
  problems(): Violation[]
}

/** Keeps as many problems as a message names, and counts the rest. */
function createFindings(): Findings {
  const kept: Violation[] = []
  let more = 0
  return {
    add(trail, expected, got) {
      if (kept.length < MAX_PROBLEMS) kept.push({ path: toPath(trail), expected, got })
      else more++
    },
    problems: () => (more === 0 ? kept : [...kept, { path: '', more }]),
  }
}

function toPath(trail: Trail): string {
  if (trail === undefined) return ''
  const { name, parent } = trail
  if (typeof name === 'number') return `${toPath(parent)}[${name}]`
  return parent === undefined ? name : `${toPath(parent)}.${name}`
}

/** The value of a node; nothing if it is refused. */
function toValue(library: Library, node: YamlNode, trail: Trail, depth: number, findings: Findings): Json | undefined {
  const refuse = (got: string, expected = 'plain data') => findings.add(trail, expected, got) as undefined
  if (node === null) return null
  if (library.isAlias(node)) return refuse(`the alias *${node.source.slice(0, MAX_DOCUMENT_KEY_CHARACTERS)}`)
  if (node.tag !== undefined) return refuse('a tag')
  if (library.isScalar(node)) {
    if (typeof node.value === 'string' && !node.value.isWellFormed()) return refuse('half of a surrogate pair', 'whole characters')
    return typeof node.value === 'bigint' ? normalizeInt64(node.value) : (node.value as Json)
  }
  if (depth === MAX_DOCUMENT_DEPTH) return refuse('more', `at most ${MAX_DOCUMENT_DEPTH} levels`)
  if (library.isMap<Scalar, YamlNode>(node)) return toObject(library, node, trail, depth, findings)
  if (!library.isSeq<Node>(node)) return null
  return node.items.map((item, name) => toValue(library, item, { name, parent: trail }, depth + 1, findings) as Json)
}

function toObject(library: Library, { items }: Fields, parent: Trail, depth: number, findings: Findings): Json {
  const object: { [name: string]: Json } = {}
  for (const { key, value } of items) {
    const name = String(key.value)
    const trail = { name, parent }
    if (name.length > MAX_DOCUMENT_KEY_CHARACTERS) {
      // V8 hashes long strings by their length alone: many of them would be compared with each other.
      findings.add(trail, `a key of at most ${MAX_DOCUMENT_KEY_CHARACTERS} characters`, `${name.length}`)
      continue
    }
    if (key.tag !== undefined) findings.add(trail, 'plain data', 'a tag')
    if (name === '<<') findings.add(trail, 'plain data', 'a merge key')
    if (Object.hasOwn(object, name)) findings.add(trail, 'each key once', 'it again')
    const field = toValue(library, value, trail, depth + 1, findings) as Json
    // A plain assignment of __proto__ would set the prototype.
    Object.defineProperty(object, name, { value: field, enumerable: true, configurable: true, writable: true })
  }
  return object
}

/** Finds where a path begins in the text. The fields of a map are indexed once, however many paths lead through it. */
function createFinder(library: Library): (contents: YamlNode, path: string) => number {
  const indexes = new Map<Fields, Map<string, Field>>()
  const fieldsOf = (map: Fields) => {
    const known = indexes.get(map)
    if (known) return known
    // Of a key that comes twice the second is the problem.
    const fields = new Map(map.items.map((field) => [String(field.key.value), field]))
    indexes.set(map, fields)
    return fields
  }
  return (contents, path) => {
    let node: YamlNode = contents
    let offset = 0
    let rest = path
    while (rest !== '') {
      if (library.isSeq<Node>(node)) {
        const [step = '', index] = /^\[(\d+)\]/.exec(rest) ?? []
        const item = node.items[Number(index)]
        if (!item) break
        offset = item.range?.[0] ?? offset
        node = item
        rest = rest.slice(step.length)
      } else if (library.isMap<Scalar, YamlNode>(node)) {
        const name = findName(fieldsOf(node), rest)
        if (name === undefined) break
        const field = fieldsOf(node).get(name) as Field
        offset = field.key.range?.[0] ?? offset
        node = field.value
        rest = rest.slice(name.length)
      } else break
      if (rest.startsWith('.')) rest = rest.slice(1)
    }
    return offset
  }
}

/** The longest name that the path can begin with: a name may have dots and brackets in it. */
function findName(fields: ReadonlyMap<string, Field>, path: string): string | undefined {
  for (let end = path.length; end > 0; end--) {
    if (end < path.length && path[end] !== '.' && path[end] !== '[') continue
    const name = path.slice(0, end)
    if (fields.has(name)) return name
    // Only a name that was refused is longer than this, and then it is the whole of what is left of the path.
    end = Math.min(end, MAX_DOCUMENT_KEY_CHARACTERS + 1)
  }
  return undefined
}
