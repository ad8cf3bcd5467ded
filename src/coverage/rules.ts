// What a run is held to: cells that must have been tried, things that must not have happened, and a share of the whole.
import { UsageError } from '../contract/errors.ts'
import { findNear } from '../contract/near-names.ts'
import { list } from '../contract/schema.ts'
import { assumptions } from '../generated/contract.ts'
import type { Coverage } from './coverage.ts'
import type { Report } from './report.ts'

export interface Rules {
  readonly require: readonly string[]
  readonly forbid: readonly string[]
  /** In percent. */
  readonly min?: number | undefined
}

export interface Verdict {
  /** The rule as it was typed. */
  readonly rule: string
  /** What is wrong; undefined if it is kept. */
  readonly problem?: string
}

/** What can be named besides cells, and how often it happened. */
const EVENTS: Readonly<Record<string, (report: Report) => number>> = {
  'near-miss': ({ nearMisses }) => total(nearMisses),
  deprecated: ({ deprecated }) => total(deprecated),
  undocumented: ({ undocumented }) => total(undocumented),
  // A response that is only late needs no second request.
  'unretried-fault': ({ faults }) =>
    faults.filter(({ name }) => !name.endsWith(' delay')).reduce((sum, { count, retried }) => sum + count - retried, 0),
}

/** Whether the run kept each rule; a UsageError if a rule names something that does not exist. */
export function judge(coverage: Coverage, report: Report, { require, forbid, min }: Rules): Verdict[] {
  const counts = countAll(coverage, report)
  const unknown = [...require.map((name) => ['--require', name]), ...forbid.map((name) => ['--forbid', name])].filter(
    ([, name = '']) => !counts.has(name),
  )
  if (unknown.length > 0) throw new UsageError(unknown.map(([flag = '', name = '']) => explainUnknown(flag, name, [...counts.keys()])))
  const countOf = (name: string) => counts.get(name) as number
  return [
    ...(report.requests > 0 ? [] : [{ rule: 'requests', problem: 'no request was counted: did the tests call this mock?' }]),
    ...require.map((name) => ({ rule: `--require ${name}`, ...(countOf(name) > 0 ? {} : { problem: 'was never tried' }) })),
    ...forbid.map((name) => ({
      rule: `--forbid ${name}`,
      ...(countOf(name) === 0 ? {} : { problem: `happened ${toTimes(countOf(name))}` }),
    })),
    ...(min === undefined
      ? []
      : [{ rule: `--min ${min}`, ...(isEnough(report, min) ? {} : { problem: `only ${report.percent}% of the cells were tried` }) }]),
  ]
}

export function toTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

/** By the cells themselves: the percentage that is shown is rounded. */
function isEnough({ tried, total: all }: Report, min: number): boolean {
  return 100 * tried >= min * all
}

function countAll({ cells }: Coverage, report: Report): Map<string, number> {
  const leaned = (id: string) => report.questions.find((question) => question.id === id)?.count ?? 0
  return new Map([
    ...Object.entries(cells),
    ...assumptions.map(({ id }) => [`assumption:${id}`, leaned(id)] as const),
    ...Object.entries(EVENTS).map(([name, count]) => [name, count(report)] as const),
  ])
}

function explainUnknown(flag: string, name: string, names: readonly string[]): string {
  const near = findNear(name, names)
  const hint =
    near.length > 0
      ? `did you mean ${list(near, 'or')}?`
      : `expected a cell such as ${list(names.slice(0, 2), 'or')}, assumption:<id>, ${list(Object.keys(EVENTS), 'or')}`
  return `${flag}: there is no ${JSON.stringify(name)}; ${hint}`
}

function total(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}
