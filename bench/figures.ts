// A figure with the target it is held against, and how both are shown.

export interface Figure {
  readonly name: string
  readonly shown: string
  readonly target?: string
  /** Whether the target is reached; undefined if there is none. */
  readonly met?: boolean
}

/** A figure without a target. */
export function fact(name: string, shown: string): Figure {
  return { name, shown }
}

export function atLeast(name: string, value: number, target: number, shown: string): Figure {
  return { name, shown, target: `≥ ${target}`, met: value >= target }
}

export function atMost(name: string, value: number, target: number, shown: string): Figure {
  return { name, shown, target: `≤ ${target.toLocaleString('en')}`, met: value <= target }
}

/** Figures as lines of a terminal. */
export function toLines(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length))
  return figures
    .map(({ name, shown, target, met }) => `  ${mark(met)} ${name.padEnd(width)}  ${shown}${target === undefined ? '' : `  (${target})`}`)
    .join('\n')
}

/** Figures as a Markdown table. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, shown, target, met }) => `| ${name} | ${shown} | ${target ?? ''} | ${met === undefined ? '' : met ? 'yes' : '**no**'} |`,
  )
  return ['| figure | measured | target | reached |', '|---|---|---|---|', ...rows].join('\n')
}

function mark(met: boolean | undefined): string {
  return met === undefined ? '·' : met ? '✓' : '✗'
}
