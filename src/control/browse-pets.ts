// One page of a world's animals, filtered and counted. By id, and without a search, a page costs by its length; otherwise by the number of
// animals.
import { parsePetText } from '../contract/pet.ts'
import type { Pet } from '../generated/contract.ts'
import type { Catalogue } from '../world/catalogue.ts'
import type { PetColumn, PetFilter, PetPage } from './control.ts'

const DEFAULT_LIMIT = 100
/** Digits that may be a number beyond 2^53, or part of a name. */
const LONG_NUMBER = /\d{16}/

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
    const found = texts.filter(createSearch(search)).map(readPet).filter(toWanted(filter))
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

interface Row {
  readonly pet: Pet
  readonly key: string | Pet['id']
}

/** Equal ones are in the order of their ids. */
function sortPets(pets: readonly Pet[], column: PetColumn, isDescending: boolean): Pet[] {
  const direction = isDescending ? -1 : 1
  const compare = (left: Row, right: Row) => {
    if (left.key !== right.key) return left.key < right.key ? -direction : direction
    return left.pet.id < right.pet.id ? -direction : direction
  }
  const rows = pets.map((pet) => ({ pet, key: toKey(pet, column) }))
  return rows.sort(compare).map(({ pet }) => pet)
}

/** As `parsePetText`, but several times as fast where no number is beyond what the platform's parser holds. */
function readPet(text: string): Pet {
  return LONG_NUMBER.test(text) ? parsePetText(text) : (JSON.parse(text) as Pet)
}

function toKey(pet: Pet, column: PetColumn): Pet['id'] | string {
  const value: string | Pet['id'] = pet[column] ?? ''
  return typeof value === 'string' ? value.toLowerCase() : value
}
