// The animals of the state, page by page: the mock filters and sorts them, so that there may be any number.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { parseInt64, toJson } from '../../contract/int64-json.ts'
import type { PetChanges, PetFilter, PetPage } from '../../control/control.ts'
import { contract, type NewPet, type Pet } from '../../generated/contract.ts'
import { change, type OnProblem } from '../actions.ts'
import { readPet, readPets } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { capitalize, count, showHidden } from '../text.ts'
import { Act, Button, Chip, Field, Form, type FormProps, Json, Loading, OneOf, Search, type Texts } from '../ui/controls.tsx'
import { Columns, type Line, List, Pane, Row, type Stop } from '../ui/pane.tsx'

const NEW = 'new'
const PAGE_SIZE = 50
const NO_FILTER = { q: '', status: '' }
const STATUSES = contract.schemas.PetStatus.enum
const COLUMNS = { name: 'Name', id: 'Id', categoryId: 'Category', state: 'Status' }
const { properties, required } = contract.schemas.NewPet
const FIELDS = Object.entries(properties).map(([name, schema]) => ({
  name,
  isRequired: (required as readonly string[]).includes(name),
  isInteger: schema.type === 'integer',
  choices: ('enum' in schema ? schema.enum : []) as readonly string[],
}))

export function Animals() {
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const last = useRef<PetPage | string>(undefined)
  const number = Math.max(1, Number.parseInt(query.page ?? '', 10) || 1) - 1
  const page = readPets(filterOf(query, number * PAGE_SIZE)) ?? last.current
  last.current = page
  const pages = typeof page === 'object' ? Math.max(1, Math.ceil(page.matches / PAGE_SIZE)) : Number.POSITIVE_INFINITY
  useEffect(() => {
    if (number >= pages) turnTo(pages - 1)
  }, [page])
  const turnTo = (next: number) => {
    adjust({ query: { page: next === 0 ? '' : String(next + 1) } })
    scroller.current?.scrollTo(0, 0)
  }
  const filter = (change: Readonly<Record<string, string>>) => adjust({ query: { page: '', ...change } })
  const clear = <Button text="Clear the filter" onClick={() => filter(NO_FILTER)} />
  if (page === undefined) return <Loading />
  if (typeof page === 'string') return <p class="empty">{[showHidden(page), ' ', clear]}</p>
  const lines = page.pets.map((pet) => ({ name: String(pet.id), parts: [String(pet.id)], pet }))
  const first = number * PAGE_SIZE
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1} children="Animals" />
        <div class="tools">
          <Search label="Search name, id, category" hint="Name, id" onInput={(q) => filter({ q })} />
          <OneOf label="Status" value={query.status ?? ''} options={optionsOf(page)} onChange={(status) => filter({ status })} />
          <a class="button" href={link('animals', NEW, query)} aria-label="Add animal">
            + <span class="long">Add animal</span>
          </a>
        </div>
        <div class="scroller" ref={scroller}>
          <Columns class="animal" texts={COLUMNS} />
          <List label="Animals" lines={lines} render={(line, stop) => <Animal line={line} stop={stop} mark={page.marks[line.name]} />} />
          {page.matches === 0 && <p class="empty">{page.total === 0 ? 'There are no animals.' : ['No animal matches. ', clear]}</p>}
        </div>
        {page.matches > PAGE_SIZE && (
          <nav class="pager" aria-label="Pages">
            <Button isOff={number === 0} text="Previous" onClick={() => turnTo(number - 1)} />
            <span>{`${count(first + 1)}–${count(first + page.pets.length)} of ${count(page.matches)}`}</span>
            <Button isOff={number + 1 >= pages} text="Next" onClick={() => turnTo(number + 1)} />
          </nav>
        )}
      </div>
      {part === NEW && <NewAnimal />}
      {part !== '' && part !== NEW && <AnimalPane key={part} id={part} />}
    </>
  )
}

type AnimalProps = { line: Line & { readonly pet: Pet }; stop: Stop; mark: PetPage['marks'][string] | undefined }

function Animal({ line, stop, mark }: AnimalProps) {
  const { id, name, categoryId, status } = line.pet
  return (
    <Row class="animal" line={line} stop={stop}>
      <span class="name">
        {name.trim() === '' ? <span class="muted">blank name</span> : <bdi>{showHidden(name)}</bdi>}{' '}
        {mark && <Chip tone="accent" text={mark === 'added' ? 'new' : mark} />}
      </span>
      <span class="id">{String(id)}</span>
      <span class="categoryId">{String(categoryId)}</span>
      <span class={`state ${status ?? 'muted'}`}>{status ?? 'no status'}</span>
    </Row>
  )
}

function optionsOf({ total, byStatus, changed }: PetPage) {
  const counted = STATUSES.map((id) => [id, capitalize(id), byStatus[id] ?? 0] as const)
  const absent = counted.reduce((rest, [, , amount]) => rest - amount, total)
  return [['', 'All', total], ...counted, ['absent', 'No status', absent], ['changed', 'Changed', changed]] as const
}

function filterOf({ q = '', status }: Readonly<Record<string, string>>, offset: number): PetFilter {
  const chosen = status === 'changed' ? { changed: true } : { status }
  return { ...chosen, ...(q.trim() !== '' && { search: q }), sort: '-id', offset, limit: PAGE_SIZE } as PetFilter
}

function NewAnimal() {
  const add = async (texts: Texts, onProblem: OnProblem) => {
    const made = await change(({ pets }) => pets.add(valuesOf(texts, false) as unknown as NewPet), onProblem)
    if (made) adjust({ part: String(made.result.id) })
  }
  return <Pane title="New animal" children={<AnimalForm label="New animal" verb="Add animal" onSend={add} />} />
}

function AnimalPane({ id }: { id: string }) {
  const pet = readPet(id)
  // The cache has the new animal a little later. A field that you have typed in would keep its text.
  const [saved, setSaved] = useState<readonly [before: Pet, after: Pet]>()
  useLayoutEffect(() => document.querySelector<HTMLFormElement>('.pane form')?.reset(), [saved])
  if (!pet) return <Pane title="Animal">{pet === null ? `No animal has the id ${showHidden(id)}.` : <Loading />}</Pane>
  const save = async (texts: Texts, onProblem: OnProblem) => {
    const made = await change(({ pets }) => pets.update(pet.id, valuesOf(texts)), onProblem)
    if (made?.result) setSaved([pet, made.result])
    return made
  }
  const remove = async () => {
    if (await change(({ pets }) => pets.remove(pet.id))) adjust({ part: '' })
  }
  const sell = () => change(({ pets }) => pets.update(pet.id, { status: 'sold' }))
  const more = [
    <Act key="sell" isOff={pet.status === 'sold'} text="Sell" onClick={sell} />,
    <Act key="delete" text="Delete" onClick={remove} />,
  ]
  return (
    <Pane hasRows title={`Animal ${pet.id}`}>
      <AnimalForm label="Edit animal" verb="Save" more={more} pet={saved?.[0] === pet ? saved[1] : pet} onSend={save} />
      <Json text={toJson(pet, 2)} label="Animal as JSON" canCopy />
    </Pane>
  )
}

function AnimalForm({ pet = {}, ...form }: Omit<FormProps, 'class' | 'children'> & { pet?: Partial<Pet> }) {
  const fields = FIELDS.map(({ name, isRequired, isInteger, choices }) => {
    const options = [...(isRequired ? [] : ['']), ...choices].map((one) => [one, one || 'none'] as const)
    const text = String(pet[name as keyof Pet] ?? '')
    const more = choices.length > 0 && { options }
    return <Field key={name} label={name} name={name} class={isInteger ? 'mono' : ''} defaultValue={text} {...more} />
  })
  return <Form class="stack" {...form} children={fields} />
}

/** An optional field without text is removed. */
function valuesOf(texts: Texts, isChange = true): PetChanges {
  const values: Record<string, unknown> = {}
  for (const { name, isRequired, isInteger } of FIELDS) {
    const text = texts[name] ?? ''
    if (text !== '' || (isRequired && isChange)) values[name] = isInteger ? (parseInt64(text.trim()) ?? text) : text
    else if (isChange) values[name] = null
  }
  return values
}
