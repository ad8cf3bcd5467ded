// One line for each exchange, for people, with colour if the terminal has it. An entry may come from another server.
import { cutText } from '../contract/text.ts'
import type { ChangeRow } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'

const DIM = 2
const RED = 31
const GREEN = 32
const YELLOW = 33
const MAGENTA = 35
const CYAN = 36

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
  return `${paint(DIM, escapeUnsafe(`${at.slice(11)} #${id}`))} ${paint(CYAN, `◆ ${escapeUnsafe(text)}`)}`
}

/** `10:02:03.125Z #12 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key`, and what is worth knowing after it. */
export function toPrettyLine(entry: LogEntry, colour: boolean, showsSandbox = false): string {
  const paint = createPaint(colour)
  const line = [
    paint(DIM, escapeUnsafe(`${entry.at.slice(11)} #${entry.id}`)),
    escapeUnsafe(entry.method).padEnd(4),
    escapeUnsafe(cutText(entry.target, TARGET_LIMIT)).padEnd(TARGET_WIDTH),
    paint(colourOf(entry.status), entry.outcome === 'sent' ? String(entry.status) : escapeUnsafe(entry.outcome)),
    `${entry.durationMs.toFixed(entry.durationMs < 10 ? 1 : 0)} ms`,
    escapeUnsafe(entry.operation ?? '-'),
    paint(DIM, escapeUnsafe((showsSandbox ? entry.sandbox : null) ?? entry.key ?? '-')),
  ]
  const { error } = entry
  const reasons: string[] = []
  if (error !== null) reasons.push(paint(colourOf(entry.status), escapeUnsafe(error)))
  if (entry.assumptions.length > 0) reasons.push(paint(YELLOW, `assumes ${escapeUnsafe(entry.assumptions.join(', '))}`))
  if (entry.faults.length > 0) reasons.push(paint(MAGENTA, `fault ${escapeUnsafe(entry.faults.join(', '))}`))
  if (entry.surprises.length > 0) reasons.push(paint(CYAN, `surprise ${escapeUnsafe(entry.surprises.join(', '))}`))
  // A near miss is told as the error already.
  const notes = entry.notes.filter((note) => note !== error)
  if (notes.length > 0) reasons.push(paint(CYAN, escapeUnsafe(notes.join('; '))))
  if (reasons.length > 0) line.push(reasons.join(' · '))
  return line.join(' ')
}

const createPaint = (colour: boolean) => (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)

function colourOf(status: number): number {
  if (status === 0) return MAGENTA
  if (status >= 500) return RED
  return status >= 400 ? YELLOW : GREEN
}
