// Groups equal requests that follow each other, to show them once with their number. They are equal
// if their lines differ only in times.
import { isChange, type RequestRow, type TimelineRow } from '../../world/row.ts'

/** `row` is the last of the equal requests, or a single row. */
export type Repeats<T> = Readonly<{ row: T; times: number; first: T }>

const SAME = [
  'method',
  'target',
  'operation',
  'status',
  'outcome',
  'key',
  'error',
  'faults',
  'struck',
  'surprises',
  'notes',
  'assumptions',
] as const satisfies readonly (keyof RequestRow)[]

export function isSameRequest(one: TimelineRow, other: TimelineRow): boolean {
  if (isChange(one) || isChange(other)) return false
  if (one.sandbox !== other.sandbox) return false
  if (one.request.body !== other.request.body) return false
  return SAME.every((name) => String(one[name]) === String(other[name]))
}

export function groupRepeats<T extends TimelineRow>(rows: readonly T[]): Repeats<T>[] {
  const runs = groupRuns(rows, (run, row) => isSameRequest(run[0], row))
  return runs.map((run) => {
    const [first] = run
    return { row: run.at(-1) ?? first, times: run.length, first }
  })
}

function groupRuns<T>(
  items: readonly T[],
  belongs: (run: readonly [T, ...T[]], item: T) => boolean,
) {
  const runs: [T, ...T[]][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && belongs(run, item)) run.push(item)
    else runs.push([item])
  }
  return runs
}

/** `3 times since #2`; empty for a single row. */
export function describeTimes(group: Repeats<TimelineRow>): string {
  if (group.times === 1) return ''
  return `${group.times} times since #${group.first.id}`
}
