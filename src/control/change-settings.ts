// The control methods for the settings of a state: faults, clock, latency, API keys and choices.
import type { AssumptionChoices } from '../contract/generated/contract.ts'
import { freezeCopy, withoutUndefined } from '../contract/values.ts'
import { parseDuration, parseLatency } from '../scenario/settings/duration.ts'
import { readFault } from '../scenario/settings/fault.ts'
import {
  advanceClock,
  type Clock,
  freezeClock,
  printInstant,
  readClock,
  setClock,
} from '../world/clock.ts'
import { addFault, type Delay, type Duration, type Fault, showFault } from '../world/faults.ts'
import type { SomeChoices } from '../world/scenario.ts'
import type { ClockOptions, ClockState } from './control.ts'
import { type Changed, type Found, found, MISSING, type Missing, type View } from './view.ts'

export const listFaults = (view: View): Found => found(view.state.faults.map(showFault))

export function addFaultTo(view: View, fault: Fault): Changed {
  const { state, added } = addFault(view.state, freezeCopy(readFault(fault)))
  return { kind: 'changed', state, result: showFault(added) }
}

export function removeFault(view: View, input: { readonly id: string }): Changed | Missing {
  const { state } = view
  const faults = state.faults.filter((one) => one.fault.id !== input.id)
  if (faults.length === state.faults.length) return MISSING
  return { kind: 'changed', state: { ...state, faults }, result: true }
}

export function clearFaults(view: View): Changed {
  const { state } = view
  if (state.faults.length === 0) return { kind: 'changed', state }
  return { kind: 'changed', state: { ...state, faults: [] } }
}

export const showClock = (view: View): Found =>
  found(describeClockState(view.state.clock, view.now))

export function setClockTo(view: View, input: ClockOptions & { readonly now: string | null }) {
  const { state, worlds } = view
  return turnClock(view, setClock(state.clock, input.now, input.frozen, worlds.times))
}

export function advanceClockBy(view: View, input: ClockOptions & { readonly advance: Duration }) {
  const { state, worlds } = view
  const milliseconds = parseDuration(input.advance)
  return turnClock(view, advanceClock(state.clock, milliseconds, input.frozen, worlds.times))
}

export function freezeClockOf(view: View, input: { readonly frozen: boolean }): Changed {
  return turnClock(view, freezeClock(view.state.clock, input.frozen, view.worlds.times))
}

function turnClock(view: View, clock: Clock): Changed {
  const now = readClock(clock, view.worlds.times)
  return {
    kind: 'changed',
    state: { ...view.state, clock },
    result: describeClockState(clock, now),
  }
}

function describeClockState(clock: Clock, now: number): ClockState {
  return { now: printInstant(now), frozen: clock.frozenAt !== undefined }
}

export const showLatency = (view: View): Found => found(view.state.latency)

export function setLatency(view: View, input: { readonly latency: Delay | null }): Changed {
  const latency = parseLatency(input.latency)
  return { kind: 'changed', state: { ...view.state, latency } }
}

export function showKeys(view: View): Found {
  const { choices, apiKeys } = view.state
  return found(choices['valid-keys'] === 'listed' ? [...apiKeys] : null)
}

export function setKeys(
  view: View,
  { keys }: { readonly keys: readonly string[] | null },
): Changed {
  const { state } = view
  const choices: AssumptionChoices = {
    ...state.choices,
    'valid-keys': keys === null ? 'any' : 'listed',
  }
  return { kind: 'changed', state: { ...state, apiKeys: new Set(keys), choices } }
}

type Assuming = { readonly assume: SomeChoices }

export function assume(view: View, input: Assuming): Changed {
  const given = withoutUndefined(input.assume)
  const choices = { ...view.state.choices, ...given } as AssumptionChoices
  return { kind: 'changed', state: { ...view.state, choices } }
}
