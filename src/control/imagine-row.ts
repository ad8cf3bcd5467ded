// What a logged request would get from a state, with each key that it may have had.
import type { RequestChange } from '../service/call.ts'
import { hideKey, isKeyOf } from '../world/fault-condition.ts'
import type { CountedFault } from '../world/faults.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import type { State } from '../world/state.ts'
import { findKeys, repeatCall } from './repeat-call.ts'
import type { View } from './view.ts'

/** A response from a state. */
export interface Imagined {
  readonly state: State
  readonly reply: ReturnType<View['imagine']>
}

/** `known` are states that list its keys. */
export function imagineRow(
  view: View,
  row: Readonly<KeptRequest>,
  state: State,
  known: readonly State[],
  change: RequestChange | undefined,
): Imagined[] {
  const keys = findKeys(row, known, view.world.sandbox)
  return keys.map((key) => {
    const call = repeatCall(row, key, change)
    const hasOwnKey = key !== null && call.headers.authorization === `Bearer ${key}`
    if (!hasOwnKey || state.faults.length === 0) return { state, reply: view.imagine(call, state) }
    const faults = renameKey(state.faults, row, key)
    const reply = view.imagine(call, { ...state, faults })
    const stateAfter = { ...reply.state, faults: restoreFaults(reply.state.faults, state.faults) }
    return { state, reply: { ...reply, state: stateAfter } }
  })
}

/** A fault for the key of the row sees the key that takes its place. */
function renameKey(
  faults: readonly CountedFault[],
  row: Readonly<KeptRequest>,
  key: string,
): readonly CountedFault[] {
  return faults.map((one) => {
    const { when } = one.fault
    if (when?.apiKey === undefined || !isKeyOf(when.apiKey, row)) return one
    return { ...one, fault: { ...one.fault, when: { ...when, apiKey: hideKey(key) } } }
  })
}

/** The counts of the first, with the definitions of the others. */
function restoreFaults(
  counted: readonly CountedFault[],
  defined: readonly CountedFault[],
): readonly CountedFault[] {
  return counted.map((one, index) => {
    const { fault } = defined[index] ?? one
    return one.fault === fault ? one : { ...one, fault }
  })
}
