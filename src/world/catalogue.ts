// The animals of a state, as a value: JSON texts in the order of their ids, all and by status. A
// page costs its length.

import { contract, type Int64, type Pet, type PetStatus } from '../contract/generated/contract.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { ABSENT, parsePetText, toPetText } from '../contract/pet.ts'
import type { Differing, Sorted } from './sorted.ts'
import {
  buildList,
  compareLists,
  emptyList,
  findIn,
  putIn,
  removeFrom,
  sliceList,
} from './sorted.ts'

type PetTexts = Sorted<Int64, string>
type PetEdit = Omit<Differing<Int64, string>, 'before'>

export interface Catalogue {
  readonly all: PetTexts
  readonly byStatus: Readonly<Record<PetStatus, PetTexts>>
  readonly withoutStatus: PetTexts
}

export type ListQuery = Readonly<{
  limit: number
  offset?: number
  status?: PetStatus | undefined
  newestFirst: boolean
}>

/** Besides the text: its places in the lists, and their spare room. */
const OVERHEAD_BYTES = 128
const BEYOND_LATIN_1 = /[\u0100-\uffff]/

export function buildCatalogue(pets: readonly Pet[]): Catalogue {
  const ids = pets.map(({ id }) => normalizeInt64(id))
  const texts = pets.map(toPetText)
  const build = (wanted: PetStatus | undefined) => {
    const isWanted = (_: unknown, index: number) => pets[index]?.status === wanted
    return buildList(ids.filter(isWanted), texts.filter(isWanted))
  }
  const lists = contract.schemas.PetStatus.enum.map((status) => [status, build(status)])
  return {
    all: buildList(ids, texts),
    byStatus: Object.fromEntries(lists),
    withoutStatus: build(undefined),
  }
}

export const findPetText = ({ all }: Catalogue, id: Int64): string | undefined => findIn(all, id)

export function putPetText(
  catalogue: Catalogue,
  id: Int64,
  text: string,
  status: PetStatus | undefined,
): Catalogue {
  const { all } = catalogue
  const old = findIn(all, id)
  const oldStatus = old === undefined ? status : parsePetText(old).status
  const rest =
    oldStatus === status
      ? catalogue
      : changeList(catalogue, all, (list) => removeFrom(list, id), oldStatus)
  return changeList(rest, putIn(all, id, text), (list) => putIn(list, id, text), status)
}

export function setPetTextIn(catalogue: Catalogue, id: Int64, text: string | undefined): Catalogue {
  if (text !== undefined) return putPetText(catalogue, id, text, parsePetText(text).status)
  const old = findIn(catalogue.all, id)
  if (old === undefined) return catalogue
  return changeList(
    catalogue,
    removeFrom(catalogue.all, id),
    (list) => removeFrom(list, id),
    parsePetText(old).status,
  )
}

type Change = (list: PetTexts) => PetTexts

function changeList(
  { byStatus, withoutStatus }: Catalogue,
  all: PetTexts,
  change: Change,
  status?: PetStatus,
) {
  if (status === undefined) return { all, byStatus, withoutStatus: change(withoutStatus) }
  return { all, byStatus: { ...byStatus, [status]: change(byStatus[status]) }, withoutStatus }
}

/**
 * The animals with a status; without one, all. With `invalid-query=clamp` it can be any text, which
 * no animal has.
 */
export function listOf({ all, byStatus }: Catalogue, status: PetStatus | undefined): PetTexts {
  if (status === undefined) return all
  return Object.hasOwn(byStatus, status) ? byStatus[status] : emptyList()
}

export function pageOf(
  list: PetTexts,
  { limit, offset = 0, newestFirst }: Omit<ListQuery, 'status'>,
): string[] {
  if (!newestFirst) return sliceList(list, offset, offset + limit)
  const end = Math.max(list.size - offset, 0)
  return sliceList(list, Math.max(end - limit, 0), end).reverse()
}

export function countByStatus({ byStatus, withoutStatus }: Catalogue): Record<string, number> {
  const lists = Object.entries({ ...byStatus, [ABSENT]: withoutStatus })
  return Object.fromEntries(
    lists.flatMap(([status, { size }]) => (size === 0 ? [] : [[status, size]])),
  )
}

export const compareCatalogues = (one: Catalogue, other: Catalogue) =>
  compareLists(one.all, other.all)

export const changePets = (catalogue: Catalogue, changes: readonly PetEdit[]): Catalogue =>
  changes.reduce((changed, { key, after }) => setPetTextIn(changed, key, after), catalogue)

/**
 * Roughly the memory of an animal. V8 keeps a text in one byte a character if it can, else in two.
 */
export const sizeOfPet = (text: string): number =>
  OVERHEAD_BYTES + (BEYOND_LATIN_1.test(text) ? 2 : 1) * text.length
