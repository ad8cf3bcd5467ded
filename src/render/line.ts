// One line for each row of the timeline, for people, with colour if the terminal has it. A row may come from another server.
import { cutText } from '../contract/text.ts'
import { type ChangeRow, isChange } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'

const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const
type Colour = keyof typeof COLOURS
const TARGET_WIDTH = 24
const TARGET_LIMIT = 300

/** Colour belongs on a terminal that wants it (no-color.org). */
export function hasColour(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

interface LineOptions {
  readonly colour?: boolean
  /** The whole key of its sandbox instead of the end of its API key. */
  readonly showsSandbox?: boolean | undefined
  readonly times?: string
}

/**
 * `10:02:03.125Z #12 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key`, and what is worth knowing after it; or
 * `10:02:03.125Z #12 ◆ invalid-query: reject → clamp`.
 */
export function toLine(row: LogEntry | ChangeRow, { colour = false, showsSandbox = false, times = '' }: LineOptions = {}): string {
  const paint = (name: Colour, text: string) => (colour ? `\u001b[${COLOURS[name]}m${escapeUnsafe(text)}\u001b[0m` : escapeUnsafe(text))
  const moment = paint('dim', `${row.at.slice(11)} #${row.id}`)
  if (isChange(row)) return `${moment} ${paint('cyan', `◆ ${row.text}`)}`
  const { method, target, status, outcome, durationMs, operation, key, sandbox } = row
  const reasons = [...listReasons(row), ...(times === '' ? [] : [['yellow', times] as const])].map(([name, text]) => paint(name, text))
  return [
    moment,
    escapeUnsafe(method).padEnd(4),
    escapeUnsafe(cutText(target, TARGET_LIMIT)).padEnd(TARGET_WIDTH),
    paint(colourOf(status), outcome === 'sent' ? String(status) : outcome),
    `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`,
    escapeUnsafe(operation ?? '-'),
    paint('dim', (showsSandbox ? sandbox : null) ?? key ?? '-'),
    ...(reasons.length > 0 ? [reasons.join(' · ')] : []),
  ].join(' ')
}

/** Why a request got its response, in words, the most important first. The error of a fault is deliberate, and a note may repeat an error. */
export function listReasons(entry: LogEntry): (readonly [Colour, string])[] {
  const { status, error, notes, faults, struck, surprises, assumptions } = entry
  const list = (colour: Colour, word: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [[colour, `${word} ${ids.join(', ')}`] as const]
  return [
    ...(error === null || faults.length > 0 ? [] : [[colourOf(status), error] as const]),
    ...notes.filter((note) => note !== error).map((note) => ['cyan', note] as const),
    ...(struck?.map((text) => ['magenta', text] as const) ?? list('magenta', 'fault', faults)),
    ...list('cyan', 'surprise', surprises),
    ...list('yellow', 'assumes', assumptions),
  ]
}

function colourOf(status: number): Colour {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
