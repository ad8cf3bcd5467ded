// Searches a text for secrets that the mock knows, in one pass, however many there are. No regular expression is built from them. Where
// secrets are expected they stay out by place (redact.ts); this is for those that a client puts elsewhere.
import { describeKey } from '../contract/describe-value.ts'
import { MIN_SEARCHED_CHARACTERS } from '../limits.ts'

/** A longer secret is recognised by so many characters, which bounds the work for each character of a text. */
const MAX_COMPARED_CHARACTERS = 32
/** How URLs and JSON may spell a character of a bearer token. */
const ESCAPE = /%([2-7][0-9a-f])|\\(?:u00([2-7][0-9a-f])|\/)/iy
/** Where a text is cut, perhaps inside an escape. */
const CUT = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?)?…/iy
const KEY_CHARACTER = /[\w\-.~+/= ]/
const SLASH = 0x2f
const ASCII = 128

/** Replaces known secrets, in any case and spelling, with their last characters. Short ones are in too many texts by chance. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  let search: ReturnType<typeof createSearch> | undefined
  return (text) => {
    // Most states are never asked for their log.
    search ??= createSearch(secrets)
    return search.isEmpty ? text : redact(text, search.findEnd)
  }
}

function redact(text: string, findEnd: (text: string, start: number) => number): string {
  let shown = ''
  let done = 0
  for (let at = 0; at < text.length; at++) {
    const end = findEnd(text, at)
    if (end === at) continue
    // The end of a secret that is cut is not its end.
    shown += text.slice(done, at) + (text[end] === '…' ? '' : describeKey(decode(text.slice(at, end))))
    done = end
    at = end - 1
  }
  return done === 0 ? text : shown + text.slice(done)
}

/** A tree of the beginnings of all secrets. A bearer token is ASCII (RFC 6750), so a node and a character make one small number. */
function createSearch(secrets: Iterable<string>) {
  const children = new Map<number, number>()
  /** How many characters the longest secret has that is recognised at a node. */
  const lengths = new Map<number, number>()
  let lastNode = 0
  for (const secret of secrets) {
    if (secret.length < MIN_SEARCHED_CHARACTERS) continue
    let node = 0
    for (let at = 0; at < Math.min(secret.length, MAX_COMPARED_CHARACTERS); at++) {
      const edge = node * ASCII + fold(secret.charCodeAt(at))
      const child = children.get(edge) ?? ++lastNode
      children.set(edge, child)
      node = child
    }
    lengths.set(node, Math.max(lengths.get(node) ?? 0, secret.length))
  }

  /** Where the longest secret ends that begins here; `start` if none does. */
  function findEnd(text: string, start: number): number {
    let node = 0
    let at = start
    let end = start
    for (let count = 1; ; count++) {
      const size = measure(text, at)
      const child = children.get(node * ASCII + fold(readCode(text, at, size)))
      if (child === undefined) break
      node = child
      at += size
      const length = lengths.get(node)
      if (length !== undefined) end = skip(text, at, length - count)
    }
    const reached = Math.max(at, end)
    return findCut(text, reached, reached - start) ?? end
  }

  return { isEmpty: lastNode === 0, findEnd }
}

/** Where a text is cut so that what is before it may begin a secret. In the middle of a text, a short word before `…` begins none. */
function findCut(text: string, at: number, length: number): number | undefined {
  CUT.lastIndex = at
  if (length === 0 || !CUT.test(text)) return undefined
  const mark = CUT.lastIndex - 1
  return mark === text.length - 1 || length >= MIN_SEARCHED_CHARACTERS ? mark : undefined
}

/** Where the rest of a secret of so many more characters ends. */
function skip(text: string, start: number, characters: number): number {
  let at = start
  for (let left = characters; left > 0; left--) {
    const size = measure(text, at)
    if (at >= text.length || !KEY_CHARACTER.test(String.fromCharCode(readCode(text, at, size)))) break
    at += size
  }
  return at
}

/** The length of the spelling of the character at a place: 1, 2 for `\/`, 3 for `%61`, 6 for `\u0061`. */
function measure(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x25 && code !== 0x5c) return 1
  ESCAPE.lastIndex = at
  return ESCAPE.test(text) ? ESCAPE.lastIndex - at : 1
}

function readCode(text: string, at: number, size: number): number {
  if (size === 1) return text.charCodeAt(at)
  return size === 2 ? SLASH : Number.parseInt(text.slice(at + size - 2, at + size), 16)
}

/** In lower case, and as one for all that no token has. A query may spell a plus as a space. */
function fold(code: number): number {
  if (code === 0x20) return 0x2b
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code < ASCII ? code : 0
}

function decode(text: string): string {
  return text.replace(
    /%([2-7][0-9a-f])|\\u00([2-7][0-9a-f])|\\(\/)/gi,
    (_, percent, unicode, slash) => slash ?? String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
  )
}
