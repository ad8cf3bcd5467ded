// The animals of a state, as a value: their JSON texts in the order of their ids, in a list of all
// and a list for each status. What a page costs depends on its length, not on the number of
// animals.
import { contract, type Int64, type Pet, type PetStatus } from '../contract/generated/contract.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { ABSENT, parsePetText, toPetText } from '../contract/pet.ts'
import type { Differing, Sorted } from './sorted.ts'
import {
  compareLists,
  createListBuilder,
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
  /** A list for each status in the order of the contract, and the last for those without one. */
  readonly lists: readonly PetTexts[]
  /** Roughly the memory of its animals. */
  readonly bytes: number
}

const STATUSES: readonly string[] = contract.schemas.PetStatus.enum

function placeOf(status: PetStatus | undefined): number {
  return status === undefined ? STATUSES.length : STATUSES.indexOf(status)
}

/** From animals in the order of their ids. */
export function buildCatalogue(pets: readonly Pet[]): Catalogue {
  const all = createListBuilder<Int64, string>()
  const lists = [...STATUSES, ABSENT].map(() => createListBuilder<Int64, string>())
  let bytes = 0
  for (const pet of pets) {
    const id = normalizeInt64(pet.id)
    const text = toPetText(pet)
    all.add(id, text)
    lists[placeOf(pet.status)]?.add(id, text)
    bytes += sizeOfPet(text)
  }
  return { all: all.build(), lists: lists.map((list) => list.build()), bytes }
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
  const { all, lists, bytes } = removePet(catalogue, id)
  return {
    all: putIn(all, id, text),
    lists: changeList(lists, status, (list) => putIn(list, id, text)),
    bytes: bytes + sizeOfPet(text),
  }
}

function removePet(catalogue: Catalogue, id: Int64): Catalogue {
  const old = findPetText(catalogue, id)
  if (old === undefined) return catalogue
  const { status } = parsePetText(old)
  return {
    all: removeFrom(catalogue.all, id),
    lists: changeList(catalogue.lists, status, (list) => removeFrom(list, id)),
    bytes: catalogue.bytes - sizeOfPet(old),
  }
}

function changeList(
  lists: readonly PetTexts[],
  status: PetStatus | undefined,
  change: (list: PetTexts) => PetTexts,
): readonly PetTexts[] {
  const place = placeOf(status)
  return lists.with(place, change(lists[place] as PetTexts))
}

/** Puts an animal by its text, or removes it. */
export function setPetTextIn(catalogue: Catalogue, id: Int64, text: string | undefined): Catalogue {
  if (text === undefined) return removePet(catalogue, id)
  return putPetText(catalogue, id, text, parsePetText(text).status)
}

export function changePets(catalogue: Catalogue, edits: readonly PetEdit[]): Catalogue {
  let changed = catalogue
  for (const { key, after } of edits) changed = setPetTextIn(changed, key, after)
  return changed
}

/**
 * The animals with a status; without one, all. With `invalid-query=clamp` it can be any text, which
 * no animal has.
 */
export function listOf(catalogue: Catalogue, status: PetStatus | undefined): PetTexts {
  if (status === undefined) return catalogue.all
  return catalogue.lists[placeOf(status)] ?? emptyList()
}

export function listWithoutStatus(catalogue: Catalogue): PetTexts {
  return catalogue.lists[placeOf(undefined)] as PetTexts
}

type Page = Readonly<{ limit: number; offset?: number; newestFirst: boolean }>

export function pageOf(list: PetTexts, page: Page): string[] {
  const { limit, offset = 0, newestFirst } = page
  if (!newestFirst) return sliceList(list, offset, offset + limit)
  const end = Math.max(list.size - offset, 0)
  return sliceList(list, Math.max(end - limit, 0), end).reverse()
}

/** Only of those that some animal has. */
export function countByStatus({ lists }: Catalogue): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [place, list] of lists.entries()) {
    if (list.size > 0) counts[STATUSES[place] ?? ABSENT] = list.size
  }
  return counts
}

export function compareCatalogues(one: Catalogue, other: Catalogue): Differing<Int64, string>[] {
  return compareLists(one.all, other.all)
}

/** What the animals of a catalogue take that neither of the others has. */
export function sizeOfOwnPets(own: Catalogue, base: Catalogue, origin: Catalogue): number {
  // The service adds animals to the chunks that it finds.
  if (own.all.chunks === base.all.chunks) return Math.max(0, own.bytes - base.bytes)
  let bytes = 0
  for (const { key, after } of compareCatalogues(base, own)) {
    const isOwn = after !== undefined && findPetText(origin, key) !== after
    if (isOwn) bytes += sizeOfPet(after)
  }
  return bytes
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
