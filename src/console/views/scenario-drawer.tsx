// A shipped scenario, to look at before it is loaded.
import { useEffect, useState } from 'preact/hooks'
import type { Scenario } from '../../world/situation.ts'
import { Drawer } from '../parts/drawer.tsx'
import type { Actions } from '../state/actions.ts'
import { ScenarioPreview } from './scenario-preview.tsx'

interface ScenarioDrawerProps {
  readonly name: string
  readonly statuses: readonly string[]
  readonly actions: Actions
  onEdit(): void
  onClose(): void
}

export function ScenarioDrawer({ name, statuses, actions, onEdit, onClose }: ScenarioDrawerProps) {
  const [scenario, setScenario] = useState<Scenario>()
  useEffect(() => {
    let isCurrent = true
    setScenario(undefined)
    void actions.readScenario(name).then((found) => {
      if (isCurrent) setScenario(found)
    })
    return () => {
      isCurrent = false
    }
  }, [name])
  const load = async () => {
    await actions.loadScenario(name)
    onClose()
  }
  const edit = async () => {
    if (scenario && (await actions.editScenario(scenario))) onEdit()
  }
  return (
    <Drawer
      title={<>Scenario {name}</>}
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button primary" onClick={load}>
            Load
          </button>
          <button type="button" class="button" disabled={!scenario} onClick={edit}>
            Edit as text
          </button>
        </>
      }
    >
      {scenario ? <ScenarioPreview {...{ scenario, statuses }} /> : <p class="muted">Loading…</p>}
    </Drawer>
  )
}
