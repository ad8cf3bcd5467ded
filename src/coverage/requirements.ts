// What a run must reach: cells that must have been tried, and a percentage of all cells.
import { UsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import { findNear } from '../near-names.ts'
import type { Counts } from './coverage.ts'
import type { Report } from './report.ts'

export interface Verdict {
  /** The requirement as it was typed. */
  readonly requirement: string
  /** What is wrong; undefined if it is met. */
  readonly problem?: string
}

/** Whether the run tried each cell and the percentage; a UsageError if a cell does not exist. */
export function judge(cells: Counts, { requests, tried, total, percent }: Report, require: readonly string[], min?: number): Verdict[] {
  const unknown = require.filter((name) => !Object.hasOwn(cells, name))
  if (unknown.length > 0) throw new UsageError(unknown.map((name) => explainUnknown(name, Object.keys(cells))))
  const verdict = (requirement: string, isMet: boolean, problem: string) => (isMet ? { requirement } : { requirement, problem })
  return [
    ...(requests > 0 ? [] : [{ requirement: 'requests', problem: 'no request was counted: did the tests call this mock?' }]),
    ...require.map((name) => verdict(`--require ${name}`, cells[name] !== 0, 'was never tried')),
    // Compared exactly: the percentage that is shown is rounded.
    ...(min === undefined ? [] : [verdict(`--min ${min}`, 100 * tried >= min * total, `only ${percent}% of the cells were tried`)]),
  ]
}

function explainUnknown(name: string, cells: readonly string[]): string {
  const near = findNear(name, cells)
  const hint = near.length > 0 ? `did you mean ${list(near, 'or')}?` : `expected a cell such as ${list(cells.slice(0, 2), 'or')}`
  return `--require: there is no cell ${JSON.stringify(name)}; ${hint}`
}
