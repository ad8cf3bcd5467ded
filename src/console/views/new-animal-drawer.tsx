// A form for a new animal, which comes into the world without a request to the service.
import { Drawer } from '../parts/drawer.tsx'
import type { Actions } from '../state/actions.ts'
import { toFieldTexts, toNewAnimal } from '../state/animal-fields.ts'
import type { ConsoleState } from '../state/console-state.ts'
import { toAnimalFields } from '../state/read-interface.ts'
import { AnimalForm } from './animal-form.tsx'

interface NewAnimalDrawerProps {
  readonly state: ConsoleState
  readonly actions: Actions
  /** The form of createPet. */
  readonly apiHref: string
  onClose(): void
}

export function NewAnimalDrawer({ state, actions, apiHref, onClose }: NewAnimalDrawerProps) {
  const fields = toAnimalFields(state.operations)
  return (
    <Drawer title="New animal" onClose={onClose}>
      <p>
        Adds an animal by hand, without a request to the service. To send a real request, <a href={apiHref}>try createPet</a>.
      </p>
      <AnimalForm
        label="New animal"
        fields={fields}
        texts={toFieldTexts({}, fields)}
        verb="Add"
        onCancel={onClose}
        onSend={async (texts) => {
          const problems = await actions.addAnimal(toNewAnimal(texts, fields))
          if (problems.length === 0) onClose()
          return problems
        }}
      />
    </Drawer>
  )
}
