// The state that decided a request. With sandboxes, a request with a refused key is in the log of
// the shared state, but the sandbox of that key refused it, and would have answered.
import { hash } from '../contract/random.ts'
import { isValidKey } from '../service/admit.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { WhatIfChange } from './control.ts'
import type { View } from './view.ts'

export interface Seen {
  readonly state: State
  /** It is that of another sandbox, which the request changes in place of this one. */
  readonly isOther: boolean
}

/** `state` is the one before the row, as it was or as it is imagined. */
export function findSeenState(
  view: View,
  row: Readonly<KeptRequest>,
  state: State,
  change: WhatIfChange,
): Seen {
  const { world, worlds } = view
  const isElsewhere = worlds.hasSandboxes && world.sandbox === null && row.keyDigest !== undefined
  if (!isElsewhere) return { state, isOther: false }
  const key = worlds.keys().find((one) => hash(one) === row.keyDigest)
  const own = key === undefined ? undefined : findStateAt(worlds.peek(key), row.id)
  if (change.assume?.['valid-keys'] === 'any') {
    return own ? { state: acceptAll(own), isOther: true } : { state, isOther: false }
  }
  const hasRefused = key !== undefined && own !== undefined && !isValidKey(key, own)
  const refusing = hasRefused ? takeKeys(state, own) : refuseAll(state)
  return { state: refusing, isOther: false }
}

/** The state that a world had when a row of another one came; undefined if it is forgotten. */
function findStateAt(world: World, id: number): State | undefined {
  const next = world.timeline.rows({ waiting: true }).find((row) => row.id > id)
  return next ? next.before : world.state
}

function acceptAll(state: State): State {
  return { ...state, choices: { ...state.choices, 'valid-keys': 'any' } }
}

function takeKeys(state: State, other: State): State {
  const choices = { ...state.choices, 'valid-keys': other.choices['valid-keys'] }
  return { ...state, apiKeys: other.apiKeys, choices }
}

/** The keys of a sandbox that is gone, or has others now: they did not include this one. */
function refuseAll(state: State): State {
  const choices = { ...state.choices, 'valid-keys': 'listed' } as const
  return { ...state, apiKeys: new Set(), choices }
}
