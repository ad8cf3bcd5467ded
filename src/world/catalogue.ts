// The animals of a world: what the scenario brought, shared and never touched again, and what became of it since. The service can only
// add, so forking and resetting cost nothing; the first change by a tester's hand makes lists of the world's own.
import { ApiError } from '../contract/errors.ts'
import { parsePetText, toPetText } from '../contract/pet.ts'
import { contract, type Int64, type Pet, type PetStatus } from '../generated/contract.ts'
import { MAX_ANIMALS_BYTES } from '../limits.ts'
import { append, findText, insert, joinLists, type Lists, type Shelf, sizeOf, takeOut } from './shelf.ts'

/** Roughly the memory that the animals of a mock take, of all its worlds together. */
export interface Memory {
  bytes: number
  readonly maxBytes: number
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
/** What an animal takes in lists of the world's own. */
const PLACE_BYTES = 16
/** In place of the text of an animal of the scenario that was removed. */
const GONE = ''
const NO_LISTS: Lists = { texts: [], byStatus: new Map() }

/** Starts with the animals of a shelf, and takes no more memory than there is. Calls `onChange` after every change. */
export function createCatalogue(base: Shelf, memory: Memory, onChange?: (change: PetChange) => void) {
  /** The scenario's lists, until an animal of theirs is changed; then all animals are in `newer`. */
  let older: Lists = base
  let newer: Lists = { texts: [], byStatus: new Map() }
  /** The texts that differ from the shelf; GONE for an animal that was removed. */
  const byId = new Map<string, string>()
  /** No animal has a higher id. */
  let last: Int64 | undefined = base.ids.at(-1)
  let bytes = 0

  /** A page stays valid until an animal changes. Without this a list of twenty takes 25 µs instead of 21 (x64, Node 20). */
  const pages = new Map<string, Page>()
  const textsOf = (lists: Lists, status: PetStatus | undefined) => (status === undefined ? lists.texts : (lists.byStatus.get(status) ?? []))
  /** The animal's text, by the digits of its id. */
  const find = (id: string): string | undefined => (byId.get(id) ?? findText(base, id)) || undefined

  /** The texts of at most `limit` animals after the first `offset`, and how many match in all. */
  function slice({ limit, status, newestFirst }: ListQuery, offset: number) {
    const first = textsOf(older, status)
    const second = textsOf(newer, status)
    const matches = first.length + second.length
    const texts: string[] = []
    const end = Math.min(offset + limit, matches)
    for (let step = offset; step < end; step++) {
      const index = newestFirst ? matches - 1 - step : step
      texts.push((index < first.length ? first[index] : second[index - first.length]) as string)
    }
    return { texts, matches }
  }

  function take(more: number): void {
    memory.bytes += more
    bytes += more
    // Clearing an empty map would allocate a new table.
    if (pages.size > 0) pages.clear()
  }

  function ownLists(): Lists {
    if (older === NO_LISTS) return newer
    take(PLACE_BYTES * older.texts.length)
    newer = joinLists(older, newer)
    older = NO_LISTS
    return newer
  }

  /** How much more memory this text under the id takes; the shelf's own texts take none. */
  const growth = (id: string, text: string) => {
    const size = (one: string) => (one === GONE ? 0 : sizeOf(one))
    return size(text === findText(base, id) ? GONE : text) - size(byId.get(id) ?? GONE)
  }

  /** Puts the text in the place of its id, or takes out what is there; changes nothing if there is no room. */
  function change(id: string, text = GONE, pet = text === GONE ? undefined : parsePetText(text)): void {
    // As the service adds animals.
    const isLast = pet !== undefined && (last === undefined || pet.id > last)
    const more = isLast ? sizeOf(text) : growth(id, text)
    if (more > 0 && memory.bytes + more > memory.maxBytes) {
      throw new ApiError(507, `The mock is full: its animals may take ${memory.maxBytes} bytes`)
    }
    take(more)
    if (isLast) {
      last = pet.id
      append(newer, pet, text)
      byId.set(id, text)
      return
    }
    const before = find(id)
    const lists = ownLists()
    if (before !== undefined) takeOut(lists, parsePetText(before))
    if (pet) insert(lists, pet, text)
    if (text === (findText(base, id) ?? GONE)) byId.delete(id)
    else byId.set(id, text)
  }

  return {
    /** Puts an animal in its place, whether or not there is one with that id; returns its text. */
    put(pet: Pet): string {
      const text = toPetText(pet)
      const id = String(pet.id)
      change(id, text, pet)
      onChange?.({ id, text })
      return text
    },
    /** Takes an animal out, by the digits of its id; returns whether it was there. */
    remove(id: string): boolean {
      if (find(id) === undefined) return false
      change(id)
      onChange?.({ id, text: undefined })
      return true
    },
    /** Replays recorded changes without calling `onChange`. */
    restore(changes: Iterable<PetChange>): void {
      for (const { id, text } of changes) change(id, text)
    },
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
    texts: (status?: PetStatus): readonly string[] => textsOf(older, status).concat(textsOf(newer, status)),
    count() {
      const byStatus: Record<string, number> = {}
      // In the order of the contract, not in that in which they first came.
      for (const status of contract.schemas.PetStatus.enum) {
        const count = textsOf(older, status).length + textsOf(newer, status).length
        if (count > 0) byStatus[status] = count
      }
      return { all: older.texts.length + newer.texts.length, byStatus }
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
    pets: (): Pet[] => [...older.texts, ...newer.texts].map(parsePetText),
    /** Roughly the memory that it takes in addition to the shelf. */
    ownBytes: () => bytes,
  }
}
