// Whole states: reset to the scenario, load another one or a file, save the state or the timeline
// as a file.
import type { TargetedInputEvent } from 'preact'
import { toJsonText } from '../../contract/escape.ts'
import type { ScenarioSummary } from '../../control/control.ts'
import type { ScenarioName } from '../../scenario/generated/scenarios.ts'
import { attempt, change } from '../model/actions.ts'
import { control } from '../model/connection.ts'
import { read, scope } from '../model/mock.ts'
import { notify } from '../model/notice.ts'
import { count } from '../model/text.ts'
import { MockButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Page } from '../ui/pane.tsx'
import { loadFile } from './load-file.ts'

const ACCEPTED = '.json,.yaml,.yml,.jsonl'
const TO_OPEN = '. See it: npx animal-store-mock open recording.jsonl'

export function Scenarios() {
  const current = read('state')?.name ?? ''
  const scenarios = read('scenarios', null) ?? []
  return (
    <Page title="Scenarios">
      <section class="card">
        <div class="buttons">
          <MockButton onClick={() => change((mock) => mock.reset())}>Reset</MockButton>
          <MockButton onClick={() => saveState(`${current.replace(/-saved$/, '')}-saved`)}>
            Save as file
          </MockButton>
          <MockButton onClick={saveRecording}>Save recording</MockButton>
          <label class="button">
            Load a file…
            <input
              type="file"
              class="hidden"
              aria-label="Scenario or recording"
              accept={ACCEPTED}
              onChange={loadChosen}
            />
          </label>
          <span class="muted">or drop one here</span>
        </div>
      </section>
      <section class="card">
        <h2>Shipped scenarios</h2>
        <ul class="lines" data-focus-list>
          {scenarios.map((scenario) => renderScenario(scenario, current))}
        </ul>
      </section>
    </Page>
  )
}

export function loadShipped(name: string) {
  return change((mock) => mock.load(name as ScenarioName))
}

function renderScenario(scenario: ScenarioSummary, current: string) {
  const { name } = scenario
  return (
    <li key={name}>
      <div class="grow">
        <b>{name}</b> {name === current && <Chip tone="accent" text="current" />}{' '}
        <small>{count(scenario.pets, 'animal')}</small>
        <div class="muted">{scenario.description}</div>
      </div>
      <MockButton aria-label={`Load ${name}`} onClick={() => loadShipped(name)}>
        Load
      </MockButton>
    </li>
  )
}

function loadChosen(event: TargetedInputEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  const file = input.files?.[0]
  if (file) loadFile(file)
  // Lets you choose the same file again after you have corrected it.
  input.value = ''
}

function saveState(name: string) {
  return attempt(async () => {
    const state = await control().state()
    save(`${name}.json`, toJsonText({ ...state, name }))
  })
}

function saveRecording() {
  return attempt(async () => {
    const filter = scope() === '*' ? { sandbox: '*' as const } : {}
    save('recording.jsonl', await control().recording(filter), TO_OPEN)
  })
}

function save(file: string, text: string, note = ''): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(new Blob([text]))
  anchor.download = file
  anchor.click()
  notify(`Saved ${file}${note}`)
}
