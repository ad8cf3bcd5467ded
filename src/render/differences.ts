// What differs between a state and its scenario: a name and a text for each difference.
import { toJson } from '../contract/int64-json.ts'
import type { StateDiff } from '../control/results.ts'
import { printClock, printLiveFault } from '../settings/texts.ts'
import type { DelayMs } from '../world/faults.ts'
import { describeDelay } from './describe-fault.ts'

export function listDifferences({ pets, clock, latency, faults, assume }: StateDiff): (readonly [name: string, text: string])[] {
  const toLatency = (delay: DelayMs | null) => (delay === null ? 'none' : describeDelay(delay))
  return [
    ...pets.added.map((pet) => ['added', toJson(pet)] as const),
    ...pets.changed.map(({ before, after }) => ['changed', `${toJson(before)} → ${toJson(after)}`] as const),
    ...pets.removed.map((pet) => ['removed', toJson(pet)] as const),
    ...(clock === null ? [] : [['clock', `${printClock(clock.before)} → ${printClock(clock.after)}`] as const]),
    ...(latency === null ? [] : [['latency', `${toLatency(latency.before)} → ${toLatency(latency.after)}`] as const]),
    ...faults.added.map((fault) => ['fault', `added ${printLiveFault(fault)}`] as const),
    ...faults.removed.map((fault) => ['fault', `removed ${printLiveFault(fault)}`] as const),
    ...assume.map(({ id, before, after }) => ['assumes', `${id}: ${before} → ${after}`] as const),
  ]
}
