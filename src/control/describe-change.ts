// What a change did, in a sentence, by what differs.
import { parsePetText } from '../contract/pet.ts'
import { describeDelay, describeFault, describeField, describeFields } from '../render/describe-fault.ts'
import type { Course } from '../world/clock.ts'
import type { Difference } from '../world/difference.ts'

/** More changes are counted. */
const MAX_TOLD = 3

export function describeChange(differences: readonly Difference[]): string {
  const more = differences.length > MAX_TOLD ? `; and ${differences.length - MAX_TOLD} more` : ''
  return differences.slice(0, MAX_TOLD).map(describeDifference).join('; ') + more
}

function describeDifference(difference: Difference): string {
  const { kind, id, before, after } = difference
  switch (kind) {
    case 'pet':
      return describePet(String(id), before, after)
    case 'fault': {
      const fault = (after ?? before)?.fault
      return (after ? '' : 'removed: ') + (fault ? describeFault(fault) : '')
    }
    case 'choice':
      return `${id}: ${before} → ${after}`
    case 'latency':
      return `latency: ${describeDelay(before)} → ${describeDelay(after)}`
    case 'clock':
      return `clock ${describeCourse(before, after)}`
  }
}

function describePet(id: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `animal ${id} removed`
  const now = parsePetText(after)
  if (before === undefined) return `animal ${id} added: ${describeField(now.name)}`
  return `animal ${id}: ${describeFields(parsePetText(before), now)}`
}

function describeCourse(before: Course, { frozenAt, start }: Course): string {
  const instant = frozenAt ?? start?.instant
  if (instant === undefined) return 'follows real time'
  const moment = new Date(instant).toISOString()
  if (before.frozenAt === undefined && frozenAt !== undefined) return `stopped at ${moment}`
  return before.frozenAt === instant && frozenAt === undefined ? `runs on from ${moment}` : `moved to ${moment}`
}
