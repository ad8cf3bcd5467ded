// Keeps secrets out of what is shown: journal, events, logs and copied commands all show what these functions leave.
import { MAX_SEARCHED_SECRETS, MIN_SEARCHED_CHARACTERS } from './limits.ts'

/** Parameters and fields that people put credentials into, by mistake or for another API. */
const SECRET_NAME = /(?:api[-_]?key|token|secret|password|passwd|authorization|signature)$|^(?:key|auth|bearer|jwt|pwd|sig)$/i

/** What stands before the host of an absolute target, or of a tunnel's. */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:\/\/)?)[^/?#]*@/i
/** What a body has in it if one of its fields may have such a name; most have not. */
const SECRET_HINT = /key|token|secret|passw|auth|signature|bearer|jwt|pwd|sig/i
/**
 * A text in JSON, be its end cut off, and the colon that makes it a name; a bracket; or any other value. Takes linear time: it always
 * matches from where it can begin.
 */
const JSON_PART = /"((?:[^"\\]|\\[\s\S])*)"?(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g
/** A character in a URL, as the bytes of its UTF-8, or in a text in JSON. */
const ESCAPE = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|\\u[0-9a-f]{4}|\\["\\/]/gi
/** A URL in the query of a URL, JSON in a text in JSON: escapes are escaped again, but not without end. */
const MAX_ESCAPE_LAYERS = 4
/** Where a text was cut. */
const CUT = '…'
const MAX_CUTS = 20
const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

/** The end of a key, enough to tell two apart. */
export function redact(key: string): string {
  return key.length > 4 ? `…${key.slice(-4)}` : '…'
}

/** The target without a user and password, and with the value of every parameter that looks like a credential replaced. */
export function redactTarget(target: string): string {
  const shown = target.startsWith('/') ? target : target.replace(USER_INFO, '$1…@')
  const mark = shown.indexOf('?')
  return mark < 0 ? shown : `${shown.slice(0, mark)}?${redactForm(shown.slice(mark + 1))}`
}

const COOKIE = /^(?:set-)?cookie2?$/
const CREDENTIALS = /^(?:proxy-)?authorization$/

/**
 * Header fields, given as names and values in turn, by their names in lower case; repeated ones are joined by commas. Credentials are
 * redacted, the key of the request and what `hide` knows wherever they are, and cookies are left out.
 */
export function redactHeaders(fields: readonly string[], key = '', hide = (text: string) => text): Record<string, string> {
  const headers = new Map<string, string>()
  const hideKey = createRedactor([key])
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = hide((fields[index] as string).toLowerCase())
    if (COOKIE.test(name)) continue
    const value = hideKey(hide(redactValue(name, fields[index + 1] as string, key)))
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

function redactValue(name: string, value: string, key: string): string {
  // Of what is no API key nothing is shown: it may be the control token, or a password.
  if (CREDENTIALS.test(name)) return (/^\S+ +/.exec(value)?.[0] ?? '') + (key !== '' && value.endsWith(key) ? redact(key) : '…')
  if (SECRET_NAME.test(name)) return '…'
  return name === 'referer' ? redactTarget(value) : value
}

/** The body with the value of every field that looks like a credential replaced: of a form, or of anything like JSON. */
export function redactBody(body: string, contentType = ''): string {
  if (!SECRET_HINT.test(removeEscapes(body, MAX_ESCAPE_LAYERS))) return body
  return FORM.test(contentType) ? redactForm(body) : redactJson(body)
}

/** Replaces secrets that are known, wherever they are in a text and however escaped. Short ones are in too many texts by chance. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const searched = new Set<string>()
  let count = 0
  for (const secret of secrets) {
    if (secret.length < MIN_SEARCHED_CHARACTERS) continue
    if (++count > MAX_SEARCHED_SECRETS) break
    // Hosts and media types are told of in lower case, in a query a plus is a space, and a hint may leave out the last slashes of a path.
    const forms = [secret, secret.toLowerCase(), secret.replaceAll('+', ' '), secret.replace(/\/+$/, '')]
    for (const form of forms) searched.add(form)
  }
  // One may be a part of another.
  const longestFirst = [...searched].sort((one, other) => other.length - one.length)
  return (text) => {
    let shown = text
    let plain = text
    for (let layer = 0; layer <= MAX_ESCAPE_LAYERS; layer++) {
      for (const secret of longestFirst) {
        if (!plain.includes(secret)) continue
        shown = replaceBelow(shown, layer, secret)
        plain = removeEscapes(shown, layer)
      }
      const next = removeEscapes(plain, 1)
      if (next === plain) break
      plain = next
    }
    return shown.includes(CUT) ? removeBeginnings(shown, longestFirst) : shown
  }
}

/** Takes away what is left of a secret where a text was cut in the middle of it. */
function removeBeginnings(text: string, secrets: readonly string[]): string {
  let shown = text
  let end = text.length
  // From the end, where a text is mostly cut, and not without end: a text may consist of such marks.
  for (let marks = 0; marks < MAX_CUTS; marks++) {
    const cut = shown.lastIndexOf(CUT, end - 1)
    if (cut < 0 || end === 0) break
    end = cut
    for (const secret of secrets) {
      const from = Math.max(cut - secret.length + 1, 0)
      const before = shown.slice(from, cut)
      const start = before.indexOf(secret.slice(0, MIN_SEARCHED_CHARACTERS))
      if (start < 0 || !secret.startsWith(before.slice(start))) continue
      shown = shown.slice(0, from + start) + shown.slice(cut)
      end = from + start
      break
    }
  }
  return shown
}

/** Replaces the secret where it is in the text once so many layers of escapes are taken off. */
function replaceBelow(text: string, layers: number, secret: string): string {
  /** Where each character of the plain text begins in the given one, and where that ends. */
  let starts = Array.from({ length: text.length + 1 }, (_, index) => index)
  let plain = text
  for (let layer = 0; layer < layers; layer++) {
    const kept: number[] = []
    let end = 0
    for (const { 0: escaped, index } of plain.matchAll(ESCAPE)) {
      for (let at = end; at < index; at++) kept.push(starts[at] as number)
      for (const _ of decodeEscape(escaped).split('')) kept.push(starts[index] as number)
      end = index + escaped.length
    }
    starts = kept.concat(starts.slice(end))
    plain = removeEscapes(plain, 1)
  }
  let shown = ''
  let end = 0
  for (let at = plain.indexOf(secret); at >= 0; at = plain.indexOf(secret, at + secret.length)) {
    shown += text.slice(end, starts[at]) + redact(secret)
    end = starts[at + secret.length] as number
  }
  return shown + text.slice(end)
}

function removeEscapes(text: string, layers: number): string {
  let plain = text
  for (let layer = 0; layer < layers && mayHaveEscapes(plain); layer++) plain = plain.replace(ESCAPE, decodeEscape)
  return plain
}

/** Most texts have none, which is seen faster than with a pattern. */
function mayHaveEscapes(text: string): boolean {
  return text.includes('%') || text.includes('\\')
}

function decodeEscape(escaped: string): string {
  if (escaped[0] === '%') {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  }
  return escaped.length > 2 ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : (escaped[1] as string)
}

/** `user[password]` and `api_key[]` too. */
function isSecretName(name: string): boolean {
  return removeEscapes(name, MAX_ESCAPE_LAYERS)
    .split(/[[\]]/)
    .some((part) => SECRET_NAME.test(part))
}

function redactJson(text: string): string {
  let shown = ''
  let end = 0
  let isSecret = false
  /** How many brackets of a secret value are open. */
  let depth = 0
  for (const { 0: part, 1: content = '', 2: colon, index } of text.matchAll(JSON_PART)) {
    const step = '{['.includes(part) ? 1 : '}]'.includes(part) ? -1 : 0
    if (depth > 0) {
      depth += step
      end = depth > 0 ? text.length : index + part.length
    } else if (isSecret && colon === undefined && step >= 0) {
      shown += `${text.slice(end, index)}"…"`
      depth = step
      end = depth > 0 ? text.length : index + part.length
      isSecret = false
    } else isSecret = colon !== undefined && isSecretName(content)
  }
  return shown + text.slice(end)
}

function redactForm(text: string): string {
  return text.split('&').map(redactPair).join('&')
}

/** For some, a semicolon separates too; if not, it is a part of the value. */
function redactPair(pair: string): string {
  const parts = pair.split(';')
  const secret = parts.findIndex((part) => part.includes('=') && isSecretName(part.slice(0, part.indexOf('='))))
  if (secret < 0) return pair
  const [name] = (parts[secret] as string).split('=')
  return [...parts.slice(0, secret), `${name}=…`].join(';')
}
