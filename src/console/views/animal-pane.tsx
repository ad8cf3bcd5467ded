// One animal, and what a tester can do to it that no operation of the service can. Its fields are those of the contract.
import { useState } from 'preact/hooks'
import { type Json as JsonValue, parseInt64, toJson } from '../../contract/int64-json.ts'
import type { AddedPet, PetChanges } from '../../control/control.ts'
import { contract, type Pet } from '../../generated/contract.ts'
import { change } from '../actions.ts'
import { control } from '../connection.ts'
import { usePet } from '../mock.ts'
import { adjust } from '../route.ts'
import { showHidden } from '../text.ts'
import { Button, Copy, Field, Form, Select } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'

/** In the address, instead of an id. */
export const NEW_ANIMAL = 'new'

type Texts = Readonly<Record<string, string>>

const { properties, required } = contract.schemas.NewPet
const FIELDS = Object.entries(properties).map(([name, schema]) => ({
  name,
  isRequired: (required as readonly string[]).includes(name),
  isInteger: schema.type === 'integer',
  choices: ('enum' in schema ? schema.enum : []) as readonly string[],
}))

/** Sends the texts of the form; the form shows the problem. */
type Send = (texts: Texts, onProblem: (text: string) => void) => Promise<unknown>

export function NewAnimal() {
  const { pets } = control()
  const add: Send = async (texts, onProblem) => {
    let id: Pet['id'] = 0
    const step = async () => {
      id = (await pets.add(valuesOf(texts, undefined) as unknown as AddedPet)).id
      return `Added animal ${id}`
    }
    const takeBack = () => pets.remove(id).then(() => `Removed animal ${id} again`)
    if (await change(step, takeBack, onProblem)) adjust({ part: String(id) })
  }
  return (
    <Pane title="New animal">
      <p class="muted">Added by hand: the request log does not show it. Use New request to send createPet.</p>
      <AnimalForm texts={{}} verb="Add" onSend={add} />
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
  const save: Send = async (texts, onProblem) => {
    if (await update(pet, valuesOf(texts, null) as PetChanges, 'Changed', onProblem)) stop()
  }
  const remove = async () => {
    const { pets } = control()
    const step = () => pets.remove(pet.id).then(() => `Deleted animal ${id}`)
    if (await change(step, () => pets.add(pet).then(() => `Restored animal ${id}`))) adjust({ part: '' })
  }
  return (
    <Pane
      title={
        <>
          Animal <span class="mono">{String(pet.id)}</span>
        </>
      }
    >
      <div class="buttons">
        <Button class="primary" isOpen={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit
        </Button>
        <Button isOff={pet.status === 'sold'} onClick={() => update(pet, { status: 'sold' }, 'Sold')}>
          Sell
        </Button>
        <Button onClick={remove}>Delete</Button>
        <Copy label="Copy JSON" text={() => toJson(pet, 2)} />
      </div>
      {isEditing && <AnimalForm texts={textsOf(pet)} verb="Save" onSend={save} onCancel={stop} />}
      <Json text={toJson(pet)} label="Animal as JSON" />
    </Pane>
  )
}

interface AnimalFormProps {
  readonly texts: Texts
  readonly verb: string
  readonly onSend: Send
  onCancel?: () => void
}

function AnimalForm({ texts: initial, verb, onSend, onCancel }: AnimalFormProps) {
  const [texts, setTexts] = useState(initial)
  return (
    <Form
      class="stack"
      label={verb === 'Add' ? 'New animal' : 'Edit animal'}
      verb={verb}
      more={onCancel && <Button onClick={onCancel}>Cancel</Button>}
      onSend={(onProblem) => onSend(texts, onProblem)}
    >
      {FIELDS.map(({ name, isRequired, isInteger, choices }) => {
        const set = (text: string) => setTexts({ ...texts, [name]: text })
        const value = texts[name] ?? ''
        const options = [...(isRequired ? [] : [['', 'none'] as const]), ...choices]
        return choices.length > 0 ? (
          <Select key={name} label={name} value={value} options={options} onChange={set} />
        ) : (
          <Field key={name} label={name} class={isInteger ? 'mono' : ''} isRequired={isInteger} value={value} onInput={set} />
        )
      })}
    </Form>
  )
}

function update(pet: Pet, changes: PetChanges, verb: string, onProblem?: (text: string) => void): Promise<boolean> {
  const { pets } = control()
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, pet[name as keyof Pet] ?? null])) as PetChanges
  return change(
    () => pets.update(pet.id, changes).then(() => `${verb} animal ${pet.id}`),
    () => pets.update(pet.id, before).then(() => `Restored animal ${pet.id}`),
    onProblem,
  )
}

function textsOf(pet: Pet): Texts {
  return Object.fromEntries(FIELDS.map(({ name }) => [name, String(pet[name as keyof Pet] ?? '')]))
}

/** An optional field without text becomes `empty`: null removes it, and undefined leaves it out. */
function valuesOf(texts: Texts, empty: null | undefined): Record<string, JsonValue | undefined> {
  const entries = FIELDS.map(({ name, isRequired, isInteger }) => {
    const text = texts[name] ?? ''
    return [name, text === '' && !isRequired ? empty : isInteger ? parseInteger(text.trim()) : text]
  })
  return Object.fromEntries(entries)
}

/** A value that the mock would refuse is passed on: its message says why. */
function parseInteger(text: string): JsonValue {
  return parseInt64(text) ?? (text === '' || !Number.isFinite(Number(text)) ? text : Number(text))
}
