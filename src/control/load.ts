// The control methods that replace a whole state, or all of them: reset, load, rewind, and the
// opening of a recording.
import { UsageError } from '../contract/errors.ts'
import { doInTurns } from '../contract/turns.ts'
import { isPromise, withoutUndefined } from '../contract/values.ts'
import { openScenario } from '../scenario/open.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { beginState, createOrigin, type Origin } from '../world/state.ts'
import { type Changed, findRow, type Later, returnTo, type View } from './view.ts'

export const reset = (view: View): Changed => startFrom(view, view.state.origin, 'reset to')

/** If the scenario says nothing about surprises, the present ones stay; false ends them. */
export function load(view: View, input: { readonly scenario: unknown }): Changed | Later {
  const { surprise } = view.state
  const create = (scenario: ReadScenario) => {
    const kept = surprise ? { surprise } : {}
    return createOrigin({ ...kept, ...withoutUndefined(scenario) })
  }
  const opened = openScenario(input.scenario)
  if (!isPromise(opened)) return startFrom(view, create(opened), 'loaded')
  const change = opened.then(create).then((origin) => {
    return (later: View) => startFrom(later, origin, 'loaded')
  })
  return { kind: 'later', change }
}

function startFrom(view: View, origin: Origin, verb: string): Changed {
  return {
    kind: 'changed',
    state: beginState(origin, view.worlds.times),
    text: `${verb} ${origin.name}`,
    isWhole: true,
  }
}

export function rewind(view: View, input: { readonly id: number }): Changed {
  const { id } = input
  const { row } = findRow(view, id)
  return {
    kind: 'changed',
    state: returnTo(view, row),
    text: `went back to before row ${id}`,
    isWhole: true,
    backTo: id,
  }
}

export function openRecording(
  view: View,
  input: { readonly recording: string; readonly file?: string },
): Later {
  return { kind: 'later', change: readRecordingFor(view, input) }
}

/** Nothing is replaced before all of it has been read, and fits. */
async function readRecordingFor(
  view: View,
  input: { readonly recording: string; readonly file?: string },
): Promise<(later: View) => Changed> {
  const { sandboxes, worlds } = view
  if (sandboxes !== worlds || worlds.isSaved) {
    throw new UsageError('This mock stores its states; use animal-store-mock open for a recording')
  }
  const { takeRecording } = await import('../scenario/recording/read.ts')
  const { replaceByRecording } = await import('../scenario/recording/replace.ts')
  const { recording: text, file = 'recording.jsonl' } = input
  const recording = await doInTurns(takeRecording(text, file))
  const hasSandboxes = recording.sandboxes > 0
  if (hasSandboxes !== worlds.hasSandboxes) {
    const has = worlds.hasSandboxes ? 'has no' : 'has'
    throw new UsageError(
      `${recording.file} ${has} sandboxes, unlike this mock; use animal-store-mock open`,
    )
  }
  return () => ({ kind: 'changed', ...replaceByRecording(worlds, recording) })
}
