// Which animals the table shows, and in which order: as the address has it, and as the mock is asked for it.
import type { PetColumn, PetFilter } from '../../control/control.ts'

export interface AnimalFilter {
  /** A status; `absent` for animals without one; `marked` for those that are new or changed; `all`. */
  readonly status: string
  readonly search: string
  readonly sort: PetColumn
  readonly isDescending: boolean
  /** Counted from 0. */
  readonly page: number
}

/** The newest come first, so that an animal that is added is seen at once. */
export const everyAnimal: AnimalFilter = { status: 'all', search: '', sort: 'id', isDescending: true, page: 0 }
export const ANIMALS_PER_PAGE = 50

const COLUMNS: readonly PetColumn[] = ['id', 'name', 'categoryId', 'status']

/** The filter that an address names. */
export function toAnimalFilter({ status = 'all', q = '', sort = '-id', page = '1' }: Readonly<Record<string, string>>): AnimalFilter {
  const isDescending = sort.startsWith('-')
  const column = COLUMNS.find((one) => one === (isDescending ? sort.slice(1) : sort))
  return {
    status,
    search: q,
    sort: column ?? 'id',
    isDescending: column ? isDescending : true,
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) - 1 : 0,
  }
}

/** As the address has it: what is usual is left out. */
export function toAnimalQuery({ status, search, sort, isDescending, page }: AnimalFilter): Record<string, string> {
  const order = isDescending ? `-${sort}` : sort
  return { status: status === 'all' ? '' : status, q: search, sort: order === '-id' ? '' : order, page: page === 0 ? '' : String(page + 1) }
}

/** What to ask the mock for; a status that is none of the contract's filters nothing. */
export function toPetFilter({ status, search, sort, isDescending, page }: AnimalFilter, statuses: readonly string[]): PetFilter {
  const isStatus = (text: string): text is NonNullable<PetFilter['status']> => text === 'absent' || statuses.includes(text)
  return {
    ...(isStatus(status) ? { status } : {}),
    ...(status === 'marked' ? { changed: true } : {}),
    ...(search.trim() === '' ? {} : { search }),
    sort: isDescending ? `-${sort}` : sort,
    ...(page === 0 ? {} : { offset: page * ANIMALS_PER_PAGE }),
    limit: ANIMALS_PER_PAGE,
  }
}
