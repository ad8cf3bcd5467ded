// Whole states: reset to the scenario, load another one or a file, save the state as a file.
import { signal } from '@preact/signals'
import { escapeInJson } from '../../client/escape.ts'
import { toJson } from '../../contract/int64-json.ts'
import { extras } from '../../control/methods.ts'
import { scenarioList } from '../../generated/scenario-list.ts'
import type { ScenarioName } from '../../generated/scenarios.ts'
import { MAX_DOCUMENT_BYTES } from '../../limits.ts'
import { attempt, change, dismiss, notify } from '../actions.ts'
import { control } from '../connection.ts'
import { use, useShipped } from '../mock.ts'
import { link, route } from '../route.ts'
import { count, showHidden } from '../text.ts'
import { Act, Chip } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { List, Pane, Row } from '../ui/pane.tsx'

const PREVIEWED_PETS = 8

/** A file that was not loaded, and why. */
const rejected = signal<{ readonly file: string; readonly problems: readonly string[] } | undefined>(undefined)

export function Scenarios() {
  const name = use('state')?.name ?? ''
  const { part } = route.value
  return (
    <>
      <div class="view">
        <div class="scroller padded">
          <h1 tabIndex={-1}>Scenarios</h1>
          <CurrentState name={name} />
          <Rejected />
          <h2>Shipped scenarios</h2>
          <List label="Shipped scenarios" class="framed">
            {scenarioList.map((scenario) => (
              <li key={scenario.name} class="with-button">
                <Row class="scenario" part={scenario.name}>
                  <span class="mono">
                    {scenario.name} {scenario.name === name && <Chip tone="accent">current</Chip>}
                  </span>
                  <span class="why">{scenario.description}</span>
                  <span class="number">{count(scenario.pets, 'animal')}</span>
                </Row>
                <Act aria-label={`Load ${scenario.name}`} onClick={() => loadShipped(scenario.name)}>
                  Load
                </Act>
              </li>
            ))}
          </List>
        </div>
      </div>
      {scenarioList.some((one) => one.name === part) && <Preview key={part} name={part} />}
    </>
  )
}

function CurrentState({ name }: { name: string }) {
  const pets = use('summary')?.pets ?? 0
  const mock = control()
  const save = () =>
    attempt(async () => {
      const file = `${name || 'scenario'}.json`
      saveFile(file, `${escapeInJson(toJson(await mock.state(), 2))}\n`)
      notify(`Saved the state as ${file}`)
    })
  const pick = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const [file] = input.files ?? []
    if (file) void loadFile(file)
    // Lets you choose the same file again after you have corrected it.
    input.value = ''
  }
  return (
    <section class="card">
      <p>
        The state has {count(pets, 'animal')} and started from <bdi class="mono">{showHidden(name)}</bdi>.
      </p>
      <div class="buttons">
        <Act onClick={() => loadShipped(undefined)}>Reset</Act>
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
  )
}

function Rejected() {
  if (!rejected.value) return null
  const { file, problems } = rejected.value
  return (
    <section class="reason bad" role="alert">
      <strong>{showHidden(file)} was not loaded</strong>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{showHidden(problem)}</li>
        ))}
      </ul>
    </section>
  )
}

/** Shows what a shipped scenario holds. */
function Preview({ name }: { name: string }) {
  const scenario = useShipped(name)
  if (!scenario) return <Pane title={name}>Loading…</Pane>
  const { pets = [], ...rest } = scenario
  return (
    <Pane title={<span class="mono">{name}</span>}>
      <div class="buttons">
        <Act class="button primary" onClick={() => loadShipped(name)}>
          Load
        </Act>
        {pets.length > PREVIEWED_PETS && (
          <span class="muted">
            The first {count(PREVIEWED_PETS)} of {count(pets.length)} animals are shown.
          </span>
        )}
      </div>
      <Json text={toJson({ ...rest, pets: pets.slice(0, PREVIEWED_PETS) })} label="Scenario as JSON" />
    </Pane>
  )
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Resets the state if no name is given. */
export function loadShipped(name: string | undefined): Promise<boolean> {
  return change(() => (name === undefined ? control().reset() : control().load(name as ScenarioName)))
}

/** Loads a scenario file; if it has problems, lists them and changes nothing. */
async function loadFile(file: File): Promise<void> {
  const reject = (text: string) => {
    rejected.value = { file: file.name, problems: text.split('\n') }
    location.hash = link('scenarios')
  }
  rejected.value = undefined
  dismiss()
  if (file.size > MAX_DOCUMENT_BYTES) return reject(`expected at most ${count(MAX_DOCUMENT_BYTES, 'byte')}, got ${count(file.size)}`)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const text = await file
    .arrayBuffer()
    .then((bytes) => decoder.decode(bytes))
    .catch(() => undefined)
  if (text === undefined) return reject('expected UTF-8 text')
  await change(() => control().call(extras.loadScenario, { file: file.name, text }), { onProblem: reject })
}

/** The whole page takes files that you drop on it. */
export function acceptFiles(): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    void loadFile(file)
  })
}
