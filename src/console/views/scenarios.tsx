// Whole states: reset to the scenario, load another one or a file, save the state as a file.
import type { ControlClient } from '../../client/client.ts'
import { toJson } from '../../contract/int64-json.ts'
import { extras } from '../../control/methods.ts'
import { scenarioList } from '../../generated/scenario-list.ts'
import type { ScenarioName } from '../../generated/scenarios.ts'
import { escapeInJson } from '../../render/escape.ts'
import { attempt, change, notify } from '../actions.ts'
import { control } from '../connection.ts'
import { use } from '../mock.ts'
import { count, showHidden } from '../text.ts'
import { Act, Chip } from '../ui/controls.tsx'
import { Page } from '../ui/pane.tsx'

/** What the name of a saved state ends with: it is not the scenario that it started from. */
const SAVED = '-saved'

export function Scenarios() {
  const name = use('state')?.name ?? ''
  const pets = use('summary')?.pets ?? 0
  const mock = control()
  const save = () => attempt(async () => saveState(await mock.state(), name.endsWith(SAVED) ? name : name + SAVED))
  const pick = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    void loadFile(input.files?.[0])
    // Lets you choose the same file again after you have corrected it.
    input.value = ''
  }
  return (
    <Page title="Scenarios">
      <section class="card">
        <p>
          The state has {count(pets, 'animal')} and started from <bdi class="mono">{showHidden(name)}</bdi>.
        </p>
        <div class="buttons">
          <Act onClick={() => change((one) => one.reset())}>Reset</Act>
          <Act onClick={save}>Save as file</Act>
          <label class="button">
            Load a file…
            <input type="file" class="hidden" aria-label="Scenario file" accept=".json,.yaml,.yml" onChange={pick} />
          </label>
          <span class="muted">or drop one anywhere on this page</span>
        </div>
        <p class="muted">
          Reset and Load replace the animals, faults, latency, clock, assumptions, API keys and the timeline. You can undo both.
        </p>
      </section>
      <h2>Shipped scenarios</h2>
      <ul data-focus-list>
        {scenarioList.map((scenario) => (
          <li key={scenario.name} class="row choice">
            <span class="mono">
              {scenario.name} {scenario.name === name && <Chip tone="accent">current</Chip>}
            </span>
            <span class="why">{scenario.description}</span>
            <span class="number">{count(scenario.pets, 'animal')}</span>
            <Act aria-label={`Load ${scenario.name}`} onClick={() => change((one) => one.load(scenario.name as ScenarioName))}>
              Load
            </Act>
          </li>
        ))}
      </ul>
    </Page>
  )
}

/** Saves a state as a scenario file, which has that name. */
export function saveState(state: object, name: string): void {
  const text = `${escapeInJson(toJson({ ...state, name }, 2))}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = `${name}.json`
  anchor.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  notify(`Saved the state as ${name}.json`)
}

/** Loads a scenario file; if it has problems, says them and changes nothing. */
async function loadFile(file: File | undefined): Promise<void> {
  if (!file) return
  const text = await file.text()
  const run = (mock: ControlClient) => mock.ask(extras.loadScenario, { file: file.name, text })
  await change(run, (problems) => notify(`${file.name} was not loaded\n${problems}`, 'problem'))
}

/** The whole page takes files that you drop on it. */
export function acceptFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    void loadFile(event.dataTransfer?.files[0])
  })
}
