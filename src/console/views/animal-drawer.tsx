// One animal, as the service sends it.
import { toJson } from '../../contract/int64-json.ts'
import type { Pet } from '../../generated/contract.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CopyRequest } from '../parts/copy-request.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Code } from '../parts/message.tsx'
import { type ConsoleState, toKey } from '../state/console-state.ts'
import { toRequest } from '../state/send-request.ts'

interface AnimalDrawerProps {
  readonly pet: Pet
  readonly state: ConsoleState
  onSay(text: string): void
  onClose(): void
}

export function AnimalDrawer({ pet, state, onSay, onClose }: AnimalDrawerProps) {
  const text = toJson(pet)
  const operation = state.operations.find(({ fields }) => fields.some(({ place }) => place === 'path'))
  const name = operation?.fields.find(({ place }) => place === 'path')?.name ?? ''
  const draft = { values: { [name]: String(pet.id) }, body: '', prefer: '' }
  return (
    <Drawer
      title={<>Animal {String(pet.id)}</>}
      onClose={onClose}
      foot={
        <>
          <CopyButton label="Copy JSON" text={() => text} onFailure={onSay} />
          {operation && (
            <CopyRequest request={() => ({ ...toRequest(operation, draft, toKey(state)), origin: location.origin })} onFailure={onSay} />
          )}
        </>
      }
    >
      <Code text={text} label="Animal as JSON" />
    </Drawer>
  )
}
