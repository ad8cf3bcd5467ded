// The animals as a table.
import { useMemo, useState } from 'preact/hooks'
import type { Pet } from '../../generated/contract.ts'
import { MarkChip, StatusChip } from '../parts/chip.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Pager } from '../parts/pager.tsx'
import { onRowKey } from '../parts/row-keys.ts'
import { cell, columnHeader, row, rowGroup, table } from '../parts/table-roles.ts'
import { toVisible } from '../parts/to-visible.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { toHash } from '../state/address.ts'
import { isTemplate } from '../state/console-state.ts'
import {
  type AnimalColumn,
  type AnimalFilter,
  filterAnimals,
  hasStatus,
  type Mark,
  toAnimalFilter,
  toAnimalQuery,
} from '../state/filter-animals.ts'
import { AnimalDrawer } from './animal-drawer.tsx'
import type { ViewProps } from './view.ts'

const COLUMNS: readonly { id: AnimalColumn; label: string }[] = [
  { id: 'id', label: 'Id' },
  { id: 'name', label: 'Name' },
  { id: 'categoryId', label: 'Category' },
  { id: 'status', label: 'Status' },
]
const PAGE = 50

export function Animals({ state, world, actions, address, go, adjust, link }: ViewProps) {
  const filter = useMemo(() => toAnimalFilter(address.query), [toHash(address)])
  const [wantedPage, setPage] = useState(0)
  const { pets, marks } = world
  const opened = useMemo(() => pets.find(({ id }) => String(id) === address.part), [pets, address.part])
  // There may be a million, and the page renders on every exchange.
  const shown = useMemo(() => filterAnimals(pets, marks, filter), [pets, marks, filter])
  const options = useMemo(() => toOptions(state.operations, world), [state.operations, pets, marks])
  const page = Math.min(wantedPage, Math.max(0, Math.ceil(shown.length / PAGE) - 1))
  const change = (part: Partial<AnimalFilter>) => {
    adjust({ query: { ...address.query, ...toAnimalQuery({ ...filter, ...part }) } })
    setPage(0)
  }
  const close = () => adjust({ part: '' })
  return (
    <>
      <ViewHead title="Animals" lead={<>The animals in the store right now.</>}>
        {!isTemplate(state) && (
          <a class="button" href={link('interface', 'createPet')}>
            Add an animal
          </a>
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
              <input type="radio" name="animal-status" checked={filter.status === id} onChange={() => change({ status: id })} />
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
        <tbody {...rowGroup} onKeyDown={onRowKey}>
          {shown.slice(page * PAGE, (page + 1) * PAGE).map((pet) => (
            <Row key={String(pet.id)} pet={pet} mark={marks.get(String(pet.id))} onOpen={() => go({ part: String(pet.id) })} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="empty">{pets.length === 0 ? 'No animals yet.' : 'No animals match the filter.'}</p>}
      <Pager label="animals" page={page} size={PAGE} total={shown.length} onPage={setPage} />
      {opened && <AnimalDrawer pet={opened} state={state} onSay={actions.say} onClose={close} />}
      {!opened && address.part !== '' && (
        <Drawer title="Animal" onClose={close}>
          <p>
            There is no animal with the id <bdi class="mono">{toVisible(address.part)}</bdi>.
          </p>
        </Drawer>
      )}
    </>
  )
}

function Row({ pet, mark, onOpen }: { pet: Pet; mark: Mark | undefined; onOpen: () => void }) {
  return (
    <tr {...row} class={mark ? 'marked' : ''}>
      <td {...cell} class="at-id numbers">
        <span class="narrow-label">id </span>
        {String(pet.id)}
      </td>
      <td {...cell} class="at-name">
        <button type="button" class="open" onClick={onOpen}>
          {pet.name === '' ? <span class="muted">empty name</span> : <bdi class="name">{toVisible(pet.name)}</bdi>}
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

/** The filter options with their counts: all, each status, no status, new or changed. */
function toOptions(operations: ViewProps['state']['operations'], { pets, marks }: ViewProps['world']) {
  const statuses = operations.flatMap(({ fields }) => fields).find(({ name }) => name === 'status')?.choices ?? []
  const options = [
    { id: 'all', label: 'All' },
    ...statuses.map((id) => ({ id, label: id })),
    { id: 'absent', label: 'no status' },
    { id: 'marked', label: 'New or changed' },
  ]
  return options.map((option) => ({ ...option, count: pets.filter((pet) => hasStatus(pet, marks, option.id)).length }))
}

function toSort({ sort, isDescending }: AnimalFilter, column: AnimalColumn): 'ascending' | 'descending' | 'none' {
  if (sort !== column) return 'none'
  return isDescending ? 'descending' : 'ascending'
}
