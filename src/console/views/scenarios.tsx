// The scenarios view: load a built-in one or a file, reset, save the current world.
import { useEffect } from 'preact/hooks'
import { Chip } from '../parts/chip.tsx'
import { ViewHead } from '../parts/view-head.tsx'
import { toStatuses } from '../state/read-interface.ts'
import { DiffDrawer } from './diff-drawer.tsx'
import { FileCard, SaveCard } from './scenario-cards.tsx'
import { ScenarioDrawer } from './scenario-drawer.tsx'
import { ScenarioEditor } from './scenario-editor.tsx'
import type { ViewProps } from './view.ts'

/** In the address, of the scenario that is being edited. */
const EDIT = 'edit'
/** Of what differs from the scenario. */
const CHANGES = 'changes'

export function Scenarios({ state, world, actions, address, go, adjust }: ViewProps) {
  const { scenarios, rejected, sandbox, draft } = state
  const statuses = toStatuses(state.operations)
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
        {draft && (
          <ScenarioEditor {...{ draft, statuses, actions }} onClose={close} onReopen={() => go({ view: 'scenarios', part: EDIT })} />
        )}
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
                  if (rejected.draft) actions.setDraft(rejected.draft)
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
        <ScenarioDrawer key={address.part} name={address.part} {...{ statuses, actions }} onEdit={edit} onClose={close} />
      )}
    </>
  )
}
