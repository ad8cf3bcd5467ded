// The animals of the state, page by page: the mock filters and sorts them, so that there may be any
// number.
import { useEffect, useRef } from 'preact/hooks'
import { contract, type NewPet, type Pet } from '../../contract/generated/contract.ts'
import { toJson } from '../../contract/int64-json.ts'
import { ABSENT, STATUSES_OR_ABSENT } from '../../contract/pet.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { PetChanges, PetFilter, PetPage } from '../../control/control.ts'
import { change, type OnProblem } from '../model/actions.ts'
import { draftOf, hasDraft } from '../model/drafts.ts'
import { readPet, readPets } from '../model/mock.ts'
import { adjust, NEW, route } from '../model/route.ts'
import { capitalize, count, showHidden, type Texts } from '../model/text.ts'
import {
  Act,
  Button,
  Chip,
  Clear,
  Field,
  Form,
  Json,
  Loading,
  Tools,
  UNSAVED,
} from '../ui/controls.tsx'
import { Columns, type Line, List, Pane, Row, type Stop } from '../ui/pane.tsx'

const PAGE_SIZE = 50
const CLEAR = <Clear key="" />
const NO_MATCH = ['No animal matches. ', CLEAR]
const TOOLS = { search: 'Name, id, category', name: 'status', add: 'Add animal' }
const COLUMNS = { name: 'Name', id: 'Id', categoryId: 'Category', state: 'Status' }
const { properties, required } = contract.schemas.NewPet
const FIELDS = Object.entries(properties).map(([name, schema]) => ({
  name,
  isRequired: (required as readonly string[]).includes(name),
  isInteger: schema.type === 'integer',
  choices: ('enum' in schema ? schema.enum : []) as readonly string[],
}))

const placeOf = (id: string) => `animal ${id}`

export function Animals() {
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const last = useRef<PetPage | string>(undefined)
  const number = Math.max(1, Number.parseInt(query.page ?? '', 10) || 1) - 1
  const page = readPets(filterOf(query, number * PAGE_SIZE)) ?? last.current
  last.current = page
  const pages =
    typeof page === 'object'
      ? Math.max(1, Math.ceil(page.matches / PAGE_SIZE))
      : Number.POSITIVE_INFINITY
  useEffect(() => void (number >= pages && turnTo(pages - 1)), [page])
  const turnTo = (next: number) => {
    adjust({ query: { page: next === 0 ? '' : String(next + 1) } })
    scroller.current?.scrollTo(0, 0)
  }
  if (page === undefined) return <Loading />
  if (typeof page === 'string') return <p class="empty">{[showHidden(page), ' ', CLEAR]}</p>
  const toLine = (name: string, pet: Pet) => ({ name, parts: [name], pet, mark: page.marks[name] })
  const lines = page.pets.map((pet) => toLine(String(pet.id), pet))
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1} children="Animals" />
        <Tools {...TOOLS} options={optionsOf(page)} isUnsaved={hasDraft(placeOf(NEW))} />
        <div class="scroller" ref={scroller}>
          <Columns class="animal" texts={COLUMNS} />
          <List label="Animals" lines={lines} render={renderAnimal} />
          {page.matches === 0 && (
            <p class="empty">{page.total > 0 ? NO_MATCH : 'There are no animals.'}</p>
          )}
        </div>
        {page.matches > PAGE_SIZE && (
          <nav class="pager" aria-label="Pages">
            <Button isOff={number === 0} text="Previous" onClick={() => turnTo(number - 1)} />
            <span>{`${count(number + 1)} of ${count(pages)}`}</span>
            <Button isOff={number + 1 >= pages} text="Next" onClick={() => turnTo(number + 1)} />
          </nav>
        )}
      </div>
      {part !== '' && <AnimalPane key={part} id={part} />}
    </>
  )
}

type AnimalLine = Line & { readonly pet: Pet; readonly mark: PetPage['marks'][string] | undefined }
function renderAnimal(line: AnimalLine, stop: Stop) {
  const { mark, pet } = line
  const { id, name, categoryId, status } = pet
  return (
    <Row class="animal" line={line} stop={stop}>
      <span class="name">
        {name.trim() ? <bdi>{showHidden(name)}</bdi> : <span class="muted">blank name</span>}{' '}
        {mark && <Chip tone="accent" text={mark === 'added' ? 'new' : mark} />}
        {hasDraft(placeOf(line.name)) && UNSAVED}
      </span>
      <span class="id">{String(id)}</span>
      <span class="categoryId">{String(categoryId)}</span>
      <span class={`state ${status ?? 'muted'}`}>{status ?? 'no status'}</span>
    </Row>
  )
}

function optionsOf({ total, byStatus, changed }: PetPage) {
  const labelOf = (id: string) => (id === ABSENT ? 'No status' : capitalize(id))
  const counted = STATUSES_OR_ABSENT.map((id) => [id, labelOf(id), byStatus[id] ?? 0] as const)
  return [['', 'All', total], ...counted, ['changed', 'Changed', changed]] as const
}

function filterOf({ q = '', status }: Texts, offset: number): PetFilter {
  const chosen = status === 'changed' ? { changed: true } : { status }
  return {
    ...chosen,
    ...(q.trim() && { search: q }),
    sort: '-id',
    offset,
    limit: PAGE_SIZE,
  } as PetFilter
}

/** With the id `new`, a form for another one. Only what you typed is sent. */
function AnimalPane({ id }: { id: string }) {
  const draft = placeOf(id)
  const found: Partial<Pet> | null | undefined = id === NEW ? {} : readPet(id)
  if (found === null) return <Pane title="Animal">{`No animal has the id ${showHidden(id)}.`}</Pane>
  if (!found) return <Pane title="Animal" children={<Loading />} />
  const known = found.id
  const isNew = known === undefined
  const saved = Object.fromEntries(
    FIELDS.map(({ name }) => [name, String(found[name as keyof Pet] ?? '')]),
  )
  const save = async (_: Texts, onProblem: OnProblem) => {
    const values = valuesOf(draftOf(draft))
    const send = ({ pets }: ControlClient) =>
      isNew ? pets.add(values as unknown as NewPet) : pets.update(known, values)
    const made = await change(send, onProblem)
    if (made && isNew) adjust({ part: String(made.result.id) })
    return made
  }
  const remove = () =>
    change(({ pets }) => pets.remove(known as Pet['id']).then(() => adjust({ part: '' })))
  const sell = () => change(({ pets }) => pets.update(known as Pet['id'], { status: 'sold' }))
  const more = [
    !isNew && <Act key="sell" isOff={found.status === 'sold'} text="Sell" onClick={sell} />,
    !isNew && <Act key="delete" text="Delete" onClick={remove} />,
  ]
  const label = id === NEW ? 'New animal' : `Animal ${id}`
  const form = {
    label,
    verb: isNew ? 'Add animal' : 'Save',
    isMain: isNew || hasDraft(draft),
    draft,
    saved,
    more,
  }
  const fields = FIELDS.map(({ name, isRequired, isInteger, choices }) => {
    const all = isRequired ? choices : ['', ...choices]
    const options = choices.length > 0 && {
      options: all.map((one) => [one, one || 'none'] as const),
    }
    const value = draftOf(draft)[name] ?? saved[name] ?? ''
    return (
      <Field
        key={name}
        label={name}
        class={isInteger ? 'mono' : ''}
        name={name}
        value={value}
        {...options}
      />
    )
  })
  return (
    <Pane hasRows={!isNew} title={[label, ' ', hasDraft(draft) && UNSAVED]}>
      <Form class="stack" {...form} onSend={save} children={fields} />
      {!isNew && (
        <div
          class="stack"
          children={<Json text={toJson(found, 2)} label="Animal as JSON" canCopy />}
        />
      )}
    </Pane>
  )
}

/** An optional field without text is removed. */
function valuesOf(texts: Texts): PetChanges {
  const values = FIELDS.filter(({ name }) => name in texts).map(
    ({ name, isRequired, isInteger }) => {
      const given = texts[name] ?? ''
      const text = isInteger ? given.trim() : given
      return [name, text === '' && !isRequired ? null : text]
    },
  )
  return Object.fromEntries(values)
}
