// One page of a world's animals, filtered and counted. By id, and without a search, a page costs by its length; otherwise by the number of
// animals.
import { parsePetText } from '../contract/pet.ts'
import type { Pet } from '../generated/contract.ts'
import type { Catalogue } from '../world/catalogue.ts'
import type { PetColumn, PetFilter, PetPage } from './control.ts'

const DEFAULT_LIMIT = 100

export function browsePets(catalogue: Catalogue, { sort = 'id', offset = 0, limit = DEFAULT_LIMIT, ...filter }: PetFilter): PetPage {
  const isDescending = sort.startsWith('-')
  const column = (isDescending ? sort.slice(1) : sort) as PetColumn
  const { all, byStatus, changed } = catalogue.count()
  const { pets, matches } = pick()
  const marks = pets.flatMap(({ id }) => {
    const change = catalogue.changeOf(String(id))
    return change === undefined ? [] : [[String(id), change] as const]
  })
  return { total: all, byStatus, changed, matches, pets, marks: Object.fromEntries(marks) }

  function pick(): { pets: Pet[]; matches: number } {
    const { status, search = '', changed: isChanged } = filter
    const isIndexed = column === 'id' && search.trim() === '' && isChanged !== true && status !== 'absent'
    if (isIndexed) {
      const { texts, matches } = catalogue.slice({ status, limit, newestFirst: isDescending }, offset)
      return { pets: texts.map(parsePetText), matches }
    }
    const texts = isChanged ? listChanged() : catalogue.texts(status === 'absent' ? undefined : status)
    const found = texts.filter(createSearch(search)).map(parsePetText).filter(toWanted(filter))
    return { pets: sortPets(found, column, isDescending).slice(offset, offset + limit), matches: found.length }
  }

  function listChanged(): readonly string[] {
    const { added, changed } = catalogue.changes()
    return [...added, ...changed.map(({ after }) => after)]
  }
}

/** Leaves most animals out before they are parsed: the text of one that matches has the words in it somewhere. */
function createSearch(search: string): (text: string) => boolean {
  const wanted = JSON.stringify(search.trim().toLowerCase()).slice(1, -1)
  return wanted === '' ? () => true : (text) => text.toLowerCase().includes(wanted)
}

/** Part of the name or of the id, or the whole category. */
function toWanted({ search = '', status }: PetFilter): (pet: Pet) => boolean {
  const wanted = search.trim().toLowerCase()
  return ({ name, id, categoryId, status: own = 'absent' }) =>
    (status === undefined || own === status) &&
    (wanted === '' || name.toLowerCase().includes(wanted) || String(id).includes(wanted) || String(categoryId) === wanted)
}

/** Equal ones are in the order of their ids. */
function sortPets(pets: readonly Pet[], column: PetColumn, isDescending: boolean): Pet[] {
  const direction = isDescending ? -1 : 1
  const keyOf = ({ [column]: value = '' }: Pet) => (typeof value === 'string' ? value.toLowerCase() : value)
  const rows = pets.map((pet) => ({ pet, key: keyOf(pet) }))
  rows.sort((left, right) => ((left.key === right.key ? left.pet.id < right.pet.id : left.key < right.key) ? -direction : direction))
  return rows.map(({ pet }) => pet)
}
