// The control methods for the animals of a state. A page by id costs its length; any other, the
// number of animals.
import { misuse, notFound } from '../contract/errors.ts'
import type { Int64, NewPet, Pet } from '../contract/generated/contract.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { DEFAULT_LIMIT } from '../contract/limits.ts'
import { ABSENT, parsePetText, toPetText } from '../contract/pet.ts'
import {
  compareCatalogues,
  countByStatus,
  findPetText,
  listOf,
  pageOf,
} from '../world/catalogue.ts'
import type { AddedPet } from '../world/scenario.ts'
import { sliceList } from '../world/sorted.ts'
import { addPet, type State, setPetText } from '../world/state.ts'
import type { PetChanges, PetColumn, PetFilter, PetPage } from './control.ts'
import type { Changed, View } from './timeline.ts'

function findAnimal({ catalogue }: State, id: Int64): Pet | undefined {
  const text = findPetText(catalogue, normalizeInt64(id))
  return text === undefined ? undefined : parsePetText(text)
}

function addAnimal({ state }: View, { id, ...fields }: AddedPet): Changed {
  if (id !== undefined && findAnimal(state, id)) throw misuse('id', `${id} is already in use`)
  if (id !== undefined) return putAnimal(state, { id, ...fields })
  const { state: next, body } = addPet(state, fields)
  return { state: next, result: parsePetText(body) }
}

function putAnimal(state: State, pet: Pet): Changed {
  const text = toPetText(pet)
  return { state: setPetText(state, normalizeInt64(pet.id), text), result: parsePetText(text) }
}

/** As RFC 7396 merges, one level deep: null removes a field that may be absent. */
function updateAnimal({ state }: View, { id, ...changes }: Pick<Pet, 'id'> & PetChanges): Changed {
  const before = findAnimal(state, id)
  if (!before) throw notFound('Animal', id)
  const fields = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return putAnimal(state, { ...(Object.fromEntries(fields) as NewPet), id })
}

function removeAnimal({ state }: View, { id }: Pick<Pet, 'id'>): Changed {
  const isThere = findAnimal(state, id) !== undefined
  return {
    state: isThere ? setPetText(state, normalizeInt64(id), undefined) : state,
    result: isThere,
  }
}

export function browsePets(
  { origin, catalogue }: Pick<State, 'origin' | 'catalogue'>,
  filter: PetFilter,
): PetPage {
  const {
    sort = 'id',
    offset = 0,
    limit = DEFAULT_LIMIT,
    search = '',
    status,
    changed: isChanged,
  } = filter
  const newestFirst = sort.startsWith('-')
  const column = (newestFirst ? sort.slice(1) : sort) as PetColumn
  const changed = compareCatalogues(origin.catalogue, catalogue).flatMap(({ after = [] }) => after)
  const list = status === ABSENT ? catalogue.withoutStatus : listOf(catalogue, status)
  const wanted = search.trim().toLowerCase()
  const isIndexed = column === 'id' && wanted === '' && !isChanged
  const hasStatus = (text: string) =>
    status === undefined || (parse(text).status ?? ABSENT) === status
  const listed = () =>
    (isChanged ? changed.filter(hasStatus) : sliceList(list)).filter(createSearch(wanted))
  const found = isIndexed ? undefined : sortTexts(listed(), column, newestFirst)
  const texts = found?.slice(offset, offset + limit) ?? pageOf(list, { limit, offset, newestFirst })
  const pets = texts.map(parsePetText)
  const marks = pets.flatMap(({ id }, index): [string, 'added' | 'changed'][] => {
    const before = findPetText(origin.catalogue, id)
    return before === texts[index] ? [] : [[String(id), before === undefined ? 'added' : 'changed']]
  })
  const counts = {
    total: catalogue.all.size,
    byStatus: countByStatus(catalogue),
    changed: changed.length,
  }
  return { ...counts, matches: found?.length ?? list.size, pets, marks: Object.fromEntries(marks) }
}

/** For a look at one field: the platform takes a tenth of our time, but rounds long ids. */
const parse = (text: string): Pet => (/\d{16}/.test(text) ? parsePetText(text) : JSON.parse(text))

/**
 * Part of the name or of the id, or the whole category. The text of a match has the words in it
 * somewhere.
 */
function createSearch(wanted: string): (text: string) => boolean {
  const written = JSON.stringify(wanted).slice(1, -1)
  return (text) => {
    if (!text.toLowerCase().includes(written)) return false
    const { name, id, categoryId } = parse(text)
    return (
      name.toLowerCase().includes(wanted) ||
      String(id).includes(wanted) ||
      String(categoryId) === wanted
    )
  }
}

/** Equal ones stay in the order of their ids, or in reverse. */
function sortTexts(texts: readonly string[], column: PetColumn, isDescending: boolean): string[] {
  const ordered = isDescending ? texts.toReversed() : texts.slice()
  if (column === 'id') return ordered
  const keyOf = ({ [column]: value = '' }: Pet) =>
    typeof value === 'string' ? value.toLowerCase() : value
  const rows = ordered.map((text) => ({ text, key: keyOf(parse(text)) }))
  rows.sort(
    (left, right) =>
      (isDescending ? -1 : 1) * (Number(left.key > right.key) - Number(left.key < right.key)),
  )
  return rows.map(({ text }) => text)
}

export const petMethods = {
  'pets.list': ({ state }: View, filter: PetFilter) => ({ result: browsePets(state, filter) }),
  'pets.get': ({ state }: View, { id }: Pick<Pet, 'id'>) => ({ result: findAnimal(state, id) }),
  'pets.add': addAnimal,
  'pets.update': updateAnimal,
  'pets.remove': removeAnimal,
}
