// The fault that a request asks for itself, with `Prefer: code=503, delay=1500` or `Prefer: drop` (RFC 7240).
import { MAX_DELAY_MS } from '../limits.ts'
import type { Strike } from '../world/faults.ts'

/** What each preference of ours takes; the RFC asks to ignore the others. */
const VALUES = {
  code: { isValid: (value: string) => /^[45]\d\d$/.test(value), expected: 'a status from 400 to 599' },
  delay: {
    isValid: (value: string) => /^\d+$/.test(value) && Number(value) <= MAX_DELAY_MS,
    expected: `milliseconds, at most ${MAX_DELAY_MS}`,
  },
  drop: { isValid: (value: string) => value === '', expected: 'no value' },
}

/** One element of the list: commas in a quoted text separate nothing, and one that is never closed reaches to the end. */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*["\\]?|[^,"])+/gs
/**
 * A name and perhaps a value, then perhaps parameters, which mean nothing to us; `x="y"` is the same as `x=y` (RFC 7240 §2). Each space can
 * be matched in one place only, so that many of them take linear time.
 */
const PREFERENCE = /^([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))\s*)?)?(?:;|$)/s

/** The fault that the request prefers, and the preferences that were applied. One that makes no sense is ignored, with a note. */
export function parsePrefer(header: string, note: (text: string) => void) {
  const chosen = new Map<keyof typeof VALUES, number>()
  const seen = new Set<string>()
  for (const [element] of header.matchAll(ELEMENT)) {
    const preference = element.trim()
    const match = PREFERENCE.exec(preference)
    if (!match) {
      if (preference !== '') note(`Ignored Prefer: ${preference}; expected a name, or a name and a value`)
      continue
    }
    const name = (match[1] as string).toLowerCase() as keyof typeof VALUES
    const value = match[2] ?? match[3] ?? ''
    // Of a preference that is given twice, the first counts (RFC 7240 §2).
    if (!Object.hasOwn(VALUES, name) || seen.has(name)) continue
    seen.add(name)
    if (VALUES[name].isValid(value)) chosen.set(name, Number(value))
    else note(`Ignored Prefer: ${preference}; ${name} takes ${VALUES[name].expected}`)
  }
  if (chosen.size === 0) return undefined
  const strike: Strike = { faults: ['Prefer'], status: chosen.get('code'), delay: chosen.get('delay') ?? 0, drop: chosen.has('drop') }
  // A dropped connection shows none of them.
  return { strike, applied: [...chosen].map(([name, value]) => `${name}=${value}`).join(', ') }
}
