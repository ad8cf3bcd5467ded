// One animal, and what a tester can do to it that no operation of the service can. Its fields are those of the contract.
import { useState } from 'preact/hooks'
import { type Json as JsonValue, parseInt64, toJson } from '../../contract/int64-json.ts'
import type { AddedPet, PetChanges } from '../../control/control.ts'
import { contract, type Pet } from '../../generated/contract.ts'
import { control } from '../connection.ts'
import { change } from '../messages.ts'
import { usePet } from '../mock.ts'
import { adjust } from '../route.ts'
import { showHidden } from '../text.ts'
import { Button, Copy, Field, Select } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'

/** In the address, instead of an id. */
export const NEW_ANIMAL = 'new'

type Texts = Readonly<Record<string, string>>

interface FormField {
  readonly name: string
  readonly isRequired: boolean
  readonly isInteger: boolean
  readonly choices: readonly string[]
}

const { properties, required } = contract.schemas.NewPet
const FIELDS: readonly FormField[] = Object.entries(properties).map(([name, schema]) => ({
  name,
  isRequired: (required as readonly string[]).includes(name),
  isInteger: schema.type === 'integer',
  choices: 'enum' in schema ? schema.enum : [],
}))

/** Sends the texts of the form; the form shows the problem. */
type Send = (texts: Texts, onProblem: (text: string) => void) => Promise<unknown>

export function AnimalPane({ id }: { id: string }) {
  if (id === NEW_ANIMAL) return <NewAnimal />
  return <KnownAnimal id={id} />
}

function NewAnimal() {
  const { pets } = control()
  const add: Send = async (texts, onProblem) => {
    let id: Pet['id'] = 0
    const step = async () => {
      id = (await pets.add(changesOf(undefined, texts) as unknown as AddedPet)).id
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

function KnownAnimal({ id }: { id: string }) {
  const pet = usePet(id)
  const [isEditing, setEditing] = useState(false)
  if (!pet) return <Pane title="Animal">{pet === null ? `There is no animal with the id ${showHidden(id)}.` : 'Loading…'}</Pane>
  const stop = () => {
    setEditing(false)
    document.querySelector<HTMLElement>('.pane [aria-expanded]')?.focus()
  }
  const save: Send = async (texts, onProblem) => {
    const changes = changesOf(textsOf(pet), texts)
    if (Object.keys(changes).length === 0 || (await update(pet, changes, 'Changed', onProblem))) stop()
  }
  const remove = async () => {
    if (await removePet(pet)) adjust({ part: '' })
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
  const [problem, setProblem] = useState('')
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    setProblem('')
    void onSend(texts, setProblem)
  }
  return (
    <form class="stack" aria-label={verb === 'Add' ? 'New animal' : 'Edit animal'} onSubmit={send}>
      {FIELDS.map(({ name, isRequired, isInteger, choices }) => {
        const set = (text: string) => setTexts({ ...texts, [name]: text })
        if (choices.length > 0) {
          const options = [...(isRequired ? [] : [['', 'none'] as const]), ...choices]
          return <Select key={name} label={name} value={texts[name] ?? ''} options={options} onChange={set} />
        }
        return (
          <Field key={name} label={name} class={isInteger ? 'mono' : ''} isRequired={isInteger} value={texts[name] ?? ''} onInput={set} />
        )
      })}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <Button class="primary" isSubmit>
          {verb}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
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

function removePet(pet: Pet): Promise<boolean> {
  const { pets } = control()
  return change(
    () => pets.remove(pet.id).then(() => `Deleted animal ${pet.id}`),
    () => pets.add(pet).then(() => `Restored animal ${pet.id}`),
  )
}

function textsOf(pet: Pet): Texts {
  return Object.fromEntries(FIELDS.map(({ name }) => [name, String(pet[name as keyof Pet] ?? '')]))
}

/** What differs; an optional field that was emptied is null, which removes it. A new animal has all required fields. */
function changesOf(before: Texts | undefined, after: Texts): Record<string, JsonValue> {
  const isSent = ({ name, isRequired }: FormField) => (after[name] ?? '') !== (before?.[name] ?? '') || (isRequired && !before)
  const values = FIELDS.filter(isSent).map((field) => {
    const text = after[field.name] ?? ''
    return [field.name, text === '' && !field.isRequired ? null : parseField(field, text)]
  })
  return Object.fromEntries(values)
}

/** A value that the mock would refuse is passed on: its message says why. */
function parseField({ isInteger }: FormField, text: string): JsonValue {
  if (!isInteger) return text
  const number = Number(text)
  return parseInt64(text.trim()) ?? (text.trim() === '' || !Number.isFinite(number) ? text : number)
}
