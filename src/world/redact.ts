// Hides secrets. Credentials in header fields are never stored; values whose field or parameter is
// named like a credential are hidden from readers. Texts are not searched.
import { parseJson, toJson } from '../contract/int64-json.ts'
import { describeKey } from '../contract/values.ts'
import type { FaultResponse } from './fault-outcome.ts'
import type { LoggedMessage } from './row.ts'

/** Only these: the first word of anything else may be a secret. */
const SCHEME = /^(?:bearer|basic|digest|token) /i

const HIDDEN_FIELD = /^(?:(?:proxy-)?(authorization)|(?:set-)?cookie2?)$/i

/** Header fields without cookies. Of credentials, the scheme and the key's end stay. */
export function storeHeaders(
  headers: Readonly<Record<string, string>>,
  key?: string,
): Record<string, string> {
  const stored = { ...headers }
  for (const name in headers) {
    const hidden = HIDDEN_FIELD.exec(name)
    if (!hidden) continue
    const value = headers[name] as string
    if (hidden[1] === undefined) delete stored[name]
    else
      stored[name] =
        (SCHEME.exec(value)?.[0] ?? '') + (key && value.endsWith(key) ? describeKey(key) : '…')
  }
  return stored
}

export function showMessage(headers: LoggedMessage['headers'], body: string): LoggedMessage {
  const fields = Object.entries(headers)
  const [, type] = fields.find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const shown = fields.map(([name, value]) => [name, redactField(name, value)])
  return { headers: Object.fromEntries(shown), body: redactBody(body, type) }
}

/** A fault, with what the log would show of its response; header fields are ASCII. */
export function redactFault<One extends { readonly response?: FaultResponse | undefined }>(
  fault: One,
): One {
  if (!fault.response) return fault
  const { headers, body, ...rest } = fault.response
  const isText = typeof body === 'string'
  const shown = showMessage(storeHeaders(headers ?? {}), isText ? body : '')
  const fields = Object.entries(shown.headers).map(([name, value]) => [
    name,
    value.replaceAll('…', '...'),
  ])
  const given = body !== undefined && {
    body: isText ? shown.body : parseJson(redactBody(toJson(body))),
  }
  return {
    ...fault,
    response: { ...rest, ...(headers && { headers: Object.fromEntries(fields) }), ...given },
  }
}

/** The words of a name in camelCase, snake_case, kebab-case or with a number. Takes linear time. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

/** Words, joined by hyphens, that mark a credential: whole words, and ends of words. */
const SECRET_WORD =
  /\b(?:o?auth|otp|pass|session|sid|sig)s?\b|(?:bearer|credential|jwt|secret|signature|token)s?\b/

const SECRET_END =
  /(?:auth(?:entic|oriz)ation|pass(?:phrase|word)|p(?:ass)?wd|sess(?:ion)?-?id)s?\b/

/** Other keys, such as an `Idempotency-Key`, are no credentials. */
const SECRET_KEY =
  /^keys?$|(?:api|access|client|functions?|master|private|signing|subscription)-?keys?\b/

/** A body without any of these has no such field, and most bodies have none. */
const SECRET_HINT = /\\u|auth|bearer|credential|jwt|key|pass|pwd|otp|secret|sess|si[dg]|token/i

/** What comes before the host of an absolute target, of a tunnel's, or of one without a scheme. */
const USER_INFO = /^((?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?)[^/?#]*@/i

/**
 * A JSON string, perhaps cut off, with the colon that makes it a name; a bracket; or another value.
 * In linear time.
 */
const JSON_PART = /"((?:[^"\\]|\\[\s\S])*)"?(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g

const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

const TARGETS = /^(?:referer|(?:content-)?location)$/i

/** Repeated fields are joined by commas. */
const NEXT_TARGET = /, (?=[a-z][a-z0-9+.-]*:\/\/)/i

export const redactTarget = (target: string) =>
  target.replace(USER_INFO, '$1…@').replace(/(?<=\?).*/s, redactForm)

function redactField(name: string, value: string): string {
  // Stored without the credential.
  if (HIDDEN_FIELD.test(name)) return value
  if (isSecretName(name)) return '…'
  return TARGETS.test(name) ? value.split(NEXT_TARGET).map(redactTarget).join(', ') : value
}

/**
 * The body without the values of fields that look like credentials: of a form, or of JSON, which
 * curl calls a form.
 */
export function redactBody(body: string, contentType = ''): string {
  const shown = SECRET_HINT.test(body) ? redactJson(body) : body
  return FORM.test(contentType) ? redactForm(shown) : shown
}

/**
 * Whether people put credentials into a parameter or field of this name, by mistake or for another
 * API.
 */
function isSecretName(name: string): boolean {
  const words = (name.match(WORD) ?? []).join('-').toLowerCase()
  return SECRET_WORD.test(words) || SECRET_END.test(words) || SECRET_KEY.test(words)
}

const unescapeName = (text: string): string =>
  text.replace(/(?:%|\\u00)[0-7][0-9a-f]/gi, (escaped) =>
    String.fromCharCode(Number(`0x${escaped.slice(-2)}`)),
  )

/**
 * Copies the text up to each secret value, and goes on after it. A value that is cut off takes the
 * rest.
 */
function redactJson(text: string): string {
  let shown = ''
  let copiedTo = 0
  let isSecret = false
  let skippedDepth = 0
  for (const { 0: part, 1: name = '', 2: colon, index } of text.matchAll(JSON_PART)) {
    const step = Number('{['.includes(part)) - Number('}]'.includes(part))
    const end = index + part.length
    if (skippedDepth > 0) {
      skippedDepth += step
      if (skippedDepth === 0) copiedTo = end
    } else if (isSecret && step >= 0) {
      shown += `${text.slice(copiedTo, index)}"…"`
      skippedDepth = step
      copiedTo = step > 0 ? text.length : end
    }
    isSecret = colon !== undefined && isSecretName(unescapeName(name))
  }
  return shown + text.slice(copiedTo)
}

function redactForm(text: string): string {
  const redact = (pair: string, name: string) =>
    isSecretName(unescapeName(name)) ? `${name}=…` : pair
  return text.replace(/(?<![^&])([^&=]*)=[^&]*/g, redact)
}
