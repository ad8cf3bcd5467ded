// The control methods that show a state: in brief, as a scenario, the choices for what the API
// leaves open.
import { type AssumptionId, assumptions } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { withoutUndefined } from '../contract/values.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import { countByStatus } from '../world/catalogue.ts'
import { isRequest } from '../world/row.ts'
import { describeState, momentOf, printScenario, toScenario } from '../world/saved-state.ts'
import { type ReadScenario, usualChoices } from '../world/scenario.ts'
import { type State, withoutKeys } from '../world/state.ts'
import type { AssumptionState, BeforeOption, StateOptions, StateSummary } from './control.ts'
import { type Found, found, momentAt, type View } from './view.ts'

export function summarize(view: View): StateSummary {
  const { state, worlds } = view
  const sandboxes = worlds.hasSandboxes ? view.sandboxes.keys().length : undefined
  return withoutUndefined({
    version,
    scenario: state.name,
    pets: state.catalogue.all.size,
    byStatus: countByStatus(state.catalogue),
    latency: state.latency ?? undefined,
    sandboxes,
    recording: worlds.recording,
    player: view.player,
  }) as StateSummary
}

/** As a value or as its JSON: each takes long if there are many animals. */
export function showState(view: View, options: StateOptions): Found {
  const { before, pets = true } = options
  const { state, now } = momentAt(view, before)
  if (before === undefined) return findState(state, now, pets, {})
  const shown = withoutKeys(state)
  const lack = shown === state ? '' : '; without its API keys, so that any key is valid'
  return findState(shown, now, pets, momentOf(now, `Before row ${before}${lack}`))
}

function findState(state: State, now: number, hasPets: boolean, more: ReadScenario): Found {
  if (!hasPets) return found({ ...describeState(state, now), ...more })
  return {
    kind: 'found',
    found: {
      get result() {
        return { ...toScenario(state, now), ...more }
      },
      print: () => printScenario(state, { ...describeState(state, now), ...more }),
    },
  }
}

export function showAssumptions(view: View, options: BeforeOption): Found {
  const { state } = momentAt(view, options.before)
  return found(listAssumptions(view, state))
}

function listAssumptions(view: View, state: State): AssumptionState[] {
  const requests = view.world.timeline.rows().filter(isRequest)
  const named = requests.map((row) => nameAssumptions(row.assumptions))
  const usual = usualChoices(state.apiKeys.size > 0)
  return assumptions.map((one) => {
    const { id } = one
    return withoutUndefined({
      id,
      default: usual[id],
      choices: [...one.choices],
      choice: state.choices[id],
      confirmed: findConfirmation(state, id),
      uses: named.filter((ids) => ids.includes(id)).length,
    }) as AssumptionState
  })
}

/** When and against what service a calibration has found the present choice. */
function findConfirmation(state: State, id: AssumptionId): AssumptionState['confirmed'] {
  const { calibrated, choices } = state
  if (!calibrated || calibrated.choices[id] !== choices[id]) return undefined
  return { on: calibrated.on, against: calibrated.against }
}
