// A fault for one request, asked for by the request itself: `Prefer: code=503, delay=1500` or `Prefer: drop` (RFC 7240).
import { MAX_DELAY_MS } from '../limits.ts'
import type { Strike } from '../world/faults.ts'

interface Preferred {
  readonly strike: Strike
  /** The preferences that were applied. */
  readonly applied: string
}

/** What each preference of ours takes; the RFC asks to ignore the others. */
const VALUES = {
  code: { isValid: (value: number) => value >= 400 && value <= 599, expected: 'a status from 400 to 599' },
  delay: { isValid: (value: number) => value <= MAX_DELAY_MS, expected: `milliseconds, at most ${MAX_DELAY_MS}` },
  drop: { isValid: Number.isNaN, expected: 'no value' },
}

/** One element of the list: commas in a quoted text separate nothing, and one that is never closed reaches to the end. */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*["\\]?|[^,"])+/gs
/** A name and perhaps a value, then perhaps parameters, which mean nothing to us; `x="y"` is the same as `x=y` (RFC 7240 §2). */
const PREFERENCE = /^([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]*)))?\s*(?:;|$)/s

/** The fault that the request prefers; a preference that makes no sense is ignored, with a note. */
export function parsePrefer(header: string | undefined, note: (text: string) => void): Preferred | undefined {
  if (header === undefined) return undefined
  const chosen = new Map<keyof typeof VALUES, number>()
  const seen = new Set<string>()
  for (const [element] of header.matchAll(ELEMENT)) {
    const preference = element.trim()
    if (preference === '') continue
    const match = PREFERENCE.exec(preference)
    if (!match) {
      note(`Ignored Prefer: ${preference}; expected a name, or a name and a value`)
      continue
    }
    const name = (match[1] as string).toLowerCase()
    const value = match[2] ?? match[3] ?? ''
    // Of a preference that is given twice, the first counts (RFC 7240 §2).
    if (!isOurs(name) || seen.has(name)) continue
    seen.add(name)
    const number = value === '' ? Number.NaN : /^\d+$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY
    if (VALUES[name].isValid(number)) chosen.set(name, number)
    else note(`Ignored Prefer: ${preference}; ${name} takes ${VALUES[name].expected}`)
  }
  if (chosen.size === 0) return undefined
  const strike = { faults: ['Prefer'], status: chosen.get('code'), delay: chosen.get('delay') ?? 0, drop: chosen.has('drop') }
  return { strike, applied: [...chosen].map(([name, value]) => (name === 'drop' ? name : `${name}=${value}`)).join(', ') }
}

function isOurs(name: string): name is keyof typeof VALUES {
  return Object.hasOwn(VALUES, name)
}
