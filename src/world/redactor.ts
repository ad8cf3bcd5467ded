// Searches a text for secrets that the mock knows, in time linear in the text, however many there are (Aho and Corasick, 1975). No regular
// expression is built from them. Where secrets are expected they stay out by place (redact.ts); this is for those that a client puts elsewhere.
import { describeKey } from '../contract/describe-value.ts'
import { MIN_SEARCHED_CHARACTERS } from '../limits.ts'

/** A longer secret is recognised by its first characters, this many, and hidden to the end of the word. */
const MAX_COMPARED_CHARACTERS = 32
/** How URLs and JSON may spell a character of a bearer token. */
const ESCAPE = /%[2-7][0-9a-f]|\\(?:u00[2-7][0-9a-f]|\/)/iy
/** Where a text is cut, perhaps inside an escape. */
const CUT = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?)?…/iy
const KEY_CHARACTER = /[\w\-.~+/=]/
const ASCII = 128

type Tree = ReturnType<typeof createTree>

/** Replaces known secrets, in any case and spelling, with their last characters. Short ones are in too many texts by chance. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  let tree: Tree | undefined
  return (text) => {
    // Most states are never asked for their log.
    tree ??= createTree([...secrets].filter(({ length }) => length >= MIN_SEARCHED_CHARACTERS))
    if (tree.isEmpty) return text
    const shown = redact(text, tree, false)
    return /[%\\]/.test(shown) ? redact(shown, tree, true) : shown
  }
}

/** A tree of the beginnings of all secrets. A bearer token is ASCII (RFC 6750), so a node and a character make one small number. */
function createTree(secrets: readonly string[]) {
  const children = new Map<number, number>()
  /** By node: its depth, the node of the longest end of its text that begins another secret, and how much of its end is a secret. */
  const depths = [0]
  const fallbacks = [0]
  const found = [0]
  const longOnes = new Set<number>()

  /** The node for the longest end of the text so far that begins a secret. */
  function step(from: number, code: number): number {
    for (let node = from; ; node = fallbacks[node] as number) {
      const child = children.get(node * ASCII + code)
      if (child !== undefined || node === 0) return child ?? 0
    }
  }

  const reached = secrets.map(() => 0)
  // Level by level, since a fallback is a node of a level above.
  for (let depth = 1; depth <= MAX_COMPARED_CHARACTERS; depth++) {
    for (const [index, secret] of secrets.entries()) {
      if (secret.length < depth) continue
      const parent = reached[index] as number
      const code = fold(secret.charCodeAt(depth - 1))
      let node = children.get(parent * ASCII + code)
      if (node === undefined) {
        const fallback = parent === 0 ? 0 : step(fallbacks[parent] as number, code)
        node = depths.push(depth) - 1
        fallbacks.push(fallback)
        found.push(found[fallback] as number)
        children.set(parent * ASCII + code, node)
      }
      reached[index] = node
      if (depth === Math.min(secret.length, MAX_COMPARED_CHARACTERS)) found[node] = depth
      if (depth < secret.length && depth === MAX_COMPARED_CHARACTERS) longOnes.add(node)
    }
  }
  return { isEmpty: secrets.length === 0, depths, found, longOnes, step }
}

function redact(text: string, { depths, found, longOnes, step }: Tree, readsEscapes: boolean): string {
  let shown = ''
  let done = 0
  /** What is to be hidden next. */
  let from = 0
  let to = 0
  /** Where each character of the text begins. */
  const starts: number[] = []

  function flush(): void {
    if (to === from) return
    // The end of a secret that is cut is not its end.
    shown += text.slice(done, from) + (text[to] === '…' ? '' : describeKey(decode(text.slice(from, to))))
    done = to
  }

  function cover(characters: number, end: number): void {
    const start = starts[starts.length - characters] as number
    if (start >= to) {
      flush()
      from = start
    } else from = Math.max(done, Math.min(from, start))
    to = Math.max(to, end)
  }

  for (let at = 0, node = 0; at < text.length; ) {
    const depth = depths[node] as number
    const cut = depth === 0 ? undefined : findCut(text, at, depth)
    if (cut !== undefined) cover(depth, cut)
    const size = readsEscapes ? measure(text, at) : 1
    starts.push(at)
    node = step(node, fold(readCode(text, at, size)))
    at += size
    const length = found[node] as number
    if (length > 0) cover(length, longOnes.has(node) && at >= to ? skip(text, at) : at)
  }
  flush()
  return done === 0 ? text : shown + text.slice(done)
}

/** Where a text is cut so that what is before it may begin a secret. In the middle of a text, a short word before `…` begins none. */
function findCut(text: string, at: number, length: number): number | undefined {
  const code = text.charCodeAt(at)
  if (code !== 0x2026 && code !== 0x25 && code !== 0x5c) return undefined
  CUT.lastIndex = at
  const mark = CUT.test(text) ? CUT.lastIndex - 1 : -1
  return mark >= 0 && (mark === text.length - 1 || length >= MIN_SEARCHED_CHARACTERS) ? mark : undefined
}

/** Where the word ends. */
function skip(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const size = measure(text, at)
    if (!KEY_CHARACTER.test(String.fromCharCode(readCode(text, at, size)))) break
    at += size
  }
  return findCut(text, at, MAX_COMPARED_CHARACTERS) ?? at
}

/** The length of the spelling of the character at a place: 1, 2 for `\/`, 3 for `%61`, 6 for `\u0061`. */
function measure(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x25 && code !== 0x5c) return 1
  ESCAPE.lastIndex = at
  return ESCAPE.test(text) ? ESCAPE.lastIndex - at : 1
}

function readCode(text: string, at: number, size: number): number {
  if (size < 3) return text.charCodeAt(at + size - 1)
  return Number.parseInt(text.slice(at + size - 2, at + size), 16)
}

/** In lower case, and as one for all that no token has. A query may spell a plus as a space. */
function fold(code: number): number {
  if (code === 0x20) return 0x2b
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code < ASCII ? code : 0
}

function decode(text: string): string {
  return text.replace(/%[2-7][0-9a-f]|\\(?:u00[2-7][0-9a-f]|\/)/gi, (one) => String.fromCharCode(readCode(one, 0, one.length)))
}
