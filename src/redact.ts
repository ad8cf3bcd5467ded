// Keeps secrets out of what is shown: journal, events, logs and copied commands all show what these functions leave.

/** Query parameters that people put credentials into, by mistake or for another API. */
const SECRET_NAME = /(?:api[-_]?key|token|secret|password|passwd|authorization|signature)$|^(?:key|auth|bearer|jwt|pwd|sig)$/i

/** What stands before the host of an absolute target, or of a tunnel's. */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:\/\/)?)[^/?#]*@/i
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

/** The body of a form is written as a query is; any other body stays as it is. */
export function redactBody(body: string, contentType = ''): string {
  return FORM.test(contentType) ? redactForm(body) : body
}

function redactForm(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals >= 0 && SECRET_NAME.test(decode(pair.slice(0, equals))) ? `${pair.slice(0, equals)}=…` : pair
    })
    .join('&')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
