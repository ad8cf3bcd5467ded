// Searches a text for secrets that the mock knows, in time linear in the text, however many there are. No regular expression is built from
// them. Where secrets are expected they stay out by place (service/redact.ts); this is for those that a client puts elsewhere.
import { describeKey } from '../contract/describe-value.ts'
import { MIN_SEARCHED_CHARACTERS } from '../limits.ts'

/** A longer secret is recognised by its first characters, this many, and hidden to the end of the word. */
const MAX_COMPARED_CHARACTERS = 32
/** How URLs and JSON may spell a character of a bearer token, which is ASCII (RFC 6750). */
const ESCAPE = /%[2-7][0-9a-f]|\\(?:u00[2-7][0-9a-f]|\/)/gi
const KEY_CHARACTER = /[\w\-.~+/=]/

/** Replaces known secrets, in any case and spelling, with their last characters. Short ones are in too many texts by chance. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  let index: Index | undefined
  return (text) => {
    // Most states are never asked for their log.
    index ??= createIndex([...secrets].filter(({ length }) => length >= MIN_SEARCHED_CHARACTERS))
    if (index.starts.size === 0) return text
    const shown = text.search(ESCAPE) >= 0 ? redactDecoded(text, index) : text
    return redact(shown, shown, undefined, index)
  }
}

interface Index {
  /** The codes of their first characters: most places in a text have another. */
  readonly codes: ReadonlySet<number>
  /** The first characters of each, as many as the shortest may have. */
  readonly starts: ReadonlySet<string>
  /** The beginnings that are compared, by their lengths, the longest first. */
  readonly beginnings: readonly (readonly [length: number, texts: Set<string>])[]
}

function createIndex(secrets: readonly string[]): Index {
  const byLength = new Map<number, Set<string>>()
  for (const secret of secrets) {
    const beginning = fold(secret.slice(0, MAX_COMPARED_CHARACTERS))
    byLength.set(beginning.length, (byLength.get(beginning.length) ?? new Set()).add(beginning))
  }
  const starts = new Set(secrets.map((secret) => fold(secret.slice(0, MIN_SEARCHED_CHARACTERS))))
  return {
    codes: new Set([...starts].map((start) => start.charCodeAt(0))),
    starts,
    beginnings: [...byLength].sort(([one], [other]) => other - one),
  }
}

/** The same for secrets with escapes. */
function redactDecoded(text: string, index: Index): string {
  let plain = ''
  /** Where each character begins in the text. */
  const starts: number[] = []
  let at = 0
  const copyTo = (end: number) => {
    for (; at < end; at++) {
      starts.push(at)
      plain += text[at]
    }
  }
  for (const { 0: escaped, index: start } of text.matchAll(ESCAPE)) {
    copyTo(start)
    starts.push(start)
    plain += escaped.length < 3 ? '/' : String.fromCharCode(Number.parseInt(escaped.slice(-2), 16))
    at = start + escaped.length
  }
  copyTo(text.length)
  starts.push(text.length)
  return redact(text, plain, starts, index)
}

/** Hides in a text what is secret in it as it is meant; `starts` is where each character of that begins in the text. */
function redact(text: string, plain: string, starts: readonly number[] | undefined, index: Index): string {
  const folded = fold(plain)
  const startOf = (at: number) => starts?.[at] ?? at
  let shown = ''
  let done = 0
  /** What is to be hidden next. */
  let from = 0
  let to = 0
  function flush(): void {
    if (to === from) return
    shown += text.slice(done, startOf(from)) + describeKey(plain.slice(from, to))
    done = startOf(to)
  }
  for (let at = 0; at <= folded.length - MIN_SEARCHED_CHARACTERS; at++) {
    if (!index.codes.has(folded.charCodeAt(at)) || !index.starts.has(folded.slice(at, at + MIN_SEARCHED_CHARACTERS))) continue
    const [length = 0] = index.beginnings.find(([size, texts]) => texts.has(folded.slice(at, at + size))) ?? []
    if (length === 0) continue
    const end = length === MAX_COMPARED_CHARACTERS && at + length > to ? findWordEnd(plain, at + length) : at + length
    if (at >= to) {
      flush()
      from = at
    }
    to = Math.max(to, end)
  }
  flush()
  return done === 0 ? text : shown + text.slice(done)
}

function findWordEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && KEY_CHARACTER.test(text[at] as string)) at++
  return at
}

/** In lower case. A query may spell a plus as a space. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll(' ', '+')
}
