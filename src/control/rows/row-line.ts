// A row of the timeline as a line of a log. Text from rows is escaped.
import { cutLine, escapeUnsafe } from '../../contract/escape.ts'
import { isChange, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { printDuration } from './print-duration.ts'
import { printReasons, type ReasonKind, toneOf } from './reasons.ts'
import { describeTimes, type Repeats } from './repeats.ts'
import type { FindOwner } from './row-owners.ts'

const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const
const TONES = { good: 'green', warn: 'yellow', bad: 'red' } as const
const REASON_COLOURS: Readonly<Record<Exclude<ReasonKind, 'refused'>, Colour>> = {
  note: 'cyan',
  fault: 'magenta',
  asked: 'magenta',
  surprise: 'cyan',
  assumes: 'yellow',
}
const TARGET_WIDTH = 24

type Colour = keyof typeof COLOURS
type Paint = (colour: Colour, text: string) => string
type LineOptions = Readonly<{ colour?: boolean; findOwner?: FindOwner | undefined }>

/** A line for each group. */
export function renderRowLines(
  groups: readonly Repeats<TimelineRow>[],
  options: LineOptions,
): string[] {
  return groups.map((group) => renderRowLine(group.row, options, describeTimes(group)))
}

/**
 * `10:02:03.125Z #12 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key` and reasons, or `…
 * #12 ◆ reset`. `times` says how often a request was repeated.
 */
export function renderRowLine(row: TimelineRow, options: LineOptions = {}, times = ''): string {
  const paint = options.colour ? paintInColour : paintPlain
  const owner = options.findOwner?.(row) ?? null
  const parts = [paint('dim', `${row.realAt.slice(11)} #${row.id}`)]
  if (isChange(row)) {
    if (owner !== null) parts.push(paint('dim', owner))
    parts.push(paint('cyan', `◆ ${row.text}`))
    return parts.join(' ')
  }
  const result = row.outcome === 'sent' ? String(row.status) : row.outcome
  parts.push(
    escapeUnsafe(row.method).padEnd(4),
    cutLine(row.target).padEnd(TARGET_WIDTH),
    paint(colourOf(row), result),
    printDuration(row.durationMs),
    escapeUnsafe(row.operation ?? '-'),
    paint('dim', owner ?? row.key ?? '-'),
  )
  const reasons = paintReasons(row, paint)
  if (times !== '') reasons.push(paint('yellow', times))
  if (reasons.length > 0) parts.push(reasons.join(' · '))
  return parts.join(' ')
}

const paintPlain: Paint = (_, text) => escapeUnsafe(text)
const paintInColour: Paint = (colour, text) =>
  `\u001b[${COLOURS[colour]}m${escapeUnsafe(text)}\u001b[0m`

function colourOf(row: RequestRow): Colour {
  return row.status === 0 ? 'magenta' : TONES[toneOf(row)]
}

function paintReasons(row: RequestRow, paint: Paint): string[] {
  const reasons = printReasons(row).filter((reason) => reason.text !== '')
  return reasons.map(({ kind, text }) => {
    const colour = kind === 'refused' ? colourOf(row) : REASON_COLOURS[kind]
    return paint(colour, text)
  })
}
