// The wording that several commands share.
import { describeDelay, describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../client/escape.ts'
import type { StateSummary } from '../control/control.ts'
import { assumptions, contract } from '../generated/contract.ts'
import type { Surprise } from '../surprise/setting.ts'
import type { Delay, Fault } from '../world/faults.ts'
import type { Scenario } from '../world/start.ts'

/** A name and a text; a row without a text is not shown. */
export type Row = readonly [name: string, text: string | false | undefined]

export function renderRows(rows: readonly Row[], indent = ''): string {
  return rows.map(([name, text]) => (text ? `${indent}${name.padEnd(10)} ${escapeUnsafe(text)}\n` : '')).join('')
}

/** What a mock holds, and every setting that is not the default. */
export function describeState({ pets, byStatus, sandboxes }: StateSummary, state: Scenario): Row[] {
  const { now, frozen = false, latency, faults = [], surprise } = state
  const chosen = findChosen(state).map(([question, choice]) => `${question}=${choice}`)
  return [
    ['Animals', describeCounts(pets, byStatus)],
    ['Clock', now && describeClock({ now, frozen })],
    ['Latency', latency !== undefined && describeLatency(latency)],
    ...faults.map((fault, index): Row => [index === 0 ? 'Faults' : '', describeLiveFault(fault)]),
    ['Surprises', surprise && describeSurprise(surprise)],
    ['Assumes', chosen.join(', ')],
    ['Sandboxes', sandboxes !== undefined && `one state per API key${sandboxes > 0 ? `, ${count(sandboxes)} so far` : ''}`],
  ]
}

/** Assumptions that differ from their default. */
export function findChosen({ assume = {} }: Scenario): [question: string, choice: string][] {
  const defaults: Readonly<Record<string, string>> = Object.fromEntries(assumptions.map((one) => [one.id, one.default]))
  return Object.entries(assume).filter(([id, choice]) => choice !== defaults[id])
}

/** `18 (6 available, 5 pending, 5 sold, 2 without a status)`. */
function describeCounts(pets: number, byStatus: Readonly<Record<string, number>>): string {
  const named = contract.schemas.PetStatus.enum.map((status) => [status, byStatus[status] ?? 0] as const)
  const without = named.reduce((rest, [, amount]) => rest - amount, pets)
  const parts = [...named, ['without a status', without] as const].filter(([, amount]) => amount > 0)
  return `${count(pets)}${parts.length === 0 ? '' : ` (${parts.map(([status, amount]) => `${count(amount)} ${status}`).join(', ')})`}`
}

/** `seed 7, kinds order, only order@listPets`. */
function describeSurprise({ seed, kinds, only }: Surprise): string {
  return `seed ${seed}${kinds ? `, kinds ${kinds.join(' ')}` : ''}${only ? `, only ${only.join(' ')}` : ''}`
}

/** `200–800 ms for every response`. */
export function describeLatency(latency: Delay): string {
  return `${describeDelay(latency)} for every response`
}

export function describeClock({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string {
  return `${now ?? 'real time'}${frozen ? ' (frozen)' : ''}`
}

/** As in `1: createPet responds 503 (applied to 1 of 2 calls)`. */
export function describeLiveFault(fault: Fault): string {
  const { id, operation, seen = 0, applied = 0 } = fault
  return `${id}: ${operation} ${describeFault(fault)}${seen === 0 ? '' : ` (applied to ${count(applied)} of ${count(seen, 'call')})`}`
}

/** `sold-out (40 animals)`. */
export function describeSummary({ scenario, pets }: Pick<StateSummary, 'scenario' | 'pets'>): string {
  return `${escapeUnsafe(scenario)} (${count(pets, 'animal')})`
}

/** `100,000` or `1 animal`. By hand: the platform's own formatter takes longer to load than everything else that a start prints. */
export function count(amount: number, noun?: string): string {
  const digits = String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return noun === undefined ? digits : `${digits} ${noun}${amount === 1 ? '' : 's'}`
}
