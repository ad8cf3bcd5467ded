// Builds the control over the worlds of a mock. Every method goes through `call`.
import { SANDBOXES_ARE_OFF, UsageError } from '../contract/errors.ts'
import { checkValue, FUNCTION } from '../contract/options.ts'
import { scenarioList } from '../scenario/generated/scenario-list.ts'
import { sandboxSchema } from '../scenario/settings/access.ts'
import type { Worlds } from '../world/worlds.ts'
import { takeOutcomes } from './alternatives.ts'
import { askWhatIf, makeReal } from './ask-what-if.ts'
import { bindMethods } from './bind-methods.ts'
import { createCaller, type Functions, readResult } from './call-method.ts'
import {
  addFaultTo,
  advanceClockBy,
  assume,
  clearFaults,
  freezeClockOf,
  listFaults,
  removeFault,
  setClockTo,
  setKeys,
  setLatency,
  showClock,
  showKeys,
  showLatency,
} from './change-settings.ts'
import type { Control } from './control.ts'
import { showDiff } from './diff-states.ts'
import type { Events } from './events.ts'
import { listHeld, release } from './held.ts'
import { load, openRecording, reset, rewind } from './load.ts'
import { addAnimal, getAnimal, listAnimals, removeAnimal, updateAnimal } from './pets.ts'
import { showAssumptions, showState, summarize } from './show-state.ts'
import {
  clearRequests,
  listRequests,
  listTimeline,
  printRecording,
  removeSandbox,
} from './timeline.ts'
import { undo } from './undo.ts'
import { verify } from './verify.ts'
import { found, foundInTurns, type View } from './view.ts'

/** What a host provides that stores its states; each of its mocks has one sandbox or none. */
export interface ControlHost extends Partial<Pick<View, 'sandboxes'>> {
  /** A row of the timeline is complete. Cheaper than events: nothing is built for it. */
  onRow?(id: number): void
  /** The key of its only sandbox, which then also gets the requests whose key it refuses. */
  readonly home?: string | undefined
}

type Coverage = Control['coverage']
type Sources = Pick<View, 'imagine' | 'player'> & {
  readonly coverage: Coverage
  readonly events: Events
}

export function createControl(worlds: Worlds, sources: Sources, host: ControlHost = {}): Control {
  const { coverage, imagine, events, player } = sources
  const call = createCaller(createMethodFunctions(coverage), {
    worlds,
    sandboxes: host.sandboxes ?? worlds,
    imagine,
    player,
    publish: events.publish,
    onRow: host.onRow,
  })

  function createState(key?: string): Control {
    const hasGlobal = key === undefined
    const bound = bindMethods((name, readInput) => {
      return readResult(call(key, name, readInput()))
    }, hasGlobal)
    return { ...bound, call: (name, input) => call(key, name, input) } as Control
  }

  worlds.watch((key) => events.publish({ type: 'sandbox', sandbox: key }))
  return {
    ...createState(),
    sandbox(key) {
      if (worlds.hasSandboxes) return createState(checkValue(sandboxSchema, key, 'sandbox'))
      throw new UsageError(SANDBOXES_ARE_OFF)
    },
    subscribe: (listener) => events.subscribe(checkValue(FUNCTION, listener, 'listener')),
  }
}

/** A function, so that a bundler can leave all of them out. */
function createMethodFunctions(coverage: Coverage): Functions {
  return {
    summary: (view) => found(summarize(view)),
    reset,
    state: showState,
    load,
    diff: showDiff,
    timeline: listTimeline,
    undo,
    rewind,
    recording: printRecording,
    'pets.list': listAnimals,
    'pets.get': getAnimal,
    'pets.add': addAnimal,
    'pets.update': updateAnimal,
    'pets.remove': removeAnimal,
    'faults.list': listFaults,
    'faults.add': addFaultTo,
    'faults.remove': removeFault,
    'faults.clear': clearFaults,
    requests: listRequests,
    verify,
    held: listHeld,
    release,
    whatIf: askWhatIf,
    makeReal,
    clearRequests,
    'clock.get': showClock,
    'clock.set': setClockTo,
    'clock.advance': advanceClockBy,
    'clock.freeze': freezeClockOf,
    'latency.get': showLatency,
    'latency.set': setLatency,
    'keys.get': showKeys,
    'keys.set': setKeys,
    assumptions: showAssumptions,
    assume,
    coverage(view, input: { readonly outcomes?: boolean }) {
      if (!input.outcomes) return found(coverage())
      return foundInTurns(
        () => takeOutcomes(view),
        (outcomes) => ({ ...coverage(), outcomes }),
      )
    },
    scenarios: () => found(structuredClone(scenarioList)),
    sandboxes: (view) => found(view.sandboxes.keys()),
    removeSandbox,
    openRecording,
  }
}
