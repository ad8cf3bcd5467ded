// One line for each exchange, for people, with colour if the terminal has it. An entry may come from another server.
import { cutText } from '../contract/text.ts'
import type { ChangeRow } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'

const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const
const TARGET_WIDTH = 24
const TARGET_LIMIT = 300

/** Colour belongs on a terminal that wants it (no-color.org). */
export function hasColour(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** `10:02:03.125Z #12 ◆ invalid-query: reject → clamp`. */
export function toChangeLine({ at, id, text }: ChangeRow, colour: boolean): string {
  const paint = createPaint(colour)
  return `${paint('dim', `${at.slice(11)} #${id}`)} ${paint('cyan', `◆ ${text}`)}`
}

/** `10:02:03.125Z #12 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key`, and what is worth knowing after it. */
export function toPrettyLine(entry: LogEntry, colour: boolean, showsSandbox = false): string {
  const paint = createPaint(colour)
  const { status, outcome, durationMs, error } = entry
  const list = (word: string, ids: readonly string[]) => (ids.length === 0 ? '' : `${word} ${ids.join(', ')}`)
  const reasons = [
    paint(colourOf(status), error ?? ''),
    paint('yellow', list('assumes', entry.assumptions)),
    paint('magenta', list('fault', entry.faults)),
    paint('cyan', list('surprise', entry.surprises)),
    // A near miss is told as the error already.
    paint('cyan', entry.notes.filter((note) => note !== error).join('; ')),
  ].filter((reason) => reason !== '')
  return [
    paint('dim', `${entry.at.slice(11)} #${entry.id}`),
    escapeUnsafe(entry.method).padEnd(4),
    escapeUnsafe(cutText(entry.target, TARGET_LIMIT)).padEnd(TARGET_WIDTH),
    paint(colourOf(status), outcome === 'sent' ? String(status) : outcome),
    `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`,
    escapeUnsafe(entry.operation ?? '-'),
    paint('dim', (showsSandbox ? entry.sandbox : null) ?? entry.key ?? '-'),
    ...(reasons.length > 0 ? [reasons.join(' · ')] : []),
  ].join(' ')
}

/** An empty text stays empty. */
function createPaint(colour: boolean) {
  return (name: keyof typeof COLOURS, text: string) =>
    colour && text !== '' ? `\u001b[${COLOURS[name]}m${escapeUnsafe(text)}\u001b[0m` : escapeUnsafe(text)
}

function colourOf(status: number): keyof typeof COLOURS {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
