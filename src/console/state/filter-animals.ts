// Which animals the table shows, and in which order.
import type { Pet } from '../../generated/contract.ts'

/** What happened to an animal since the scenario was loaded. */
export type Mark = 'new' | 'changed'

export type AnimalColumn = 'id' | 'name' | 'categoryId' | 'status'

export interface AnimalFilter {
  /** A status; `absent` for animals without one; `marked` for those that are new or changed; `all`. */
  readonly status: string
  readonly search: string
  readonly sort: AnimalColumn
  readonly isDescending: boolean
}

/** The newest come first, so that an animal that is added is seen at once. */
export const everyAnimal: AnimalFilter = { status: 'all', search: '', sort: 'id', isDescending: true }

const COLUMNS: readonly AnimalColumn[] = ['id', 'name', 'categoryId', 'status']

/** The filter that an address names. */
export function toAnimalFilter({ status = 'all', q = '', sort = '-id' }: Readonly<Record<string, string>>): AnimalFilter {
  const isDescending = sort.startsWith('-')
  const column = COLUMNS.find((one) => one === (isDescending ? sort.slice(1) : sort))
  return { status, search: q, sort: column ?? 'id', isDescending: column ? isDescending : true }
}

/** As the address has it: what is usual is left out. */
export function toAnimalQuery({ status, search, sort, isDescending }: AnimalFilter): Record<string, string> {
  const order = isDescending ? `-${sort}` : sort
  return { status: status === 'all' ? '' : status, q: search, sort: order === '-id' ? '' : order }
}

export type Marks = ReadonlyMap<string, Mark>

export function filterAnimals(pets: readonly Pet[], marks: Marks, { status, search, sort, isDescending }: AnimalFilter): Pet[] {
  const wanted = search.trim().toLowerCase()
  const kept = pets.filter((pet) => hasStatus(pet, marks, status) && (wanted === '' || matches(pet, wanted)))
  const direction = isDescending ? -1 : 1
  return kept.sort((left, right) => direction * (compare(left, right, sort) || compareIds(left, right)))
}

export function hasStatus(pet: Pet, marks: Marks, status: string): boolean {
  if (status === 'all') return true
  if (status === 'marked') return marks.has(String(pet.id))
  return (pet.status ?? 'absent') === status
}

/** Matches part of the name or id, or the whole category. */
function matches({ name, id, categoryId }: Pet, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || String(id).includes(wanted) || String(categoryId) === wanted
}

function compare(left: Pet, right: Pet, column: AnimalColumn): number {
  if (column === 'id') return 0
  if (column === 'categoryId') return left.categoryId < right.categoryId ? -1 : Number(left.categoryId > right.categoryId)
  return (left[column] ?? '').localeCompare(right[column] ?? '')
}

function compareIds(left: Pet, right: Pet): number {
  return left.id < right.id ? -1 : 1
}
