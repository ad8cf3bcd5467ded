// The animals of the state, page by page: the mock filters and sorts them, so that there may be any
// number.
import { useEffect, useRef } from 'preact/hooks'
import type { Pet } from '../../contract/generated/contract.ts'
import { ABSENT, STATUSES_OR_ABSENT } from '../../contract/pet.ts'
import type { PetFilter, PetPage } from '../../control/control.ts'
import { hasDraft } from '../model/drafts.ts'
import { readPets } from '../model/mock.ts'
import { adjust, NEW, route } from '../model/route.ts'
import { capitalize, count, showHidden, type Texts } from '../model/text.ts'
import { Button, ClearFilter } from '../ui/button.tsx'
import { Chip, Loading, UNSAVED } from '../ui/chip.tsx'
import type { Line } from '../ui/focus.ts'
import { Scroller, useHeld, useOwnChange } from '../ui/hold.tsx'
import { List, Row, type Stop } from '../ui/list.tsx'
import { Tools } from '../ui/tools.tsx'
import { AnimalPane, draftOfAnimal } from './animal-pane.tsx'

const PAGE_SIZE = 50

/** `isSearched`: the search of the mock looks into it. */
type Column = { readonly class: string; readonly label: string; readonly isSearched: boolean }

/** The style `.animal` has a width for each. */
const COLUMNS = {
  name: { class: 'name', label: 'name', isSearched: true },
  id: { class: 'id', label: 'id', isSearched: true },
  categoryId: { class: 'categoryId', label: 'category', isSearched: true },
  status: { class: 'state', label: 'status', isSearched: false },
} satisfies Readonly<Record<keyof Pet, Column>>

const columns: readonly Column[] = Object.values(COLUMNS)
const searched = columns.filter((one) => one.isSearched)
const SEARCH = capitalize(searched.map((one) => one.label).join(', '))

export function Animals() {
  const { part, query } = route.value
  const last = useRef<PetPage | string>(undefined)
  const index = readIndex(query)
  const read = readPets(filterOf(query, index * PAGE_SIZE))
  const page = read ?? last.current
  last.current = page
  const pages = countPages(page)
  useEffect(() => {
    if (index >= pages) turnTo(pages - 1)
  }, [page])
  const pets = typeof page === 'object' ? page.pets : []
  const occasion = JSON.stringify([query, read !== undefined])
  const held = useHeld(pets, nameOf, occasion)
  useOwnChange(true)
  if (page === undefined) return <Loading />
  if (typeof page === 'string') {
    return (
      <p class="empty">
        {showHidden(page)} <ClearFilter />
      </p>
    )
  }
  const isUnsaved = hasDraft(draftOfAnimal(NEW))
  const lines = held.items.map((pet) => toLine(pet, page))
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1}>
          Animals
        </h1>
        <Tools
          search={SEARCH}
          name="status"
          options={listOptions(page)}
          add="Add animal"
          isUnsaved={isUnsaved}
        />
        <Scroller>
          <Heads />
          <List label="Animals" lines={lines} newCount={held.newCount} render={renderAnimal} />
          {page.matches === 0 && <NoAnimals hasOthers={page.total > 0} />}
        </Scroller>
        {pages > 1 && <Pager index={index} pages={pages} />}
      </div>
      {part !== '' && <AnimalPane key={part} id={part} />}
    </>
  )
}

/** The place of the page, from 0 on. */
function readIndex({ page = '' }: Texts): number {
  const number = Number.parseInt(page, 10) || 1
  return Math.max(1, number) - 1
}

function turnTo(index: number): void {
  const page = index === 0 ? '' : String(index + 1)
  adjust({ query: { page } })
}

/** The heads of the columns, which sort. */
function Heads() {
  const sort = readSort(route.value.query)
  return (
    <div class="row animal columns">
      {Object.entries(COLUMNS).map(([field, column]) => {
        const isSorted = sort.replace('-', '') === field
        const isDescending = sort === `-${field}`
        const next = isSorted && !isDescending ? `-${field}` : field
        const sign = isDescending ? '↓' : '↑'
        return (
          <span key={field} class={column.class}>
            <Button
              class="button link"
              aria-label={`Sort by ${column.label}`}
              aria-pressed={isSorted}
              onClick={() => sortBy(next)}
            >
              {capitalize(column.label)} {isSorted && <span aria-hidden="true">{sign}</span>}
            </Button>
          </span>
        )
      })}
    </div>
  )
}

/** The newest first, unless you choose. */
function readSort({ sort = '' }: Texts): string {
  return sort === '' ? '-id' : sort
}

function sortBy(sort: string): void {
  adjust({ query: { page: '', sort: sort === '-id' ? '' : sort } })
}

function Pager({ index, pages }: { index: number; pages: number }) {
  const isFirst = index === 0
  const isLast = index + 1 >= pages
  const goBack = () => turnTo(index - 1)
  const goOn = () => turnTo(index + 1)
  const jump = (page: number) => {
    if (page >= 1) turnTo(Math.min(Math.trunc(page), pages) - 1)
  }
  return (
    <nav class="pager" aria-label="Pages">
      <Button isOff={isFirst} onClick={goBack}>
        Previous
      </Button>
      <label>
        Page{' '}
        <input
          type="number"
          min={1}
          max={pages}
          value={index + 1}
          aria-label={`Page, of ${count(pages)}`}
          onChange={(event) => jump(event.currentTarget.valueAsNumber)}
        />{' '}
        of {count(pages)}
      </label>
      <Button isOff={isLast} onClick={goOn}>
        Next
      </Button>
    </nav>
  )
}

function nameOf(pet: Pet): string {
  return String(pet.id)
}

/** Unlimited until the mock has said how many there are. */
function countPages(page: PetPage | string | undefined): number {
  if (typeof page !== 'object') return Number.POSITIVE_INFINITY
  return Math.max(1, Math.ceil(page.matches / PAGE_SIZE))
}

function filterOf(query: Texts, offset: number): PetFilter {
  const { q = '', status } = query
  const page = { sort: readSort(query), offset, limit: PAGE_SIZE }
  const chosen = status === 'changed' ? { changed: true } : { status }
  const search = q.trim() === '' ? {} : { search: q }
  // The mock says what is wrong with a status that only an address can have.
  return { ...page, ...chosen, ...search } as PetFilter
}

function listOptions(page: PetPage) {
  const statuses = STATUSES_OR_ABSENT.map((id) => {
    const text = id === ABSENT ? 'No status' : capitalize(id)
    return [id, text, page.byStatus[id] ?? 0] as const
  })
  return [['', 'All', page.total], ...statuses, ['changed', 'Changed', page.changed]] as const
}

function NoAnimals({ hasOthers }: { hasOthers: boolean }) {
  if (!hasOthers) return <p class="empty">There are no animals.</p>
  return (
    <p class="empty">
      No animal matches. <ClearFilter />
    </p>
  )
}

type AnimalLine = Line & { readonly pet: Pet; readonly mark: PetPage['marks'][string] | undefined }

function toLine(pet: Pet, page: PetPage): AnimalLine {
  const name = nameOf(pet)
  return { name, parts: [name], pet, mark: page.marks[name] }
}

function renderAnimal(line: AnimalLine, stop: Stop) {
  const { mark, pet } = line
  const { name, status } = pet
  const isBlank = name.trim() === ''
  const markText = mark === 'added' ? 'new' : mark
  const isUnsaved = hasDraft(draftOfAnimal(line.name))
  const tone = status ?? 'muted'
  const blank = <span class="muted">blank name</span>
  const shownName = isBlank ? blank : <bdi>{showHidden(name)}</bdi>
  return (
    <Row class="animal" line={line} stop={stop}>
      <span class={COLUMNS.name.class}>
        {shownName} {markText && <Chip tone="accent" text={markText} />}
        {isUnsaved && UNSAVED}
      </span>
      <span class={COLUMNS.id.class}>{String(pet.id)}</span>
      <span class={COLUMNS.categoryId.class}>{String(pet.categoryId)}</span>
      <span class={`${COLUMNS.status.class} ${tone}`}>{status ?? 'no status'}</span>
    </Row>
  )
}
