// The control methods for the animals of a state. A page by id costs its length; any other, the
// number of animals.
import { misuse, notFound } from '../contract/errors.ts'
import type { Int64, NewPet, Pet } from '../contract/generated/contract.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { DEFAULT_LIMIT } from '../contract/limits.ts'
import { ABSENT, parsePetText, toPetText } from '../contract/pet.ts'
import {
  type Catalogue,
  compareCatalogues,
  countByStatus,
  findPetText,
  listOf,
  listWithoutStatus,
  pageOf,
} from '../world/catalogue.ts'
import type { AddedPet } from '../world/scenario.ts'
import { sliceList } from '../world/sorted.ts'
import { addPet, type State, setPetText } from '../world/state.ts'
import type { PetChanges, PetColumn, PetFilter, PetPage } from './control.ts'
import {
  type Changed,
  type Found,
  found,
  MISSING,
  type Missing,
  momentAt,
  type View,
} from './view.ts'

export function listAnimals(view: View, filter: PetFilter): Found {
  const { state } = momentAt(view, filter.before)
  return found(browseAnimals(state, filter))
}

export function getAnimal(view: View, input: Pick<Pet, 'id'>): Found {
  return found(findAnimal(view.state, input.id))
}

export function addAnimal(view: View, added: AddedPet): Changed {
  const { state } = view
  const { id, ...fields } = added
  if (id === undefined) {
    const { state: next, body } = addPet(state, fields)
    return { kind: 'changed', state: next, result: parsePetText(body) }
  }
  if (findAnimal(state, id)) throw misuse('id', `${id} is already in use`)
  return putAnimal(state, { ...fields, id })
}

/** As RFC 7396 merges, one level deep: null removes a field that may be absent. */
export function updateAnimal(view: View, given: Pick<Pet, 'id'> & PetChanges): Changed {
  const { id, ...changes } = given
  const before = findAnimal(view.state, id)
  if (!before) throw notFound('Animal', id)
  const fields = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return putAnimal(view.state, { ...(Object.fromEntries(fields) as NewPet), id })
}

export function removeAnimal(view: View, input: Pick<Pet, 'id'>): Changed | Missing {
  const { state } = view
  const { id } = input
  if (!findAnimal(state, id)) return MISSING
  const next = setPetText(state, normalizeInt64(id), undefined)
  return { kind: 'changed', state: next, result: true }
}

function findAnimal(state: State, id: Int64): Pet | undefined {
  const text = findPetText(state.catalogue, normalizeInt64(id))
  return text === undefined ? undefined : parsePetText(text)
}

function putAnimal(state: State, pet: Pet): Changed {
  const text = toPetText(pet)
  const next = setPetText(state, normalizeInt64(pet.id), text)
  return { kind: 'changed', state: next, result: parsePetText(text) }
}

export function browseAnimals(
  state: Pick<State, 'origin' | 'catalogue'>,
  filter: PetFilter,
): PetPage {
  const { origin, catalogue } = state
  const { status } = filter
  const changed = listChanged(origin.catalogue, catalogue)
  const list = status === ABSENT ? listWithoutStatus(catalogue) : listOf(catalogue, status)
  const { texts, matches } = findPage(list, changed, filter)
  return {
    total: catalogue.all.size,
    byStatus: countByStatus(catalogue),
    changed: changed.length,
    matches,
    pets: texts.map(parsePetText),
    marks: markChanges(texts, origin.catalogue),
  }
}

/** The texts of the animals that are new or different, without those that are gone. */
function listChanged(before: Catalogue, catalogue: Catalogue): string[] {
  const changed: string[] = []
  for (const { after } of compareCatalogues(before, catalogue)) {
    if (after !== undefined) changed.push(after)
  }
  return changed
}

/** A page of the list with the wanted status, or of the animals that have changed. */
function findPage(list: Catalogue['all'], changed: readonly string[], filter: PetFilter) {
  const { sort = 'id', offset = 0, limit = DEFAULT_LIMIT, status } = filter
  const isDescending = sort.startsWith('-')
  const column = (isDescending ? sort.slice(1) : sort) as PetColumn
  const wanted = (filter.search ?? '').trim().toLowerCase()
  const isIndexed = column === 'id' && wanted === '' && !filter.changed
  if (isIndexed) {
    const texts = pageOf(list, { limit, offset, newestFirst: isDescending })
    return { texts, matches: list.size }
  }
  const listed = filter.changed
    ? changed.filter((text) => hasStatus(text, status))
    : sliceList(list)
  const matching = listed.filter(createSearch(wanted))
  const sorted = sortTexts(matching, column, isDescending)
  return { texts: sorted.slice(offset, offset + limit), matches: sorted.length }
}

function hasStatus(text: string, status: PetFilter['status']): boolean {
  if (status === undefined) return true
  const { status: own = ABSENT } = parse(text)
  return own === status
}

/** Which animals of a page are new or changed since the scenario was loaded. */
function markChanges(texts: readonly string[], before: Catalogue): PetPage['marks'] {
  const marks: Record<string, 'added' | 'changed'> = {}
  for (const text of texts) {
    const { id } = parsePetText(text)
    const old = findPetText(before, id)
    if (old === text) continue
    marks[String(id)] = old === undefined ? 'added' : 'changed'
  }
  return marks
}

/** For a look at one field: the platform takes a tenth of our time, but rounds long ids. */
function parse(text: string): Pet {
  const mayHaveLongId = /\d{16}/.test(text)
  if (mayHaveLongId) return parsePetText(text)
  return JSON.parse(text)
}

/**
 * Part of the name or of the id, or the whole category. The text of a match has the words in it
 * somewhere.
 */
function createSearch(wanted: string): (text: string) => boolean {
  const written = JSON.stringify(wanted).slice(1, -1)
  return (text) => {
    if (!text.toLowerCase().includes(written)) return false
    const { name, id, categoryId } = parse(text)
    if (name.toLowerCase().includes(wanted)) return true
    return String(id).includes(wanted) || String(categoryId) === wanted
  }
}

/** Equal ones stay in the order of their ids, or in reverse. */
function sortTexts(texts: readonly string[], column: PetColumn, isDescending: boolean): string[] {
  const ordered = isDescending ? texts.toReversed() : texts.slice()
  if (column === 'id') return ordered
  const rows = ordered.map((text) => ({ text, key: readSortKey(text, column) }))
  const sign = isDescending ? -1 : 1
  rows.sort((left, right) => {
    if (left.key < right.key) return -sign
    return left.key > right.key ? sign : 0
  })
  return rows.map((row) => row.text)
}

function readSortKey(text: string, column: PetColumn): Int64 | string {
  const value = parse(text)[column] ?? ''
  return typeof value === 'string' ? value.toLowerCase() : value
}
