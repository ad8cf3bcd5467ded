// Whole states: reset to the scenario, load another one or a file, save the state or the timeline
// as a file.
import type { TargetedInputEvent } from 'preact'
import type { ScenarioSummary } from '../../control/control.ts'
import type { ScenarioName } from '../../scenario/generated/scenarios.ts'
import { change } from '../model/actions.ts'
import { read } from '../model/mock.ts'
import { count } from '../model/text.ts'
import { MockButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Page } from '../ui/pane.tsx'
import { loadFile } from './load-file.ts'
import { saveRecording, saveState } from './save-file.ts'

const ACCEPTED = '.json,.yaml,.yml,.jsonl'

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
          <MockButton onClick={() => saveRecording()}>Save recording</MockButton>
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
