// A scenario that is being edited as text: what it starts from, and at which line a problem is.
import { toJson } from '../../contract/int64-json.ts'
import type { AssumptionState } from '../../control/control.ts'
import type { Fault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import type { Scenario } from '../../world/situation.ts'
import { toYaml } from '../parts/to-yaml.ts'

export interface ScenarioDraft {
  /** Its ending says whether the text is JSON or YAML. */
  readonly file: string
  readonly text: string
  /** Whether somebody has typed in it. */
  readonly isEdited?: boolean
}

export type ScenarioFormat = 'yaml' | 'json'

/** More is no pleasure to edit in a page. */
const MAX_DRAFT_CHARACTERS = 500_000

export function toScenarioText(scenario: Scenario, format: ScenarioFormat): string {
  return format === 'json' ? `${toJson(scenario, 2)}\n` : toYaml({ ...scenario })
}

/** Without what a scenario says by saying nothing, so that there is less to read. */
export function withoutDefaults(
  { assume = {}, faults = [], random = 0, ...rest }: Scenario,
  questions: readonly AssumptionState[],
): Scenario {
  const changed = Object.entries(assume).filter(([id, choice]) => !questions.some((one) => one.id === id && one.default === choice))
  return {
    ...rest,
    ...(changed.length === 0 ? {} : { assume: Object.fromEntries(changed) }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(random === 0 ? {} : { random }),
  }
}

export function isTooLong({ text }: ScenarioDraft): boolean {
  return text.length > MAX_DRAFT_CHARACTERS
}

/** The faults that struck a request, made certain to strike the next one; one that is gone by now is made up from the response. */
export function toCertainFaults({ status, operation, faults }: Struck, present: readonly Fault[]): readonly Fault[] {
  const again = present.filter(({ id = '' }) => faults.includes(id)).map(({ seen, applied, after, rate, ...fault }) => fault)
  if (operation === null || again.length === faults.length || (status > 0 && status < 400)) return again
  return [...again, { operation, ...(status === 0 ? { drop: true } : { status }) }]
}

type Struck = Pick<JournalEntry, 'status' | 'operation' | 'faults'>

/** The world as a scenario in which that request would fare the same. */
export function toExchangeScenario(entry: JournalEntry, world: Scenario): Scenario {
  const { method, target, status, operation } = entry
  const { faults: present = [] } = world
  const certain = toCertainFaults(entry, present)
  return {
    ...world,
    name: `${operation ?? method.toLowerCase()}-${status === 0 ? 'no-response' : status}`,
    description: `${method} ${target} ${status === 0 ? 'gets no response' : `gets ${status}`}`,
    ...(certain.length > 0 ? { faults: [...certain, ...present.filter(({ id = '' }) => !entry.faults.includes(id))] } : {}),
  }
}

/** As in `3 problems` or `600 problems, the first 100 shown`: the last line may say how many more there are. */
export function describeCount(problems: readonly string[]): string {
  const [, isAtLeast, more] = /^and (at least )?(\d+) more$/.exec(problems.at(-1) ?? '') ?? []
  if (more === undefined) return `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  const shown = problems.length - 1
  return `${isAtLeast ? 'At least ' : ''}${(shown + Number(more)).toLocaleString('en')} problems, the first ${shown} shown`
}

/** The line that a problem names, counted from 1. */
export function toLine(problem: string, file: string): number | undefined {
  const rest = problem.startsWith(`${file}:`) ? problem.slice(file.length + 1) : problem
  const line = /^(\d+) /.exec(rest)?.[1] ?? / at line (\d+),/.exec(rest)?.[1]
  return line === undefined ? undefined : Number(line)
}
