// Ways in and out of a world: save it as a file, load one.
import { useRef, useState } from 'preact/hooks'
import { MAX_YAML_TEXT_BYTES } from '../../limits.ts'
import { saveFile, toFileName } from '../parts/save-file.ts'
import { type ScenarioFormat, toScenarioText } from '../state/scenario-draft.ts'
import type { ViewProps } from './view.ts'

export function SaveCard({ world, actions, onEdit }: Pick<ViewProps, 'world' | 'actions'> & { onEdit: () => void }) {
  const [typed, setTyped] = useState<string>()
  const [format, setFormat] = useState<ScenarioFormat>('yaml')
  const name = typed ?? world.name
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const scenario = await actions.snapshot(name)
    if (!scenario) return
    const text = toScenarioText(scenario, format)
    const isTooLong = format === 'yaml' && text.length > MAX_YAML_TEXT_BYTES
    const file = toFileName(name, format)
    saveFile(file, text)
    actions.say(`Saved as ${file}${isTooLong ? '; it is too large to load on this page: use --scenario or seed, or save it as JSON' : ''}`)
  }
  const edit = async () => {
    if (await actions.editWorld()) onEdit()
  }
  return (
    <form class="card" onSubmit={save}>
      <h2>Save this world</h2>
      <p>
        Saves <bdi class="mono">{world.name}</bdi> as it is now, with {world.animals.total.toLocaleString('en')} animals, as a scenario
        file. Load it here or with <code>--scenario</code>.
      </p>
      <div class="row">
        <label class="field grow">
          <span>Name</span>
          <input type="text" required value={name} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Format</span>
          <select value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value as ScenarioFormat)}>
            <option value="yaml">YAML</option>
            <option value="json">JSON</option>
          </select>
        </label>
        <button type="submit" class="button primary">
          Save as file
        </button>
        <button type="button" class="button" onClick={edit}>
          Edit as text
        </button>
      </div>
    </form>
  )
}

export function FileCard({ onFile, onEdit }: { onFile: (file: File) => void; onEdit: (file: File) => void }) {
  return (
    <section class="card drop-zone">
      <h2>Load a file</h2>
      <p>Drop a scenario file (JSON or YAML) anywhere on this page. If it is invalid, its problems are listed and nothing changes.</p>
      <div class="row">
        <FileButton name="Scenario file" onFile={onFile}>
          Choose a file…
        </FileButton>
        <FileButton name="Scenario file to look at first" onFile={onEdit}>
          Look at it first…
        </FileButton>
      </div>
    </section>
  )
}

function FileButton({ name, onFile, children }: { name: string; onFile: (file: File) => void; children: string }) {
  const input = useRef<HTMLInputElement>(null)
  const pick = () => {
    const file = input.current?.files?.[0]
    if (file) onFile(file)
    // Lets the same file be picked again after it has been fixed.
    if (input.current) input.current.value = ''
  }
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {children}
      </button>
      <input ref={input} type="file" class="hidden" tabIndex={-1} aria-label={name} accept=".json,.yaml,.yml" onChange={pick} />
    </>
  )
}
