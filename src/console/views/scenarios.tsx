// The scenarios view: load a built-in one or a file, reset, save the current world.
import { useRef, useState } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import { Chip } from '../parts/chip.tsx'
import { saveFile, toFileName } from '../parts/save-file.ts'
import { ViewHead } from '../parts/view-head.tsx'
import type { ViewProps } from './view.ts'

export function Scenarios({ state, world, actions }: ViewProps) {
  const { scenarios, rejected, sandbox } = state
  return (
    <>
      <ViewHead title="Scenarios" lead="A scenario is a complete situation: animals, keys, clock, latency, faults and assumption choices.">
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
          <button type="button" class="button" onClick={actions.dismissFile}>
            Dismiss
          </button>
        </section>
      )}
      <div class="columns even">
        <SaveCard {...{ world, actions }} />
        <FileCard onFile={actions.loadFile} />
      </div>
      <h2 class="section">Built-in scenarios</h2>
      <ul class="grid">
        {scenarios.map(({ name, description, pets }) => (
          <li key={name} class="card scenario">
            <h3 class="mono">{name}</h3>
            <p>{description}</p>
            <div class="card-foot">
              <span class="muted numbers">
                {pets.toLocaleString('en')} {pets === 1 ? 'animal' : 'animals'}
              </span>
              {name === world.name && <Chip tone="accent">current</Chip>}
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
    </>
  )
}

function SaveCard({ world, actions }: Pick<ViewProps, 'world' | 'actions'>) {
  const [typed, setTyped] = useState<string>()
  const name = typed ?? world.name
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const scenario = await actions.snapshot(name)
    if (!scenario) return
    const file = toFileName(name)
    saveFile(file, `${toJson(scenario, 2)}\n`)
    actions.say(`Saved as ${file}`)
  }
  return (
    <form class="card" onSubmit={save}>
      <h2>Save this world</h2>
      <p>
        Saves <bdi class="mono">{world.name}</bdi> as it is now, with {world.pets.length.toLocaleString('en')} animals, as a scenario file.
        Load it here or with <code>--scenario</code>.
      </p>
      <div class="row">
        <label class="field grow">
          <span>Name</span>
          <input type="text" required value={name} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary">
          Save as file
        </button>
      </div>
    </form>
  )
}

function FileCard({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const pick = () => {
    const file = input.current?.files?.[0]
    if (file) onFile(file)
    // Lets the same file be picked again after it has been fixed.
    if (input.current) input.current.value = ''
  }
  return (
    <section class="card drop-zone">
      <h2>Load a file</h2>
      <p>Drop a scenario file (JSON or YAML) anywhere on this page. If it is invalid, its problems are listed and nothing changes.</p>
      <div class="row">
        <button type="button" class="button" onClick={() => input.current?.click()}>
          Choose a file…
        </button>
        <input ref={input} type="file" class="hidden" tabIndex={-1} aria-label="Scenario file" accept=".json,.yaml,.yml" onChange={pick} />
      </div>
    </section>
  )
}
