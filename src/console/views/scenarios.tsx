// Whole states: reset to the scenario, load another one or a file, save the state or the timeline
// as a file.

import { toJsonText } from '../../contract/escape.ts'
import type { ScenarioName } from '../../scenario/generated/scenarios.ts'
import { isRecordingFile } from '../../world/row.ts'
import { attempt, change } from '../model/actions.ts'
import { control } from '../model/connection.ts'
import { read, scope } from '../model/mock.ts'
import { notify } from '../model/notice.ts'
import { currentSandbox } from '../model/route.ts'
import { count, showHidden } from '../model/text.ts'
import { Act, Chip, dialog } from '../ui/controls.tsx'
import { Page } from '../ui/pane.tsx'

const ACCEPTED = '.json,.yaml,.yml,.jsonl'
const TO_OPEN = '. See it: npx animal-store-mock open recording.jsonl'
const CURRENT = <Chip tone="accent" text="current" />
const WARNING = 'It replaces the state and the timeline for good.'

export function Scenarios() {
  const name = read('state')?.name ?? ''
  const saved = `${name.replace(/-saved$/, '')}-saved`
  const printState = async () => toJsonText({ ...(await control().state()), name: saved })
  const load = (id: string) => change((mock) => mock.load(id as ScenarioName))
  const all = scope() === '*' ? { sandbox: '*' as const } : {}
  const pick = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    void loadFile(input.files?.[0])
    // Lets you choose the same file again after you have corrected it.
    input.value = ''
  }
  return (
    <Page title="Scenarios">
      <section class="card">
        <div class="buttons">
          <Act text="Reset" onClick={() => change((mock) => mock.reset())} />
          <Act text="Save as file" onClick={() => save(`${saved}.json`, printState())} />
          <Act
            text="Save recording"
            onClick={() => save('recording.jsonl', control().recording(all), TO_OPEN)}
          />
          <label class="button">
            Load a file…
            <input
              type="file"
              class="hidden"
              aria-label="Scenario or recording"
              accept={ACCEPTED}
              onChange={pick}
            />
          </label>
          <span class="muted">or drop one here</span>
        </div>
      </section>
      <section class="card">
        <h2>Shipped scenarios</h2>
        <ul class="lines" data-focus-list>
          {read('scenarios', null)?.map(({ name: id, pets, description }) => (
            <li key={id}>
              <div class="grow">
                <b>{id}</b> {id === name && CURRENT} <small>{count(pets, 'animal')}</small>
                <div class="muted">{description}</div>
              </div>
              <Act aria-label={`Load ${id}`} text="Load" onClick={() => load(id)} />
            </li>
          ))}
        </ul>
      </section>
    </Page>
  )
}

function save(file: string, text: Promise<string>, note = ''): Promise<unknown> {
  return attempt(async () => {
    const anchor = document.createElement('a')
    anchor.href = URL.createObjectURL(new Blob([await text]))
    anchor.download = file
    anchor.click()
    notify(`Saved ${file}${note}`)
  })
}

/**
 * Loads a scenario file or opens a recording; if it has problems, says them and changes nothing.
 */
async function loadFile(file: File | undefined): Promise<void> {
  if (!file) return
  const { name } = file
  const text = await file.text()
  const refuse = (problems: string) => notify(`Cannot load ${name}\n${problems}`, 'problem')
  if (!isRecordingFile(name))
    return void change((mock) => mock.call('load', { scenario: { file: name, text } }), refuse)
  const open = async () => {
    const row = await attempt(() => control(null).openRecording(text, { file: name }), refuse)
    if (!row) return
    // The page starts again and says it then: rows that it has seen may have the ids of others now.
    history.replaceState(row.text, '', '#/timeline')
    location.reload()
  }
  const readLast = () => control(scope()).timeline({ limit: 1 })
  const rows = await readLast().catch(() => undefined)
  if (!currentSandbox() && rows?.length === 0) return open()
  dialog.value = { title: `Open ${showHidden(name)}?`, text: WARNING, verb: 'Open', run: open }
}

export function acceptFiles(): void {
  const mark = (event: DragEvent) => {
    event.preventDefault()
    const isOver = event.type === 'dragover' || event.relatedTarget !== null
    document.body.classList.toggle('dropping', isOver)
    if (event.type === 'drop') void loadFile(event.dataTransfer?.files[0])
  }
  for (const type of ['dragover', 'dragleave', 'drop'] as const) addEventListener(type, mark)
}
