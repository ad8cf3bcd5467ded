// The animals as a table.
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { PetColumn, PetPage } from '../../control/control.ts'
import type { Pet } from '../../generated/contract.ts'
import { MarkChip, StatusChip } from '../parts/chip.tsx'
import { useKeptFocus } from '../parts/kept-focus.ts'
import { Pager } from '../parts/pager.tsx'
import { onRowKey } from '../parts/row-keys.ts'
import { cell, columnHeader, row, rowGroup, table } from '../parts/table-roles.ts'
import { toVisible } from '../parts/to-visible.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { toHash } from '../state/address.ts'
import { isTemplate } from '../state/console-state.ts'
import { ANIMALS_PER_PAGE, type AnimalFilter, everyAnimal, toAnimalFilter, toAnimalQuery } from '../state/filter-animals.ts'
import { toStatuses } from '../state/read-interface.ts'
import { AnimalDrawer } from './animal-drawer.tsx'
import { NewAnimalDrawer } from './new-animal-drawer.tsx'
import type { ViewProps } from './view.ts'

const COLUMNS: readonly { id: PetColumn; label: string }[] = [
  { id: 'id', label: 'Id' },
  { id: 'name', label: 'Name' },
  { id: 'categoryId', label: 'Category' },
  { id: 'status', label: 'Status' },
]
/** In the address, of the form for a new animal. */
const NEW = 'new'

export function Animals({ state, world, actions, address, go, adjust, link }: ViewProps) {
  const filter = useMemo(() => toAnimalFilter(address.query), [toHash({ ...address, part: '' })])
  useEffect(() => {
    if (toKey(filter) !== toKey(state.animalFilter)) actions.showAnimals(filter)
  }, [filter])
  const { animals } = world
  const body = useRef<HTMLTableSectionElement>(null)
  useKeptFocus(body, '.open')
  const last = Math.max(0, Math.ceil(animals.matches / ANIMALS_PER_PAGE) - 1)
  const options = toOptions(toStatuses(state.operations), animals)
  // An address may name a status that there is not; it filters nothing.
  const chosen = options.some(({ id }) => id === filter.status) ? filter.status : everyAnimal.status
  const change = (part: Partial<AnimalFilter>) => adjust({ query: { ...address.query, ...toAnimalQuery({ ...filter, page: 0, ...part }) } })
  const close = () => adjust({ part: '' })
  useEffect(() => {
    // The page is gone that the address names: animals were removed, or there never were so many.
    if (filter.page > last && toKey(filter) === toKey(state.animalFilter)) change({ page: last })
  }, [animals])
  return (
    <>
      <ViewHead title="Animals" lead={<>The animals in the store right now.</>}>
        {!isTemplate(state) && (
          <button type="button" class="button" onClick={() => go({ part: NEW })}>
            Add an animal
          </button>
        )}
      </ViewHead>
      <div class="toolbar">
        <input
          type="search"
          class="search"
          aria-label="Search animals"
          placeholder="Name, id or category"
          value={filter.search}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
        <fieldset class="segments">
          <legend class="hidden">Show</legend>
          {options.map(({ id, label, count }) => (
            <label key={id} class="segment">
              <input type="radio" name="animal-status" checked={chosen === id} onChange={() => change({ status: id })} />
              <span>
                {label} <span class="count">{count.toLocaleString('en')}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
      <table class="table animals" {...table} aria-label="Animals">
        <thead {...rowGroup}>
          <tr {...row}>
            {COLUMNS.map(({ id, label }) => (
              <th key={id} {...columnHeader} class={`at-${id}`} aria-sort={toSort(filter, id)}>
                <button
                  type="button"
                  class="sort"
                  onClick={() => change({ sort: id, isDescending: filter.sort === id && !filter.isDescending })}
                >
                  {label}
                  <span aria-hidden="true" class="sort-sign">
                    {filter.sort === id ? (filter.isDescending ? '↓' : '↑') : ''}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} {...rowGroup} onKeyDown={onRowKey}>
          {animals.pets.map((pet) => (
            <Row key={String(pet.id)} pet={pet} mark={animals.marks[String(pet.id)]} onOpen={() => go({ part: String(pet.id) })} />
          ))}
        </tbody>
      </table>
      {animals.matches === 0 && (
        <p class="empty">
          {animals.total === 0 ? 'No animals yet.' : 'No animals match the filter.'}{' '}
          {animals.total > 0 && (
            <button type="button" class="text-button" onClick={() => change({ status: 'all', search: '' })}>
              Clear the filter
            </button>
          )}
        </p>
      )}
      <Pager label="animals" page={filter.page} size={ANIMALS_PER_PAGE} total={animals.matches} onPage={(page) => change({ page })} />
      {address.part === NEW && <NewAnimalDrawer {...{ state, actions }} apiHref={link('interface', 'createPet')} onClose={close} />}
      {address.part !== '' && address.part !== NEW && (
        <AnimalDrawer key={address.part} id={address.part} {...{ state, actions }} onClose={close} />
      )}
    </>
  )
}

function Row({ pet, mark, onOpen }: { pet: Pet; mark: PetPage['marks'][string] | undefined; onOpen: () => void }) {
  return (
    <tr {...row} class={mark ? 'marked' : ''}>
      <td {...cell} class="at-id numbers">
        <span class="narrow-label">id </span>
        {String(pet.id)}
      </td>
      <td {...cell} class="at-name">
        <button type="button" class="open" onClick={onOpen}>
          <Name name={pet.name} />
        </button>
        {mark && <MarkChip mark={mark} />}
      </td>
      <td {...cell} class="at-categoryId numbers">
        <span class="narrow-label">category </span>
        {String(pet.categoryId)}
      </td>
      <td {...cell} class="at-status">
        <StatusChip status={pet.status} />
      </td>
    </tr>
  )
}

/** One that shows nothing is told in words. */
function Name({ name }: { name: string }) {
  if (name.trim() === '') return <span class="muted">{name === '' ? 'empty name' : 'name of spaces only'}</span>
  return <bdi class="name">{toVisible(name)}</bdi>
}

/** The filter options with their counts: all, each status, no status, new or changed. */
function toOptions(statuses: readonly string[], { total, byStatus, changed }: PetPage) {
  const counted = statuses.map((id) => ({ id, label: id, count: byStatus[id] ?? 0 }))
  const absent = counted.reduce((rest, { count }) => rest - count, total)
  return [
    { id: 'all', label: 'All', count: total },
    ...counted,
    { id: 'absent', label: 'no status', count: absent },
    { id: 'marked', label: 'New or changed', count: changed },
  ]
}

/** Equal for equal filters. */
function toKey(filter: AnimalFilter): string {
  return JSON.stringify(toAnimalQuery(filter))
}

function toSort({ sort, isDescending }: AnimalFilter, column: PetColumn): 'ascending' | 'descending' | 'none' {
  if (sort !== column) return 'none'
  return isDescending ? 'descending' : 'ascending'
}
