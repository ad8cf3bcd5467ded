// The scenarios view: load a built-in one or a file, reset, save the current world.
import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_YAML_TEXT_BYTES } from '../../limits.ts'
import { Chip } from '../parts/chip.tsx'
import { saveFile, toFileName } from '../parts/save-file.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { type ScenarioFormat, toScenarioText } from '../state/scenario-draft.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import { ScenarioDrawer } from './scenario-drawer.tsx'
import { ScenarioEditor } from './scenario-editor.tsx'
import type { ViewProps } from './view.ts'

/** In the address, of the scenario that is being edited. */
const EDIT = 'edit'
/** Of what differs from the scenario. */
const CHANGES = 'changes'

export function Scenarios({ state, world, actions, address, go, adjust }: ViewProps) {
  const { scenarios, rejected, sandbox, draft } = state
  const isEditing = address.part === EDIT
  const edit = () => go({ part: EDIT })
  const close = () => adjust({ part: '' })
  useEffect(() => {
    if (isEditing && !draft) void actions.editWorld()
  }, [isEditing])
  const editFile = async (file: File) => {
    if (await actions.editFile(file)) edit()
  }
  if (isEditing) {
    return (
      <>
        <ViewHead title="Scenarios" lead="Edit a scenario as text. Nothing changes until it is loaded." />
        {draft && <ScenarioEditor {...{ draft, actions }} onClose={close} />}
      </>
    )
  }
  return (
    <>
      <ViewHead title="Scenarios" lead="A scenario is a complete situation: animals, keys, clock, latency, faults and assumption choices.">
        <button type="button" class="button" onClick={() => go({ part: CHANGES })}>
          Show changes
        </button>
        <button type="button" class="button" onClick={() => actions.reset()}>
          Reset to {world.name}
        </button>
      </ViewHead>
      {rejected && (
        <section class="card problems" role="alert">
          <h2>
            <bdi>{rejected.file}</bdi> was not loaded; nothing changed
          </h2>
          <ul class="mono">
            {rejected.problems.map((problem) => (
              <li key={problem}>
                <bdi>{problem}</bdi>
              </li>
            ))}
          </ul>
          <div class="buttons">
            {rejected.draft && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  actions.setDraft(rejected.draft)
                  edit()
                }}
              >
                Edit as text
              </button>
            )}
            <button type="button" class="button" onClick={actions.dismissFile}>
              Dismiss
            </button>
          </div>
        </section>
      )}
      <div class="columns even">
        <SaveCard {...{ world, actions }} onEdit={edit} />
        <FileCard onFile={actions.loadFile} onEdit={editFile} />
      </div>
      <h2 class="section">Built-in scenarios</h2>
      <ul class="grid">
        {scenarios.map(({ name, description, pets }) => (
          <li key={name} class="card scenario">
            <div class="scenario-head">
              <h3 class="mono">{name}</h3>
              {name === world.name && <Chip tone="accent">current</Chip>}
            </div>
            <p>{description}</p>
            <div class="card-foot">
              <span class="muted numbers">
                {pets.toLocaleString('en')} {pets === 1 ? 'animal' : 'animals'}
              </span>
              <span class="apart" />
              <button type="button" class="button quiet" aria-label={`Preview ${name}`} onClick={() => go({ part: name })}>
                Preview
              </button>
              <button type="button" class="button" aria-label={`Load ${name}`} onClick={() => actions.loadScenario(name)}>
                Load
              </button>
            </div>
          </li>
        ))}
      </ul>
      {sandbox !== undefined && (
        <section class="card">
          <h2>
            Sandbox <bdi class="mono">{sandbox}</bdi>
          </h2>
          <p>Everything above applies to this sandbox only. Once removed, its key starts over from the scenario for new sandboxes.</p>
          <button type="button" class="button" onClick={() => actions.removeSandbox(sandbox)}>
            Remove sandbox
          </button>
        </section>
      )}
      {address.part === CHANGES && <DiffDrawer {...{ world, actions }} onClose={close} />}
      {scenarios.some(({ name }) => name === address.part) && (
        <ScenarioDrawer key={address.part} name={address.part} {...{ actions }} onEdit={edit} onClose={close} />
      )}
    </>
  )
}

function SaveCard({ world, actions, onEdit }: Pick<ViewProps, 'world' | 'actions'> & { onEdit: () => void }) {
  const [typed, setTyped] = useState<string>()
  const [format, setFormat] = useState<ScenarioFormat>('yaml')
  const name = typed ?? world.name
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const scenario = await actions.snapshot(name)
    if (!scenario) return
    const text = toScenarioText(scenario, format)
    // YAML of that size could not be loaded again.
    const isTooLong = format === 'yaml' && text.length > MAX_YAML_TEXT_BYTES
    const file = toFileName(name, isTooLong ? 'json' : format)
    saveFile(file, isTooLong ? toScenarioText(scenario, 'json') : text)
    actions.say(`Saved as ${file}`)
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

function FileCard({ onFile, onEdit }: { onFile: (file: File) => void; onEdit: (file: File) => void }) {
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
