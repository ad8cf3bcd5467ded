// One animal, as the service sends it, and what a tester can do to it that no operation of the service can.
import { useEffect, useState } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import type { Pet } from '../../generated/contract.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CopyRequest } from '../parts/copy-request.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Code } from '../parts/message.tsx'
import { toVisible } from '../parts/to-visible.ts'
import type { Actions } from '../state/actions.ts'
import { toAnimalChanges, toFieldTexts } from '../state/animal-fields.ts'
import { type ConsoleState, isTemplate, toKey } from '../state/console-state.ts'
import { toAnimalFields, toStatuses } from '../state/read-interface.ts'
import { toRequest } from '../state/send-request.ts'
import { AnimalForm } from './animal-form.tsx'

interface AnimalDrawerProps {
  readonly id: string
  readonly state: ConsoleState
  readonly actions: Actions
  onClose(): void
}

const SOLD = 'sold'

export function AnimalDrawer({ id, state, actions, onClose }: AnimalDrawerProps) {
  const pet = useAnimal(id, state, actions)
  const [isEditing, setEditing] = useState(false)
  if (pet === undefined) return <Drawer title="Animal" onClose={onClose} children={<p class="muted">Loading…</p>} />
  if (pet === null) {
    return (
      <Drawer title="Animal" onClose={onClose}>
        <p>
          There is no animal with the id <bdi class="mono">{toVisible(id)}</bdi>.
        </p>
      </Drawer>
    )
  }
  const fields = toAnimalFields(state.operations)
  const remove = async () => {
    if (await actions.removeAnimal(pet)) onClose()
  }
  return (
    <Drawer title={<>Animal {String(pet.id)}</>} onClose={onClose} foot={<Copies {...{ pet, state, actions }} />}>
      <div class="buttons" hidden={isTemplate(state)}>
        <button type="button" class="button" disabled={isEditing} onClick={() => setEditing(true)}>
          Edit
        </button>
        {toStatuses(state.operations).includes(SOLD) && (
          <button
            type="button"
            class="button"
            // Not `disabled`, which would take the focus from whoever has just pressed it.
            aria-disabled={pet.status === SOLD}
            onClick={() => pet.status !== SOLD && actions.changeAnimal(pet, { status: SOLD }, 'Sold')}
          >
            Sell
          </button>
        )}
        <button type="button" class="button" onClick={remove}>
          Delete
        </button>
      </div>
      {isEditing && (
        <AnimalForm
          label="Edit animal"
          fields={fields}
          texts={toFieldTexts(pet, fields)}
          verb="Save"
          onCancel={() => setEditing(false)}
          onSend={async (texts, initial) => {
            const changes = toAnimalChanges(initial, texts, fields)
            const problems = Object.keys(changes).length === 0 ? [] : await actions.changeAnimal(pet, changes, 'Changed')
            if (problems.length === 0) setEditing(false)
            return problems
          }}
        />
      )}
      <Code text={toJson(pet)} label="Animal as JSON" />
    </Drawer>
  )
}

function Copies({ pet, state, actions }: { pet: Pet; state: ConsoleState; actions: Actions }) {
  const operation = state.operations.find(({ fields }) => fields.some(({ place }) => place === 'path'))
  const name = operation?.fields.find(({ place }) => place === 'path')?.name ?? ''
  const draft = { values: { [name]: String(pet.id) }, body: '', prefer: '' }
  return (
    <>
      <CopyButton label="Copy JSON" text={() => toJson(pet)} onSay={actions.say} />
      {operation && (
        <CopyRequest request={() => ({ ...toRequest(operation, draft, toKey(state)), origin: location.origin })} onSay={actions.say} />
      )}
    </>
  )
}

/** The animal, read anew whenever animals change; null if there is none, undefined as long as that is not known. */
function useAnimal(id: string, state: ConsoleState, actions: Actions): Pet | null | undefined {
  const [pet, setPet] = useState<Pet | null>()
  useEffect(() => {
    let isCurrent = true
    void actions.readAnimal(id).then((found) => {
      if (isCurrent) setPet(found)
    })
    return () => {
      isCurrent = false
    }
  }, [id, state.world?.animals])
  return pet
}
