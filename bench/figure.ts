// A figure, its target and how a table shows both; medians and paired ratios.

export interface Figure {
  readonly name: string
  readonly value: number
  /** The most it should be. */
  readonly target?: number
  /** A known reason to be above the target, and up to where it explains the value. */
  readonly expected?: { readonly most: number; readonly why: string }
  readonly isMeasuredTime?: boolean
  readonly detail?: string
}

export type Report = (figure: Figure) => void

/** The middle of the values, and where half of them lie. */
function spread(values: readonly number[]): {
  readonly median: number
  readonly low: number
  readonly high: number
} {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export const median = (values: readonly number[]): number => spread(values).median

/**
 * Values of the same round are divided by each other, so that a machine that is busy for a while
 * changes nothing.
 */
export const ratios = (values: readonly number[], bases: readonly number[]) =>
  spread(values.map((value, round) => value / (bases[round] as number)))

/** Ratios of times differ by this much from run to run. */
const NOISE = 1.05

/** The ratio to a base, and the medians of both, in units of `unit`. */
export function compared(
  name: string,
  values: readonly number[],
  bases: readonly number[],
  target: number | undefined,
  unit: [name: string, size: number],
): Figure {
  const { median: value, low, high } = ratios(values, bases)
  const middle = (all: readonly number[]) => show(median(all) / unit[1])
  return {
    name,
    value,
    ...(target !== undefined && { target }),
    isMeasuredTime: true,
    detail: `${show(low)}–${show(high)}; ${middle(values)} to ${middle(bases)} ${unit[0]}`,
  }
}

/** How the value compares with the target, in words. */
function judge({ value, target, expected, isMeasuredTime }: Figure): string {
  if (target === undefined) return ''
  if (value <= target) return 'met'
  if (expected && value <= expected.most) return `above, as expected: ${expected.why}`
  return isMeasuredTime && value <= target * NOISE ? 'above, within noise' : 'ABOVE THE TARGET'
}

export function renderTable(figures: readonly Figure[]): string {
  const toRow = (figure: Figure) => {
    const { name, value, target, detail = '' } = figure
    return [
      name,
      show(value),
      target === undefined ? '' : `≤ ${show(target)}`,
      judge(figure),
      detail,
    ]
  }
  const head = ['figure', 'value', 'target', 'verdict', 'middle half and medians']
  const rows = [head, ...figures.map(toRow)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    )
    .join('\n')
}

function show(value: number): string {
  return Math.abs(value) < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}
