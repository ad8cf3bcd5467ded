// What a change did, in a sentence, by the items that it changed.
import { parsePetText } from '../contract/pet.ts'
import { cutText } from '../contract/text.ts'
import type { Pet } from '../generated/contract.ts'
import { describeDelay, describeFault } from '../settings/describe-fault.ts'
import type { ChangeLog } from '../world/change-log.ts'
import type { Course } from '../world/clock.ts'
import type { DelayMs, TimedFault } from '../world/faults.ts'

interface Placed {
  readonly fault: TimedFault
}

const MAX_NAME_CHARACTERS = 40
/** More changes are counted. */
const MAX_TOLD = 3

/** How each kind of item is told; the others only count, and follow from these. */
const SAY: Readonly<Record<string, (id: string, before: never, after: never) => string>> = {
  pet: describePet,
  fault: (_, before: Placed, after: Placed | undefined) => (after ? '' : 'removed: ') + describeFault((after ?? before).fault),
  choice: (id, before: string, after: string) => `${id}: ${before} → ${after}`,
  latency: (_, before: DelayMs | undefined, after: DelayMs | undefined) =>
    `latency: ${describeLatency(before)} → ${describeLatency(after)}`,
  clock: (_, before: Course, after: Course) => `clock ${describeCourse(before, after)}`,
}

/** The names of what a change was about, and the sentence. `before` has the old values. A fault that counts again has changed, too. */
export function describeChange(changeLog: ChangeLog, before: ReadonlyMap<string, unknown>): { changed: string[]; text: string } {
  const changed = new Set<string>()
  const told: string[] = []
  for (const [item, value] of before) {
    const [kind, ...rest] = item.split(' ') as [string, ...string[]]
    const id = rest.join(' ')
    const say = SAY[kind]
    if (say) told.push(say(id, value as never, changeLog.get(item) as never))
    if (say || kind === 'count') changed.add(say ? item : `fault ${id}`)
  }
  const more = told.length > MAX_TOLD ? `; and ${told.length - MAX_TOLD} more` : ''
  return { changed: [...changed], text: told.slice(0, MAX_TOLD).join('; ') + more }
}

function describePet(id: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `animal ${id} removed`
  const now = parsePetText(after)
  if (before === undefined) return `animal ${id} added: ${describeField(now.name)}`
  const old = parsePetText(before)
  const names = ([...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof Pet)[]).filter((name) => old[name] !== now[name])
  const sides = names.map((name) => `${name === 'status' ? '' : `${name} `}${describeField(old[name])} → ${describeField(now[name])}`)
  return `animal ${id}: ${sides.join(', ')}`
}

function describeField(value: Pet[keyof Pet]): string {
  return typeof value === 'string' ? cutText(value, MAX_NAME_CHARACTERS) : String(value ?? 'absent')
}

function describeLatency(delay: DelayMs | undefined): string {
  return delay === undefined ? 'none' : describeDelay(delay)
}

function describeCourse(before: Course, { frozenAt, start }: Course): string {
  const instant = frozenAt ?? start?.instant
  if (instant === undefined) return 'follows real time'
  const isStopped = before.frozenAt === undefined && frozenAt !== undefined
  const isStarted = before.frozenAt === instant && frozenAt === undefined
  return `${isStopped ? 'stopped at' : isStarted ? 'runs on from' : 'moved to'} ${new Date(instant).toISOString()}`
}
