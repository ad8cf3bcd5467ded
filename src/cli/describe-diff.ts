// How a world differs from its scenario, one line for each difference, as `status --diff` prints it.
import { describeDelay, describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import { toJson } from '../contract/int64-json.ts'
import type { StateDiff } from '../control/control.ts'
import type { Pet } from '../generated/contract.ts'
import type { Delay, LiveFault } from '../world/faults.ts'
import { toClockText } from './with-mock.ts'

/** Of each kind; a world can have a million. */
const MAX_PETS_SHOWN = 100
const NAME_WIDTH = 8

export function describeDiff({ scenario, pets, clock, latency, faults, assume }: StateDiff): string {
  const rows = [
    ...toRows('added', pets.added, toPetText),
    ...toRows('changed', pets.changed, toChangeText),
    ...toRows('removed', pets.removed, toPetText),
    ...(clock ? [['clock', `${toClock(clock.before)} → ${toClockText(clock.after)}`]] : []),
    ...(latency ? [['latency', `${toLatency(latency.before)} → ${toLatency(latency.after)}`]] : []),
    ...faults.added.map((fault) => ['fault', `added ${toFaultText(fault)}`]),
    ...faults.removed.map((fault) => ['fault', `removed ${toFaultText(fault)}`]),
    ...assume.map(({ id, before, after }) => ['assumes', `${id}: ${before} → ${after}`]),
  ]
  const name = escapeUnsafe(scenario)
  if (rows.length === 0) return `No differences from ${name}\n`
  const lines = rows.map(([kind = '', text = '']) => `  ${kind.padEnd(NAME_WIDTH)} ${escapeUnsafe(text)}`)
  return `Differences from ${name}:\n${lines.join('\n')}\n`
}

function toRows<T>(kind: string, items: readonly T[], toText: (item: T) => string): string[][] {
  const rows = items.slice(0, MAX_PETS_SHOWN).map((item) => [kind, toText(item)])
  const more = items.length - rows.length
  return more > 0 ? [...rows, [kind, `and ${more} more`]] : rows
}

function toPetText({ id, name, ...fields }: Pet): string {
  return `${id} ${toJson(name)}${'status' in fields ? ` (${fields.status})` : ''}`
}

/** `1 "Rex": status available → sold`. */
function toChangeText({ before, after }: { readonly before: Pet; readonly after: Pet }): string {
  const [old, now] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => toValue(old[name]) !== toValue(now[name]))
  return `${after.id} ${toJson(before.name)}: ${names.map((name) => `${name} ${toValue(old[name])} → ${toValue(now[name])}`).join(', ')}`
}

function toValue(value: unknown): string {
  return value === undefined ? 'none' : toJson(value)
}

function toClock({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string {
  return toClockText({ now: now ?? 'real time', frozen })
}

function toLatency(latency: Delay | null): string {
  return latency === null ? 'none' : describeDelay(latency)
}

function toFaultText(fault: LiveFault): string {
  return `${fault.id}: ${fault.operation} ${describeFault(fault)}`
}
