// The control methods that show a state: in brief, as a scenario, the choices for what the API
// leaves open.
import { assumptions } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import { countByStatus } from '../world/catalogue.ts'
import { isRequest } from '../world/row.ts'
import { describeState, momentOf, printScenario, toScenario } from '../world/saved-state.ts'
import { usualChoices } from '../world/scenario.ts'
import { type State, withoutKeys } from '../world/state.ts'
import type { AssumptionState, BeforeOption, StateOptions, StateSummary } from './control.ts'
import { type Found, found, momentAt, type View } from './view.ts'

export function summarize(view: View): StateSummary {
  const { state, worlds } = view
  return {
    version,
    scenario: state.name,
    pets: state.catalogue.all.size,
    byStatus: countByStatus(state.catalogue),
    ...(state.latency && { latency: state.latency }),
    ...(worlds.hasSandboxes && { sandboxes: view.sandboxes.keys().length }),
    ...(worlds.recording && { recording: worlds.recording }),
  }
}

/** As a value or as its JSON: each takes long if there are many animals. */
export function showState(view: View, options: StateOptions): Found {
  const { before, pets = true } = options
  const { state, now } = momentAt(view, before)
  const shown = before === undefined ? state : withoutKeys(state)
  const moment = before === undefined ? {} : momentOf(now, describeMoment(before, shown !== state))
  if (!pets) return found({ ...describeState(shown, now), ...moment })
  return {
    kind: 'found',
    found: {
      get result() {
        return { ...toScenario(shown, now), ...moment }
      },
      print: () => printScenario(shown, { ...describeState(shown, now), ...moment }),
    },
  }
}

function describeMoment(before: number, lacksKeys: boolean): string {
  const lack = lacksKeys ? '; without its API keys, so that any key is valid' : ''
  return `Before row ${before}${lack}`
}

export function showAssumptions(view: View, options: BeforeOption): Found {
  const { state } = momentAt(view, options.before)
  return found(listAssumptions(view, state))
}

function listAssumptions(view: View, state: State): AssumptionState[] {
  const { calibrated } = state
  const requests = view.world.timeline.rows().filter(isRequest)
  const named = requests.map((row) => nameAssumptions(row.assumptions))
  const usual = usualChoices(state.apiKeys.size > 0)
  return assumptions.map(({ id, choices }) => {
    const choice = state.choices[id]
    const isConfirmed = calibrated && calibrated.choices[id] === choice
    return {
      id,
      default: usual[id],
      choices: [...choices],
      choice,
      ...(isConfirmed && { confirmed: { on: calibrated.on, against: calibrated.against } }),
      uses: named.filter((ids) => ids.includes(id)).length,
    }
  })
}
