// The animals of a world, as JSON text in the order of their ids, with the indexes that make a list cost by its length alone. Worlds share
// the shelf of their scenario until their first change, so that forking and resetting are cheap.
import { parsePetText, toPetText } from '../contract/pet.ts'
import { contract, type Int64, type Pet, type PetStatus } from '../generated/contract.ts'
import { MAX_ANIMALS_BYTES } from '../limits.ts'
import { createChangeLog } from './change-log.ts'

/** There is no room for another animal. */
export class FullError extends Error {}

/** The texts of animals in the order of their ids, all of them and by status. */
export interface Lists {
  readonly texts: string[]
  readonly byStatus: Map<PetStatus, string[]>
}

/** The animals of a scenario. Immutable once a world uses it. */
export interface Shelf extends Lists {
  /** As the texts are ordered. Compared with a Map from ids to texts this takes no time to make, and a tenth of the memory. */
  readonly ids: Float64Array | BigInt64Array
  /** Roughly the memory that they take. */
  readonly bytes: number
}

/** Roughly the memory that the animals of a mock take, of all its worlds together. */
export interface Memory {
  bytes: number
  readonly maxBytes: number
  /** Frees some of it that is not needed; returns false if there is none. */
  giveWay?: () => boolean
}

export function createMemory(maxBytes = MAX_ANIMALS_BYTES): Memory {
  return { bytes: 0, maxBytes }
}

/** An animal that was added or changed, with its text, or one that was removed, without. */
export interface PetChange {
  /** The digits of its id. */
  readonly id: string
  readonly text: string | undefined
}

export interface ListQuery {
  readonly limit: number
  readonly status?: PetStatus | undefined
  readonly newestFirst: boolean
}

export interface Page {
  readonly text: string
  /** How many animals there would be without a limit. */
  readonly matches: number
}

export type Catalogue = ReturnType<typeof createCatalogue>

/** A client can ask for any number of different pages, and fill each with long names; the cache must not grow with that. */
const MAX_PAGES = 32
const MAX_PAGE_CHARACTERS = 16 * 2 ** 10
/** What the place of an animal takes in lists of the world's own. */
const PLACE_BYTES = 16
/** What an animal takes beside its text: its id as a text, its places in the indexes, and the room that those keep to grow. */
const OVERHEAD_BYTES = 256
const BEYOND_LATIN_1 = /[\u0100-\uffff]/
/** In place of the text of an animal of the scenario that was removed. */
const GONE = ''

/** Starts with the animals of a shelf, and takes no more memory than there is. Each animal is an item. */
export function createCatalogue(base: Shelf, memory: Memory, changeLog = createChangeLog()) {
  /** The shelf's, until the first change. */
  let lists: Lists = base
  /** The texts that differ from the shelf; GONE for an animal that was removed. */
  const byId = new Map<string, string>()
  /** How many of those are GONE. */
  let removedCount = 0
  /** No animal has a higher id. */
  let last: Int64 | undefined = base.ids.at(-1)
  let bytes = 0

  /** A page stays valid until an animal changes. Without this a list of twenty takes 25 µs instead of 21 (x64, Node 20). */
  const pages = new Map<string, Page>()
  const textsOf = (status: PetStatus | undefined) => (status === undefined ? lists.texts : (lists.byStatus.get(status) ?? []))
  /** The animal's text, by the digits of its id. */
  const find = (id: string): string | undefined => (byId.get(id) ?? findText(base, id)) || undefined

  /** The texts of at most `limit` animals after the first `offset`, and how many match in all. */
  function slice({ limit, status, newestFirst }: ListQuery, offset: number) {
    const all = textsOf(status)
    const matches = all.length
    if (!newestFirst) return { texts: all.slice(offset, offset + limit), matches }
    const end = Math.max(matches - offset, 0)
    return { texts: all.slice(Math.max(end - limit, 0), end).reverse(), matches }
  }

  function take(more: number): void {
    memory.bytes += more
    bytes += more
    // Clearing an empty map would allocate a new table.
    if (pages.size > 0) pages.clear()
  }

  function hasRoom(more: number): boolean {
    while (memory.bytes + more > memory.maxBytes) if (!memory.giveWay?.()) return false
    return true
  }

  function ownLists(): Lists {
    if (lists === base) {
      take(PLACE_BYTES * base.texts.length)
      lists = copyLists(base)
    }
    return lists
  }

  /** How much more memory this text under the id takes; the shelf's own texts take none. */
  const growth = (id: string, text: string) => {
    const size = (one: string) => (one === GONE ? 0 : sizeOf(one))
    return size(text === findText(base, id) ? GONE : text) - size(byId.get(id) ?? GONE)
  }

  /** Puts the text in the place of its id, or takes out what is there; changes nothing if there is no room and it needs some. */
  function change(id: string, text = GONE, known?: Pet, needsRoom = true): void {
    const pet = known ?? (text === GONE ? undefined : parsePetText(text))
    // As the service adds animals.
    const isLast = pet !== undefined && (last === undefined || pet.id > last)
    const before = isLast ? undefined : find(id)
    if ((before ?? GONE) === text) return
    const more = isLast ? sizeOf(text) : growth(id, text)
    if (needsRoom && more > 0 && !hasRoom(more)) {
      throw new FullError(`The mock is full: its animals may take ${memory.maxBytes} bytes`)
    }
    take(more)
    if (isLast) {
      changeLog.note('pet', id, undefined)
      last = pet.id
      append(ownLists(), pet, text)
      byId.set(id, text)
      return
    }
    changeLog.note('pet', id, before, before?.length)
    const own = ownLists()
    if (before !== undefined) takeOut(own, parsePetText(before))
    if (pet) insert(own, pet, text)
    if (byId.get(id) === GONE) removedCount--
    if (text === (findText(base, id) ?? GONE)) byId.delete(id)
    else byId.set(id, text)
    if (byId.get(id) === GONE) removedCount++
  }

  return {
    /** Puts an animal in its place, whether or not there is one with that id; returns its text. */
    put(pet: Pet): string {
      const text = toPetText(pet)
      change(String(pet.id), text, pet)
      return text
    },
    /** Takes an animal out, by the digits of its id; returns whether it was there. */
    remove(id: string): boolean {
      if (find(id) === undefined) return false
      change(id)
      return true
    },
    /** Makes a change again, or takes it back. An animal that was there before is never refused, however much room there is now. */
    restore: ({ id, text }: PetChange): void => change(id, text, undefined, false),
    /** The changes that make the scenario's animals these. */
    saved: (): PetChange[] => [...byId].map(([id, text]) => ({ id, text: text || undefined })),
    find,
    /** The JSON text of a list. */
    list(query: ListQuery): Page {
      // The status is last and marked, since with invalid-query=clamp it can be any text, `undefined` too.
      const name = `${query.limit} ${query.newestFirst}${query.status === undefined ? '' : ` ${query.status}`}`
      const known = pages.get(name)
      if (known) return known
      const { texts, matches } = slice(query, 0)
      const page = { text: `[${texts.join(',')}]`, matches }
      if (page.text.length > MAX_PAGE_CHARACTERS) return page
      if (pages.size === MAX_PAGES) pages.clear()
      pages.set(name, page)
      return page
    },
    slice,
    /** The texts of all animals, or of those with a status. */
    texts: (status?: PetStatus): readonly string[] => textsOf(status),
    /** How many there are, in all and by status, and how many of them are new or changed. */
    count() {
      const byStatus: Record<string, number> = {}
      // In the order of the contract, not in that in which they first came.
      for (const status of contract.schemas.PetStatus.enum) {
        const count = textsOf(status).length
        if (count > 0) byStatus[status] = count
      }
      return { all: lists.texts.length, byStatus, changed: byId.size - removedCount }
    },
    /** What differs from the scenario, by id. Costs by the number of changes, however many animals there are. */
    changes() {
      const entries = [...byId].sort(([left], [right]) => (BigInt(left) < BigInt(right) ? -1 : 1))
      const before = (id: string) => findText(base, id)
      return {
        added: entries.filter(([id]) => before(id) === undefined).map(([, text]) => text),
        changed: entries
          .filter(([id, text]) => text !== GONE && before(id) !== undefined)
          .map(([id, after]) => ({ before: before(id) as string, after })),
        removed: entries.filter(([, text]) => text === GONE).map(([id]) => before(id) as string),
      }
    },
    /** Whether the animal is new or changed; undefined if it is as the scenario has it. */
    changeOf(id: string): 'added' | 'changed' | undefined {
      if (!byId.get(id)) return undefined
      return findText(base, id) !== undefined ? 'changed' : 'added'
    },
    pets: (): Pet[] => lists.texts.map(parsePetText),
    /** Roughly the memory that it takes in addition to the shelf. */
    ownBytes: () => bytes,
  }
}

/** A shelf of animals that come in the order of their ids. */
export function createShelf(pets: readonly Pet[]): Shelf {
  const lists: Lists = { texts: [], byStatus: new Map() }
  let bytes = 0
  for (const pet of pets) {
    const text = toPetText(pet)
    bytes += sizeOf(text)
    append(lists, pet, text)
  }
  return { ...lists, ids: toIds(pets), bytes }
}

function toIds(pets: readonly Pet[]): Shelf['ids'] {
  const isExact = pets.every(({ id }) => Number.isSafeInteger(id))
  return isExact ? new Float64Array(pets.map(({ id }) => Number(id))) : new BigInt64Array(pets.map(({ id }) => BigInt(id)))
}

/** The animal's text, by the digits of its id. */
function findText({ ids, texts }: Shelf, digits: string): string | undefined {
  // An id that a number cannot hold is rounded to one that is not there either.
  const id = ids instanceof Float64Array ? Number(digits) : BigInt(digits)
  // Most ids have no gaps before them.
  const guess = Number(id) - Number(ids[0])
  if (ids[guess] === id) return texts[guess]
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = ids[middle] as Int64
    if (there < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? texts[low] : undefined
}

/** V8 keeps a text in one byte a character if it can, else in two. */
function sizeOf(text: string): number {
  return OVERHEAD_BYTES + (BEYOND_LATIN_1.test(text) ? 2 : 1) * text.length
}

/** The lists that an animal of this status is in. */
function listsOf({ texts, byStatus }: Lists, status: PetStatus | undefined): readonly string[][] {
  if (status === undefined) return [texts]
  const same = byStatus.get(status) ?? []
  if (same.length === 0) byStatus.set(status, same)
  return [texts, same]
}

/** Adds an animal whose id is above all others. */
function append(lists: Lists, { status }: Pick<Pet, 'status'>, text: string): void {
  for (const list of listsOf(lists, status)) list.push(text)
}

/** Adds an animal in its place. */
function insert(lists: Lists, { id, status }: Pet, text: string): void {
  for (const list of listsOf(lists, status)) list.splice(findPlace(list, id), 0, text)
}

/** Takes an animal out that is there. */
function takeOut(lists: Lists, { id, status }: Pet): void {
  for (const list of listsOf(lists, status)) list.splice(findPlace(list, id), 1)
}

function copyLists({ texts, byStatus }: Lists): Lists {
  return { texts: texts.slice(), byStatus: new Map([...byStatus].map(([status, same]) => [status, same.slice()])) }
}

/** The index of the first animal whose id is not below this one. */
function findPlace(texts: readonly string[], id: Int64): number {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (parsePetText(texts[middle] as string).id < id) low = middle + 1
    else high = middle
  }
  return low
}
