// Keeps secrets out of what is shown: journal, events, logs and copied commands all show what these functions leave.

/** Query parameters that people put credentials into, by mistake or for another API. */
const SECRET_NAME = /(?:api[-_]?key|token|secret|password|passwd|authorization|signature)$|^(?:key|auth|bearer|jwt|pwd|sig)$/i

/** The end of a key, enough to tell two apart. */
export function redact(key: string): string {
  return key.length > 4 ? `…${key.slice(-4)}` : '…'
}

/** The target with the value of every parameter that looks like a credential replaced. */
export function redactTarget(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const pairs = target
    .slice(mark + 1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals >= 0 && SECRET_NAME.test(decode(pair.slice(0, equals))) ? `${pair.slice(0, equals)}=…` : pair
    })
  return `${target.slice(0, mark)}?${pairs.join('&')}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
