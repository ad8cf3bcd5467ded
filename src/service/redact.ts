// Keeps secrets out of what is stored and shown, by their place. Credentials in header fields are never stored; values whose field or
// parameter is named like a credential are redacted when an entry is read. Known keys elsewhere are the work of redactor.ts.
import { describeKey } from '../contract/describe-value.ts'

/** Parameters and fields that people put credentials into, by mistake or for another API. */
const SECRET_NAME =
  /(?:(?:api|access|secret|private|subscription|functions)[-_]?key(?:[-_]?id)?|token|secret|password|passwd|authorization|signature|credentials?)$|^(?:key|auth|bearer|jwt|pwd|sig)$/i
/** A body without any of these words has no such field, and most bodies have none. */
const SECRET_HINT = /key|token|secret|passw|auth|signature|credential|bearer|jwt|pwd|sig/i
/** What comes before the host of an absolute target, of a tunnel's, or of one without a scheme. */
const USER_INFO = /^((?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?)[^/?#]*@/i
/** A JSON string, perhaps cut off, with the colon that makes it a name; a bracket; or any other value. Takes linear time. */
const JSON_PART = /"((?:[^"\\]|\\[\s\S])*)"?(\s*:)?|[{}[\]]|[^\s"{}[\],:]+/g
const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i
const CREDENTIALS = /^(?:proxy-)?authorization$/i
/** Only these: the first word of anything else may be a secret. */
const SCHEME = /^(?:bearer|basic|digest|token) /i
/** Fields that hold a target. */
const TARGETS = /^(?:referer|(?:content-)?location)$/i
const HIDDEN = /^(?:(?:proxy-)?(authorization)|(?:set-)?cookie2?)$/i

/** The header fields, names and values in turn, without credentials. */
export function storeFields(fields: readonly string[], key?: string): readonly string[] {
  const stored = fields.slice()
  for (let index = 0; index + 1 < stored.length; index += 2) {
    const name = stored[index] as string
    const value = stored[index + 1] as string
    const hidden = HIDDEN.exec(name)
    if (!hidden) continue
    // A field without a name is not shown.
    if (hidden[1] === undefined) stored[index] = stored[index + 1] = ''
    else {
      // The scheme, and the end of the API key.
      stored[index + 1] = (SCHEME.exec(value)?.[0] ?? '') + (key && value.endsWith(key) ? describeKey(key) : '…')
    }
  }
  return stored
}

/** The target without a user and password, and without the values of parameters that look like credentials. */
export function redactTarget(target: string): string {
  const shown = target.replace(USER_INFO, '$1…@')
  const mark = shown.indexOf('?')
  return mark < 0 ? shown : `${shown.slice(0, mark)}?${redactForm(shown.slice(mark + 1))}`
}

/** Stored header fields by their names, in lower case unless `keepsCase`; repeated ones are joined by commas. */
export function redactHeaders(fields: readonly string[], hide: (text: string) => string, keepsCase = false): Record<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const sent = fields[index] as string
    const name = hide(keepsCase ? sent : sent.toLowerCase())
    if (name === '') continue
    const value = fields[index + 1] as string
    const shown = CREDENTIALS.test(name) ? value : SECRET_NAME.test(name) ? '…' : hide(TARGETS.test(name) ? redactTarget(value) : value)
    const before = headers.get(name)
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(headers)
}

/** The body without the values of fields that look like credentials: of a form, or of anything like JSON. */
export function redactBody(body: string, contentType = ''): string {
  if (FORM.test(contentType)) return redactForm(body)
  return SECRET_HINT.test(body) ? redactJson(body) : body
}

function decode(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent)
}

function redactJson(text: string): string {
  let shown = ''
  let end = 0
  let isSecret = false
  /** Open brackets of a secret value. */
  let depth = 0
  for (const { 0: part, 1: name = '', 2: colon, index } of text.matchAll(JSON_PART)) {
    const step = '{['.includes(part) ? 1 : '}]'.includes(part) ? -1 : 0
    const isValue = isSecret && colon === undefined && step >= 0
    if (isValue) shown += `${text.slice(end, index)}"…"`
    if (isValue || depth > 0) {
      depth += step
      end = depth > 0 ? text.length : index + part.length
    }
    isSecret = depth === 0 && colon !== undefined && SECRET_NAME.test(name)
  }
  return shown + text.slice(end)
}

/** `user[password]` and `api_key[]` are secret as well. */
function redactForm(text: string): string {
  const shown = text.split('&').map((pair) => {
    const name = pair.slice(0, Math.max(pair.indexOf('='), 0))
    const parts = decode(name).split(/[[\]]/)
    return parts.some((part) => SECRET_NAME.test(part)) ? `${name}=…` : pair
  })
  return shown.join('&')
}
