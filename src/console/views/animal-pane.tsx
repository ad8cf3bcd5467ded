// One animal, and what a tester can do to it that no operation of the service can. Its fields are those of the contract.
import { useState } from 'preact/hooks'
import { type Json as JsonValue, parseInt64, toJson } from '../../contract/int64-json.ts'
import type { AddedPet, PetChanges } from '../../control/control.ts'
import { contract, type Pet } from '../../generated/contract.ts'
import { change, type OnProblem } from '../actions.ts'
import { control } from '../connection.ts'
import { usePet } from '../mock.ts'
import { adjust } from '../route.ts'
import { showHidden } from '../text.ts'
import { Act, Button, Copy, Field, Form, Select, type Texts } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'

/** In the address, instead of an id. */
export const NEW_ANIMAL = 'new'

const { properties, required } = contract.schemas.NewPet
const FIELDS = Object.entries(properties).map(([name, schema]) => ({
  name,
  isRequired: (required as readonly string[]).includes(name),
  isInteger: schema.type === 'integer',
  choices: ('enum' in schema ? schema.enum : []) as readonly string[],
}))

export function NewAnimal() {
  const { pets } = control()
  const add = async (texts: Texts, onProblem: OnProblem) => {
    let id: Pet['id'] = 0
    const run = async () => {
      id = (await pets.add(valuesOf(texts, undefined) as unknown as AddedPet)).id
    }
    if (await change(run, { onProblem })) adjust({ part: String(id) })
  }
  return (
    <Pane title="New animal">
      <p class="muted">Added by hand, without a request. Use New request to send createPet.</p>
      <Form class="stack" label="New animal" verb="Add" onSend={add}>
        <AnimalFields />
      </Form>
    </Pane>
  )
}

export function AnimalPane({ id }: { id: string }) {
  const pet = usePet(id)
  const [isEditing, setEditing] = useState(false)
  if (!pet) return <Pane title="Animal">{pet === null ? `There is no animal with the id ${showHidden(id)}.` : 'Loading…'}</Pane>
  const stop = () => {
    setEditing(false)
    document.querySelector<HTMLElement>('.pane [aria-expanded]')?.focus()
  }
  const save = async (texts: Texts, onProblem: OnProblem) => {
    if (await update(pet, valuesOf(texts, null) as PetChanges, onProblem)) stop()
  }
  const remove = async () => {
    if (await change(() => control().pets.remove(pet.id))) adjust({ part: '' })
  }
  return (
    <Pane
      hasRows
      title={
        <>
          Animal <span class="mono">{String(pet.id)}</span>
        </>
      }
    >
      <div class="buttons">
        <Button class="primary" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit
        </Button>
        <Act isOff={pet.status === 'sold'} onClick={() => update(pet, { status: 'sold' })}>
          Sell
        </Act>
        <Act onClick={remove}>Delete</Act>
        <Copy text={() => toJson(pet, 2)}>Copy JSON</Copy>
      </div>
      {isEditing && (
        <Form class="stack" label="Edit animal" verb="Save" more={<Button onClick={stop}>Cancel</Button>} onSend={save}>
          <AnimalFields pet={pet} />
        </Form>
      )}
      <Json text={toJson(pet)} label="Animal as JSON" />
    </Pane>
  )
}

function AnimalFields({ pet = {} }: { pet?: Partial<Pet> }) {
  return FIELDS.map(({ name, isRequired, isInteger, choices }) => {
    const text = String(pet[name as keyof Pet] ?? '')
    const options = [...(isRequired ? [] : [['', 'none'] as const]), ...choices]
    return choices.length > 0 ? (
      <Select key={name} label={name} name={name} value={text} options={options} />
    ) : (
      <Field key={name} label={name} name={name} class={isInteger ? 'mono' : ''} required={isInteger} defaultValue={text} />
    )
  })
}

function update({ id }: Pet, changes: PetChanges, onProblem?: OnProblem): Promise<boolean> {
  return change(() => control().pets.update(id, changes), { onProblem })
}

/** An optional field without text becomes `empty`: null removes it, and undefined leaves it out. The mock refuses other texts. */
function valuesOf(texts: Texts, empty: null | undefined): Record<string, JsonValue | undefined> {
  const entries = FIELDS.map(({ name, isRequired, isInteger }) => {
    const text = texts[name] ?? ''
    return [name, text === '' && !isRequired ? empty : isInteger ? (parseInt64(text.trim()) ?? text) : text]
  })
  return Object.fromEntries(entries)
}
