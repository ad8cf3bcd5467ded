// Hides secrets. Credentials in header fields are never stored; values whose field or parameter is
// named like a credential are hidden from readers. Texts are not searched.
import { parseJson, toJson } from '../contract/int64-json.ts'
import { describeKey } from '../contract/values.ts'
import type { FaultResponse } from './fault-outcome.ts'
import type { LoggedMessage } from './row.ts'

type Fields = LoggedMessage['headers']

/** What a header field has by its name. */
type Kind = 'credential' | 'cookie' | 'secret' | 'target' | 'plain'

const CREDENTIAL = /^(?:proxy-)?authorization$/i
const COOKIE = /^(?:set-)?cookie2?$/i
const TARGET_FIELD = /^(?:referer|(?:content-)?location)$/i
/** Only these: the first word of anything else may be a secret. */
const SCHEME = /(?:bearer|basic|digest|token) /iy

/** The kinds of the first names: most requests have the same few. */
const kinds = /* @__PURE__ */ new Map<string, Kind>()
const MAX_KINDS = 256

function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known) return known
  const kind = findKind(name)
  if (kinds.size < MAX_KINDS) kinds.set(name, kind)
  return kind
}

function findKind(name: string): Kind {
  if (CREDENTIAL.test(name)) return 'credential'
  if (COOKIE.test(name)) return 'cookie'
  if (isSecretName(name)) return 'secret'
  return TARGET_FIELD.test(name) ? 'target' : 'plain'
}

/** A copy of header fields without secrets, as `hideSecrets` leaves them. */
export function storeHeaders(headers: Fields): Record<string, string> {
  const stored = { ...headers }
  hideSecrets(stored)
  return stored
}

/** Removes cookies. Of credentials, the scheme and the key's end stay. */
export function hideSecrets(headers: Record<string, string>, key?: string): void {
  for (const name in headers) {
    const kind = kindOf(name)
    if (kind === 'cookie') delete headers[name]
    if (kind === 'credential') headers[name] = showCredential(headers[name] as string, key)
  }
}

function showCredential(value: string, key: string | undefined): string {
  SCHEME.lastIndex = 0
  const scheme = SCHEME.test(value) ? value.slice(0, SCHEME.lastIndex) : ''
  const end = key !== undefined && value.endsWith(key) ? describeKey(key) : '…'
  return scheme + end
}

/** Takes headers as `storeHeaders` leaves them. */
export function redactMessage(headers: Fields, body: string): LoggedMessage {
  return { headers: redactHeaders(headers), body: redactBody(body, findContentType(headers)) }
}

/** A fault as the log would show its response. A condition has no secrets. */
export function redactFault<Fault extends { readonly response?: FaultResponse | undefined }>(
  fault: Fault,
): Fault {
  const { response } = fault
  return response ? { ...fault, response: redactResponse(response) } : fault
}

function redactResponse(response: FaultResponse): FaultResponse {
  const { status, headers, body } = response
  const stored = storeHeaders(headers ?? {})
  const redacted: { -readonly [Field in keyof FaultResponse]: FaultResponse[Field] } = { status }
  if (headers) {
    const fields = Object.entries(redactHeaders(stored))
    // The header fields of a fault must be ASCII.
    const ascii = fields.map(([name, value]) => [name, value.replaceAll('…', '...')])
    redacted.headers = Object.fromEntries(ascii)
  }
  if (typeof body === 'string') redacted.body = redactBody(body, findContentType(stored))
  else if (body !== undefined) redacted.body = parseJson(redactBody(toJson(body)))
  return redacted
}

function findContentType(headers: Fields): string | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type')
  return name === undefined ? undefined : headers[name]
}

function redactHeaders(headers: Fields): Record<string, string> {
  const fields = Object.entries(headers)
  // Not by assignment, since a client can send a field `__proto__`.
  return Object.fromEntries(fields.map(([name, value]) => [name, redactField(name, value)]))
}

/** Repeated fields are joined by commas. */
const NEXT_TARGET = /, (?=[a-z][a-z0-9+.-]*:\/\/)/i

function redactField(name: string, value: string): string {
  const kind = kindOf(name)
  if (kind === 'secret') return '…'
  if (kind !== 'target') return value
  return value.split(NEXT_TARGET).map(redactTarget).join(', ')
}

/** What comes before the host of an absolute target, of a tunnel's, or of one without a scheme. */
const USER_INFO = /^((?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?)[^/?#]*@/i

export function redactTarget(target: string): string {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const shown = path.includes('@') ? path.replace(USER_INFO, '$1…@') : path
  return mark < 0 ? shown : `${shown}?${redactForm(target.slice(mark + 1))}`
}

/** A text without any of these has no secret field, and most texts have none. */
const SECRET_HINT =
  /%|\\u|auth|bearer|credential|jwt|key|otp|pass|pin|pwd|secret|sess|si[dg]|srf|token/i
const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * Hides the values of fields that are named like credentials, in JSON and in forms. A body can be
 * both: curl calls JSON a form.
 */
export function redactBody(body: string, contentType = ''): string {
  const redacted = SECRET_HINT.test(body) ? redactJson(body) : body
  return FORM.test(contentType) ? redactForm(redacted) : redacted
}

/**
 * A JSON string, perhaps cut off, with the colon that makes it a name; a bracket; or another value.
 * In linear time.
 */
const JSON_PART = /"((?:[^"\\]|\\[\s\S])*)"?(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g

/**
 * Copies the text up to each secret value, and goes on after it. A value that is cut off takes the
 * rest.
 */
function redactJson(text: string): string {
  let redacted = ''
  let copiedTo = 0
  let isSecret = false
  let openBrackets = 0
  for (const { 0: part, 1: name = '', 2: colon, index } of text.matchAll(JSON_PART)) {
    const step = readBracket(part)
    const end = index + part.length
    if (openBrackets > 0) {
      openBrackets += step
      if (openBrackets === 0) copiedTo = end
    } else if (isSecret && step >= 0) {
      redacted += `${text.slice(copiedTo, index)}"…"`
      openBrackets = step
      copiedTo = step > 0 ? text.length : end
    }
    isSecret = colon !== undefined && isSecretName(unescapeName(name))
  }
  return redacted + text.slice(copiedTo)
}

/** 1 if it opens a list or an object, -1 if it closes one, and otherwise 0. */
function readBracket(part: string): number {
  if (part === '{' || part === '[') return 1
  return part === '}' || part === ']' ? -1 : 0
}

const FORM_FIELD = /(?<![^&])([^&=]*)=[^&]*/g

function redactForm(text: string): string {
  if (!SECRET_HINT.test(text)) return text
  return text.replace(FORM_FIELD, (field, name: string) =>
    isSecretName(unescapeName(name)) ? `${name}=…` : field,
  )
}

/** A character as forms and JSON escape it, if it is ASCII. */
const ESCAPE = /(?:%|\\u00)[0-7][0-9a-f]/gi

function unescapeName(name: string): string {
  return name.replace(ESCAPE, (escaped) =>
    String.fromCharCode(Number.parseInt(escaped.slice(-2), 16)),
  )
}

/** The words of a name in camelCase, snake_case, kebab-case or with a number. Takes linear time. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** What marks a credential, in words joined by hyphens: whole words, ends of words, keys. */
const SECRET_NAMES = [
  /\b(?:o?auth|[cx]srf|otp|pass|pin|session|sid|sig)s?\b/,
  /(?:auth(?:entic|oriz)ation|bearer|credential|jwt|secret|signature|token)s?\b/,
  /(?:pass(?:phrase|word)|p(?:ass)?wd|sess(?:ion)?-?id)s?\b/,
  // Other keys, such as an `Idempotency-Key`, are not credentials.
  /^keys?$|(?:api|access|client|cryption|functions?|master|private|signing|subscription)-?keys?\b/,
]

/** Whether the log shows the value of a header field. */
export function isLogged(name: string): boolean {
  const kind = kindOf(name)
  return kind === 'plain' || kind === 'target'
}

/** Whether people put credentials into such a field, by mistake or for another API. */
function isSecretName(name: string): boolean {
  const words = (name.match(WORD) ?? []).join('-').toLowerCase()
  return SECRET_NAMES.some((pattern) => pattern.test(words))
}
