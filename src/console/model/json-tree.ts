// JSON as a tree of texts: every digit stays as it was sent.

export type JsonTree = Leaf | List | Fields
type Leaf = { readonly kind: 'leaf'; readonly text: string }
type List = { readonly kind: 'list'; readonly items: readonly JsonTree[] }
/** By the names as they are written, in quotes. */
export type Fields = { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, JsonTree> }

/** What is nested deeper is compared line by line. */
const MAX_DEPTH = 40
const INDENT = '  '
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^"{}[\],:\s]+/gs

type Reader = { readonly tokens: readonly string[]; at: number }

/** Undefined for a text that is not JSON, such as one that is cut. */
export function readTree(text: string): JsonTree | undefined {
  if (!isJson(text)) return undefined
  const tokens = text.match(TOKEN) ?? []
  return readValue({ tokens, at: 0 }, 0)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readValue(reader: Reader, depth: number): JsonTree | undefined {
  const token = takeToken(reader)
  if (token === '[') return readList(reader, depth + 1)
  if (token === '{') return readFields(reader, depth + 1)
  return { kind: 'leaf', text: token }
}

function readList(reader: Reader, depth: number): List | undefined {
  const items: JsonTree[] = []
  while (!takeIf(reader, ']')) {
    const item = depth > MAX_DEPTH ? undefined : readValue(reader, depth)
    if (!item) return undefined
    items.push(item)
  }
  return { kind: 'list', items }
}

function readFields(reader: Reader, depth: number): Fields | undefined {
  const fields = new Map<string, JsonTree>()
  while (!takeIf(reader, '}')) {
    const name = takeToken(reader)
    const value = depth > MAX_DEPTH ? undefined : readValue(reader, depth)
    if (!value) return undefined
    fields.set(name, value)
  }
  return { kind: 'fields', fields }
}

function takeToken(reader: Reader): string {
  const token = reader.tokens[reader.at] ?? ''
  reader.at++
  return token
}

function takeIf(reader: Reader, wanted: string): boolean {
  const isThere = reader.tokens[reader.at] === wanted
  if (isThere) reader.at++
  return isThere
}

export function indentBy(depth: number): string {
  return INDENT.repeat(depth)
}

/** Its lines, without commas. `head` is before the value, such as the name of a field. */
export function printTree(tree: JsonTree, head = '', depth = 0): string[] {
  const start = indentBy(depth) + head
  switch (tree.kind) {
    case 'leaf':
      return [start + tree.text]
    case 'list': {
      if (tree.items.length === 0) return [`${start}[]`]
      const items = tree.items.flatMap((item) => printTree(item, '', depth + 1))
      return [`${start}[`, ...items, `${indentBy(depth)}]`]
    }
    case 'fields': {
      if (tree.fields.size === 0) return [`${start}{}`]
      const fields = [...tree.fields].flatMap(([name, value]) =>
        printTree(value, `${name}: `, depth + 1),
      )
      return [`${start}{`, ...fields, `${indentBy(depth)}}`]
    }
  }
}
