// `Prefer`: the fault that a request asks for itself (RFC 7240).
import { MAX_DELAY_MS } from '../contract/limits.ts'
import type { Strike } from '../world/faults.ts'
import { addNote } from '../world/notes.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import { addHeader, type Context } from './context.ts'

/** What each preference of ours takes; RFC 7240 asks to ignore the others. */
const PREFERENCES = {
  code: { valid: /^[45]\d\d$/, max: 599, expected: 'a status from 400 to 599' },
  delay: { valid: /^\d+$/, max: MAX_DELAY_MS, expected: `milliseconds, at most ${MAX_DELAY_MS}` },
  drop: { valid: /^$/, max: 0, expected: 'no value' },
}

type PreferenceName = keyof typeof PREFERENCES

/** A preference that makes no sense only leaves a note. */
export function findPreferred(context: Context): Strike | undefined {
  const { prefer } = context.call.headers
  if (prefer === undefined) return undefined
  const chosen = readPreferences(prefer, context)
  if (chosen.size === 0) return undefined
  // A dropped connection shows no header.
  const applied = [...chosen].map(([name, value]) => `${name}=${value}`)
  addHeader(context, ADDED_FIELDS.preferenceApplied, applied.join(', '))
  return {
    faults: ['Prefer'],
    status: chosen.get('code'),
    delay: chosen.get('delay') ?? 0,
    drop: chosen.has('drop'),
  }
}

function readPreferences(prefer: string, context: Context): ReadonlyMap<PreferenceName, number> {
  const seen = new Set<string>()
  const chosen = new Map<PreferenceName, number>()
  for (const element of prefer.split(',')) {
    const { name, value } = parsePreference(element)
    // Of a preference that is given twice, the first counts.
    if (!isPreference(name) || seen.has(name)) continue
    seen.add(name)
    const { valid, max, expected } = PREFERENCES[name]
    const number = Number(value)
    if (valid.test(value) && number <= max) chosen.set(name, number)
    else addNote(context, `Ignored Prefer: ${element.trim()}; ${name} takes ${expected}`)
  }
  return chosen
}

/** Parameters mean nothing to us, and `x="y"` is the same as `x=y`. */
function parsePreference(element: string): { name: string; value: string } {
  const [pair = ''] = element.split(';', 1)
  const [name = '', value = ''] = pair.split('=').map(unquote)
  return { name: name.toLowerCase(), value }
}

function unquote(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1')
}

function isPreference(name: string): name is PreferenceName {
  return Object.hasOwn(PREFERENCES, name)
}
