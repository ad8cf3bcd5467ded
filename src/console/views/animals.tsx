// The animals of the state, page by page: the mock filters and sorts them, so that there may be any number.
import { useEffect, useRef } from 'preact/hooks'
import type { PetColumn, PetFilter, PetPage } from '../../control/control.ts'
import { contract, type Pet } from '../../generated/contract.ts'
import { usePets } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { count, showHidden } from '../text.ts'
import { Button, Chip, PetStatus, Search, Segments } from '../ui/controls.tsx'
import { List, Row } from '../ui/pane.tsx'
import { AnimalPane, NEW_ANIMAL, NewAnimal } from './animal-pane.tsx'

const PAGE_SIZE = 50
/** The newest first. */
const USUAL_SORT = '-id'
const STATUSES = contract.schemas.PetStatus.enum
const COLUMNS: readonly (readonly [PetColumn, string])[] = [
  ['id', 'Id'],
  ['name', 'Name'],
  ['categoryId', 'Category'],
  ['status', 'Status'],
]

const SORTS = COLUMNS.flatMap(([id]) => [id, `-${id}`])
const FILTERS = [...STATUSES, 'absent', 'changed'] as readonly string[]

export function Animals() {
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const last = useRef<PetPage | undefined>(undefined)
  // The last page stays until the next one is there.
  const page = usePets(filterOf(query)) ?? last.current
  last.current = page
  const number = pageOf(query)
  const pages = Math.max(1, Math.ceil((page?.matches ?? 0) / PAGE_SIZE))
  useEffect(() => {
    if (page && number >= pages) turnTo(pages - 1)
  }, [page])
  const turnTo = (next: number) => {
    adjust({ query: { page: next === 0 ? '' : String(next + 1) } })
    scroller.current?.scrollTo(0, 0)
  }
  if (!page) return <p class="empty">Loading…</p>
  const filter = (change: Readonly<Record<string, string>>) => adjust({ query: { page: '', ...change } })
  const first = number * PAGE_SIZE
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1}>
          Animals
        </h1>
        <div class="tools">
          <Search label="Search name, id, category" hint="Name, id, category  ( / )" value={query.q ?? ''} onInput={(q) => filter({ q })} />
          <Segments
            label="Status"
            value={FILTERS.find((one) => one === query.status) ?? 'all'}
            options={statusOptions(page)}
            onChange={(status) => filter({ status: status === 'all' ? '' : status })}
          />
          <span class="grow" />
          <a class="button" href={link('animals', NEW_ANIMAL, query)}>
            Add animal
          </a>
        </div>
        <div class="scroller" ref={scroller}>
          {unknownIn(query).map((text) => (
            <p key={text} class="empty problem">
              {showHidden(text)}
            </p>
          ))}
          <div class="row animal columns">
            {COLUMNS.map(([id, label]) => (
              <SortButton key={id} id={id} label={label} sort={query.sort || USUAL_SORT} onSort={(sort) => filter({ sort })} />
            ))}
          </div>
          <List label="Animals">
            {page.pets.map((pet) => (
              <li key={String(pet.id)}>
                <Animal pet={pet} mark={page.marks[String(pet.id)]} />
              </li>
            ))}
          </List>
          {page.matches === 0 && (
            <p class="empty">
              {page.total === 0 ? 'There are no animals.' : 'No animal matches.'}{' '}
              {page.total > 0 && <Button onClick={() => filter({ q: '', status: '' })}>Clear the filter</Button>}
            </p>
          )}
        </div>
        {page.matches > PAGE_SIZE && (
          <nav class="pager" aria-label="Pages">
            <Button isOff={number === 0} onClick={() => turnTo(number - 1)}>
              Previous
            </Button>
            <span>
              {count(first + 1)}–{count(first + page.pets.length)} of {count(page.matches)}
            </span>
            <Button isOff={number + 1 >= pages} onClick={() => turnTo(number + 1)}>
              Next
            </Button>
          </nav>
        )}
      </div>
      {part === NEW_ANIMAL && <NewAnimal />}
      {part !== NEW_ANIMAL && part !== '' && <AnimalPane key={part} id={part} />}
    </>
  )
}

function Animal({ pet, mark }: { pet: Pet; mark: PetPage['marks'][string] | undefined }) {
  return (
    <Row class="animal" part={String(pet.id)}>
      <span class="id">{String(pet.id)}</span>
      <span class="name">
        <PetName name={pet.name} /> {mark && <Chip tone="accent">{mark === 'added' ? 'new' : mark}</Chip>}
      </span>
      <span class="category">{String(pet.categoryId)}</span>
      <PetStatus status={pet.status} />
    </Row>
  )
}

/** A name that shows nothing is described. */
function PetName({ name }: { name: string }) {
  if (name.trim() === '') return <span class="muted">{name === '' ? 'empty name' : 'only spaces'}</span>
  return <bdi>{showHidden(name)}</bdi>
}

function SortButton({ id, label, sort, onSort }: { id: PetColumn; label: string; sort: string; onSort: (sort: string) => void }) {
  const sign = sort === id ? '↑' : sort === `-${id}` ? '↓' : ''
  const name = sign === '' ? `Sort by ${label}` : `Sort by ${label}, now ${sign === '↑' ? 'ascending' : 'descending'}`
  return (
    <button type="button" aria-label={name} onClick={() => onSort(sort === id ? `-${id}` : id)}>
      {label} {sign}
    </button>
  )
}

function statusOptions({ total, byStatus, changed }: PetPage) {
  const counted = STATUSES.map((id) => ({ id, label: id, amount: byStatus[id] ?? 0 }))
  const absent = counted.reduce((rest, { amount }) => rest - amount, total)
  return [
    { id: 'all', label: 'all', amount: total },
    ...counted,
    { id: 'absent', label: 'no status', amount: absent },
    { id: 'changed', label: 'changed', amount: changed },
  ]
}

/** From 0; the address counts from 1. */
function pageOf({ page = '' }: Readonly<Record<string, string>>): number {
  return Math.max(1, Number.parseInt(page, 10) || 1) - 1
}

/** What an address asks for that there is not. */
function unknownIn({ sort, status }: Readonly<Record<string, string>>): string[] {
  return [
    ...(!sort || SORTS.includes(sort) ? [] : [`There is no sort order "${sort}": the newest animals are first.`]),
    ...(!status || FILTERS.includes(status) ? [] : [`There is no status "${status}": all animals are shown.`]),
  ]
}

/** What to ask the mock for. */
function filterOf(query: Readonly<Record<string, string>>): PetFilter {
  const { q = '' } = query
  const sort = SORTS.find((one) => one === query.sort) ?? USUAL_SORT
  const status = FILTERS.find((one) => one === query.status)
  const filter = {
    ...(status === 'changed' ? { changed: true } : { status }),
    ...(q.trim() === '' ? {} : { search: q }),
    sort,
    offset: pageOf(query) * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
  return filter as PetFilter
}
