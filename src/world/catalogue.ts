// The animals of a state, as a value: their JSON texts in the order of their ids, in a list of all
// and a list for each status. What a page costs depends on its length, not on the number of
// animals.
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

export function buildCatalogue(pets: readonly Pet[]): Catalogue {
  const ids = pets.map((pet) => normalizeInt64(pet.id))
  const texts = pets.map(toPetText)
  const build = (status: PetStatus | undefined) => {
    const isWanted = (_: unknown, index: number) => pets[index]?.status === status
    return buildList(ids.filter(isWanted), texts.filter(isWanted))
  }
  const lists = contract.schemas.PetStatus.enum.map((status) => [status, build(status)])
  return {
    all: buildList(ids, texts),
    byStatus: Object.fromEntries(lists),
    withoutStatus: build(undefined),
  }
}

export function findPetText(catalogue: Catalogue, id: Int64): string | undefined {
  return findIn(catalogue.all, id)
}

/** Adds an animal, or replaces the one with its id. */
export function putPetText(
  catalogue: Catalogue,
  id: Int64,
  text: string,
  status: PetStatus | undefined,
): Catalogue {
  const all = putIn(catalogue.all, id, text)
  const rest = removeFromOther(catalogue, id, status)
  return changeList(rest, all, status, (list) => putIn(list, id, text))
}

/** Removes an animal from the list of its status if it gets another one. */
function removeFromOther(
  catalogue: Catalogue,
  id: Int64,
  status: PetStatus | undefined,
): Catalogue {
  const old = findIn(catalogue.all, id)
  if (old === undefined) return catalogue
  const { status: oldStatus } = parsePetText(old)
  if (oldStatus === status) return catalogue
  return changeList(catalogue, catalogue.all, oldStatus, (list) => removeFrom(list, id))
}

/** Puts an animal by its text, or removes it. */
export function setPetTextIn(catalogue: Catalogue, id: Int64, text: string | undefined): Catalogue {
  if (text !== undefined) return putPetText(catalogue, id, text, parsePetText(text).status)
  const old = findIn(catalogue.all, id)
  if (old === undefined) return catalogue
  const all = removeFrom(catalogue.all, id)
  return changeList(catalogue, all, parsePetText(old).status, (list) => removeFrom(list, id))
}

export function changePets(catalogue: Catalogue, edits: readonly PetEdit[]): Catalogue {
  let changed = catalogue
  for (const { key, after } of edits) changed = setPetTextIn(changed, key, after)
  return changed
}

/** The catalogue with another list of all animals, and a change of the list of one status. */
function changeList(
  catalogue: Catalogue,
  all: PetTexts,
  status: PetStatus | undefined,
  change: (list: PetTexts) => PetTexts,
): Catalogue {
  const { byStatus, withoutStatus } = catalogue
  if (status === undefined) return { all, byStatus, withoutStatus: change(withoutStatus) }
  return { all, byStatus: { ...byStatus, [status]: change(byStatus[status]) }, withoutStatus }
}

/**
 * The animals with a status; without one, all. With `invalid-query=clamp` it can be any text, which
 * no animal has.
 */
export function listOf(catalogue: Catalogue, status: PetStatus | undefined): PetTexts {
  if (status === undefined) return catalogue.all
  const { byStatus } = catalogue
  return Object.hasOwn(byStatus, status) ? byStatus[status] : emptyList()
}

type Page = Readonly<{ limit: number; offset?: number; newestFirst: boolean }>

export function pageOf(list: PetTexts, page: Page): string[] {
  const { limit, offset = 0, newestFirst } = page
  if (!newestFirst) return sliceList(list, offset, offset + limit)
  const end = Math.max(list.size - offset, 0)
  return sliceList(list, Math.max(end - limit, 0), end).reverse()
}

/** Only of those that some animal has. */
export function countByStatus(catalogue: Catalogue): Record<string, number> {
  const lists = { ...catalogue.byStatus, [ABSENT]: catalogue.withoutStatus }
  const counts: Record<string, number> = {}
  for (const [status, list] of Object.entries(lists)) {
    if (list.size > 0) counts[status] = list.size
  }
  return counts
}

export function compareCatalogues(one: Catalogue, other: Catalogue): Differing<Int64, string>[] {
  return compareLists(one.all, other.all)
}

/** Besides the text of an animal: its places in the lists, and their spare room. */
const OVERHEAD_BYTES = 128
const BEYOND_LATIN_1 = /[\u0100-\uffff]/

/**
 * Roughly the memory of an animal. V8 keeps a text in one byte a character if it can, else in two.
 */
export function sizeOfPet(text: string): number {
  const bytesPerCharacter = BEYOND_LATIN_1.test(text) ? 2 : 1
  return OVERHEAD_BYTES + bytesPerCharacter * text.length
}
