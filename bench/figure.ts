// A figure, its target and how a table shows both; medians and paired ratios.

export interface Figure {
  readonly name: string
  /** Of this checkout; NaN if it could not be measured. */
  readonly value: number
  /** Of the checkout after `--against`. */
  readonly other?: number | undefined
  /** The most it may be. */
  readonly target?: number
  readonly detail?: string
}

/** The middle of the values, and where half of them lie. */
function spread(values: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export const median = (values: readonly number[]): number => spread(values).median

/** Values of the same round are divided by each other, so that a machine that is busy for a while changes nothing. */
export const ratios = (values: readonly number[], bases: readonly number[]) =>
  spread(values.map((value, round) => value / (bases[round] as number)))

/** The ratio of this checkout and of the other one to a base, and how the two compare in the same rounds. */
export function compared(
  name: string,
  [own = [], base = [], other]: readonly (readonly number[] | undefined)[],
  target: number,
  detail: string,
): Figure {
  const { median: value, low, high } = ratios(own, base)
  const beside = other && ratios(own, other)
  const range = `${show(low)}–${show(high)}`
  return {
    name,
    value,
    target,
    other: other && ratios(other, base).median,
    detail: [
      range,
      ...(detail === '' ? [] : [detail]),
      ...(beside ? [`this ÷ other ${show(beside.median)} (${show(beside.low)}–${show(beside.high)})`] : []),
    ].join('; '),
  }
}

export function renderTable(figures: readonly Figure[], hasOther: boolean): string {
  const toRow = ({ name, value, other, target, detail = '' }: Figure) => {
    const mark = target === undefined ? '·' : Number.isNaN(value) ? '?' : value <= target ? '✓' : '✗'
    return [mark, name, show(value), ...(hasOther ? [show(other)] : []), target === undefined ? '' : `≤ ${show(target)}`, detail]
  }
  const head = ['', 'figure', 'this', ...(hasOther ? ['other'] : []), 'target', 'middle half and details']
  const rows = [head, ...figures.map(toRow)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()).join('\n')
}

function show(value: number | undefined): string {
  if (value === undefined) return ''
  if (Number.isNaN(value)) return 'not measured'
  return Math.abs(value) < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}
