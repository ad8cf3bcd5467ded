// One page of a state's animals, filtered and counted. By id, and without a search, a page costs by its length; otherwise by the number of
// animals.
import { parsePetText } from '../contract/pet.ts'
import type { Int64, Pet, PetStatus } from '../generated/contract.ts'
import { type Catalogue, compareCatalogues, countByStatus, findPet, listOf, type PetTexts, pageOf } from '../world/catalogue.ts'
import { buildList, sliceList } from '../world/sorted.ts'
import type { State } from '../world/state.ts'
import type { PetColumn, PetFilter, PetPage } from './results.ts'

const DEFAULT_LIMIT = 100
/** An id that JSON.parse would round. */
const LONG_NUMBER = /\d{16}/

export function browsePets({ origin, catalogue }: Pick<State, 'origin' | 'catalogue'>, filter: PetFilter): PetPage {
  const { sort = 'id', offset = 0, limit = DEFAULT_LIMIT, search = '', status, changed: isChanged } = filter
  const newestFirst = sort.startsWith('-')
  const column = (newestFirst ? sort.slice(1) : sort) as PetColumn
  const changed = compareCatalogues(origin.catalogue, catalogue).filter(({ after }) => after !== undefined)
  const list = isChanged ? listChanged(changed, status) : listBy(catalogue, status)
  const wanted = search.trim().toLowerCase()
  const isIndexed = column === 'id' && wanted === ''
  const found = isIndexed ? undefined : sortTexts(sliceList(list).filter(createSearch(wanted)), column, newestFirst)
  const texts = found?.slice(offset, offset + limit) ?? pageOf(list, { limit, offset, newestFirst })
  const pets = texts.map(parsePetText)
  return {
    total: catalogue.all.size,
    byStatus: countByStatus(catalogue),
    changed: changed.length,
    matches: found?.length ?? list.size,
    pets,
    marks: Object.fromEntries(pets.flatMap(({ id }, index) => markOf(origin.catalogue, id, texts[index]))),
  }
}

function listBy(catalogue: Catalogue, status: PetStatus | 'absent' | undefined): PetTexts {
  return status === 'absent' ? catalogue.withoutStatus : listOf(catalogue, status)
}

function listChanged(changed: ReturnType<typeof compareCatalogues>, status: PetFilter['status']): PetTexts {
  const found = changed.filter(({ after }) => status === undefined || (parse(after as string).status ?? 'absent') === status)
  return buildList(
    found.map(({ key }) => key),
    found.map(({ after }) => after as string),
  )
}

function markOf(origin: Catalogue, id: Int64, text: string | undefined): [string, 'added' | 'changed'][] {
  const before = findPet(origin, id)
  return before === text ? [] : [[String(id), before === undefined ? 'added' : 'changed']]
}

/** For a look at one field: the platform reads a text in a tenth of our time. */
function parse(text: string): Pet {
  return LONG_NUMBER.test(text) ? parsePetText(text) : JSON.parse(text)
}

/** Part of the name or of the id, or the whole category. The text of an animal that matches has the words in it somewhere. */
function createSearch(wanted: string): (text: string) => boolean {
  const written = JSON.stringify(wanted).slice(1, -1)
  return (text) => {
    if (!text.toLowerCase().includes(written)) return false
    const { name, id, categoryId } = parse(text)
    return name.toLowerCase().includes(wanted) || String(id).includes(wanted) || String(categoryId) === wanted
  }
}

/** Those that are equal stay in the order of their ids, or in the opposite one. */
function sortTexts(texts: readonly string[], column: PetColumn, isDescending: boolean): string[] {
  const ordered = isDescending ? texts.toReversed() : texts.slice()
  if (column === 'id') return ordered
  const keyOf = ({ [column]: value = '' }: Pet) => (typeof value === 'string' ? value.toLowerCase() : value)
  const rows = ordered.map((text) => ({ text, key: keyOf(parse(text)) }))
  const direction = isDescending ? -1 : 1
  rows.sort((left, right) => {
    if (left.key === right.key) return 0
    return left.key < right.key ? -direction : direction
  })
  return rows.map(({ text }) => text)
}
