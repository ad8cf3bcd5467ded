// Text for people: hidden characters made visible, long text shortened, times and sizes in words.
// Times are in UTC.
import { escapeCharacter, UNSAFE } from '../../contract/escape.ts'
import { count } from '../../contract/problem.ts'
import { printDuration } from '../../control/rows/print-duration.ts'

export { count }

const MINUTE_MS = 60_000

/** Texts by name, such as those of a form or an address. */
export type Texts = Readonly<Record<string, string>>

/** Ordinary white space, and the joiners of scripts and emoji. */
const HARMLESS = ['\n', '\t', '\u200c', '\u200d']

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** The text with hidden characters as `\u202e`; JSON text stays JSON and means the same. */
export function showHidden(text: string): string {
  return text.replace(UNSAFE, (character) =>
    HARMLESS.includes(character) ? character : escapeCharacter(character),
  )
}

/**
 * Cuts long text in the middle: the end of a key tells it from others as often as its beginning.
 */
export function shorten(text: string, maxCharacters = 24): string {
  const characters = [...text]
  if (characters.length <= maxCharacters) return text
  const half = (maxCharacters - 1) / 2
  const start = characters.slice(0, Math.ceil(half))
  const end = characters.slice(-Math.floor(half))
  return `${start.join('')}…${end.join('')}`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function formatDate(instant: number | string): string {
  return DATE.format(new Date(instant))
}

/** `10:02:03.1` of an ISO text. */
export function formatTime(iso: string): string {
  return iso.slice(11, 21)
}

/** The time since the row before, as in `+12 ms`; after a minute, or for the first, its time. */
export function formatGap(iso: string, isoBefore: string | undefined): string {
  if (isoBefore === undefined) return formatTime(iso)
  const gapMs = Date.parse(iso) - Date.parse(isoBefore)
  const isShort = gapMs >= 0 && gapMs < MINUTE_MS
  return isShort ? `+${printDuration(gapMs)}` : formatTime(iso)
}

export function formatSize(text: string): string {
  return `${count(new TextEncoder().encode(text).length)} B`
}

/** Header fields, one a line. */
export function formatFields(fields: Texts): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
