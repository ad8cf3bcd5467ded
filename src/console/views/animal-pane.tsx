// One animal: a form with the fields of the contract, and its JSON.
import { contract, type NewPet, type Pet } from '../../contract/generated/contract.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { PetChanges } from '../../control/control.ts'
import { change, type OnProblem } from '../model/actions.ts'
import { draftOf, hasDraft } from '../model/drafts.ts'
import { readPet } from '../model/mock.ts'
import { adjust, NEW } from '../model/route.ts'
import { showHidden, type Texts } from '../model/text.ts'
import { MockButton } from '../ui/button.tsx'
import { Loading, UNSAVED } from '../ui/chip.tsx'
import { Code } from '../ui/code.tsx'
import { Field, Form } from '../ui/form.tsx'
import { Pane } from '../ui/pane.tsx'
import { AnimalHistory } from './animal-history.tsx'

const { properties, required } = contract.schemas.NewPet
const REQUIRED: readonly string[] = required
type Schemas = typeof properties
type AnimalField = ReturnType<typeof toField>
const FIELDS = Object.entries(properties).map(toField)

function toField([name, schema]: [string, Schemas[keyof Schemas]]) {
  const choices = 'enum' in schema ? schema.enum : undefined
  return {
    name: name as keyof NewPet,
    isRequired: REQUIRED.includes(name),
    isInteger: schema.type === 'integer',
    choices,
  }
}

const NOTHING = printFields({})

export function draftOfAnimal(id: string): string {
  return `animal ${id}`
}

/** With the id `new`, a form for another one. */
export function AnimalPane({ id }: { id: string }) {
  if (id === NEW) return <NewAnimal />
  const pet = readPet(id)
  if (pet === null) return <Pane title="Animal">No animal has the id {showHidden(id)}.</Pane>
  if (!pet) {
    return (
      <Pane title="Animal">
        <Loading />
      </Pane>
    )
  }
  return <KnownAnimal pet={pet} />
}

function NewAnimal() {
  const draft = draftOfAnimal(NEW)
  const add = async (_: Texts, onProblem: OnProblem) => {
    const values = parseFields(draftOf(draft)) as unknown as NewPet
    const made = await change((mock) => mock.pets.add(values), { onProblem })
    if (made) adjust({ part: String(made.result.id) })
    return made
  }
  return (
    <Pane title={renderTitle('New animal', draft)}>
      <Form
        class="stack"
        label="New animal"
        verb="Add animal"
        draft={draft}
        saved={NOTHING}
        onSend={add}
      >
        {FIELDS.map(renderField)}
      </Form>
    </Pane>
  )
}

function KnownAnimal({ pet }: { pet: Pet }) {
  const { id } = pet
  const label = `Animal ${id}`
  const draft = draftOfAnimal(String(id))
  // Only what you typed is sent.
  const save = (_: Texts, onProblem: OnProblem) =>
    change((mock) => mock.pets.update(id, parseFields(draftOf(draft))), { onProblem })
  const sell = () => change((mock) => mock.pets.update(id, { status: 'sold' }))
  const remove = () =>
    change(async (mock) => {
      await mock.pets.remove(id)
      adjust({ part: '' })
    })
  const isSold = pet.status === 'sold'
  const saved = printFields(pet)
  const more = (
    <>
      <MockButton hotkey="s" isOff={isSold} onClick={sell}>
        Sell
      </MockButton>
      <MockButton hotkey="d" onClick={remove}>
        Delete
      </MockButton>
    </>
  )
  const form = { draft, saved, more, onSend: save }
  return (
    <Pane hasRows title={renderTitle(label, draft)}>
      <Form class="stack" label={label} verb="Save" isMain={hasDraft(draft)} isShared {...form}>
        {FIELDS.map(renderField)}
      </Form>
      <div class="stack">
        <Code text={toJson(pet, 2)} label="Animal as JSON" canCopy />
      </div>
      <AnimalHistory id={String(id)} />
    </Pane>
  )
}

function renderTitle(label: string, draft: string) {
  return (
    <>
      {label} {hasDraft(draft) && UNSAVED}
    </>
  )
}

function renderField(field: AnimalField) {
  const { name, isInteger, choices } = field
  const control = { label: name, name, class: isInteger ? 'mono' : '' }
  if (!choices) return <Field key={name} {...control} />
  return <Field key={name} {...control} options={listOptions(field)} />
}

function listOptions(field: AnimalField) {
  const options = (field.choices ?? []).map((choice) => [choice, choice] as const)
  return field.isRequired ? options : [['', 'none'] as const, ...options]
}

function printFields(pet: Partial<Pet>): Texts {
  return Object.fromEntries(FIELDS.map((field) => [field.name, String(pet[field.name] ?? '')]))
}

/** An optional field without text is removed. */
function parseFields(texts: Texts): PetChanges {
  const values: Record<string, string | null> = {}
  for (const { name, isRequired, isInteger } of FIELDS) {
    const given = texts[name]
    if (given === undefined) continue
    const text = isInteger ? given.trim() : given
    values[name] = text === '' && !isRequired ? null : text
  }
  return values as PetChanges
}
