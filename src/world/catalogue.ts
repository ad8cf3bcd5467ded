// The animals of a world. The service can only add, so a catalogue is what the scenario brought, shared and never touched
// again, and what was added since: forking and resetting cost nothing, and a list costs by its length alone.

import { parsePetText, toPetText } from '../contract/pet.ts'
import type { Pet, PetStatus } from '../generated/contract.ts'

/** Animals in the order of their ids, as JSON text; never changed once it stands under a world. */
export interface Shelf {
  readonly texts: string[]
  readonly byStatus: Map<PetStatus, string[]>
  readonly byId: Map<string, string>
}

interface ListQuery {
  readonly limit: number
  readonly status?: PetStatus | undefined
  readonly newestFirst: boolean
}

interface Page {
  readonly text: string
  readonly matches: number
}

export interface Catalogue {
  add(pet: Pet): string
  /** The animal's text, by the digits of its id. */
  find(id: string): string | undefined
  /** The JSON text of a list of at most `limit` animals, and how many there would be without a limit. */
  list(query: ListQuery): Page
  count(): { all: number; byStatus: Record<string, number> }
  pets(): Pet[]
}

/** A client can ask for any number of different pages, and fill each with long names; what is kept must not grow with that. */
const PAGES = 32
const PAGE_LIMIT = 16 * 2 ** 10

/** A shelf of animals that come in the order of their ids. */
export function createShelf(pets: Iterable<Pet>): Shelf {
  const shelf: Shelf = { texts: [], byStatus: new Map(), byId: new Map() }
  for (const pet of pets) put(shelf, pet)
  return shelf
}

function put(shelf: Shelf, pet: Pet): string {
  const text = toPetText(pet)
  shelf.texts.push(text)
  shelf.byId.set(String(pet.id), text)
  if (pet.status !== undefined) {
    const same = shelf.byStatus.get(pet.status)
    if (same) same.push(text)
    else shelf.byStatus.set(pet.status, [text])
  }
  return text
}

export function createCatalogue(base: Shelf): Catalogue {
  const added = createShelf([])
  const textsOf = (shelf: Shelf, status: PetStatus | undefined) => (status === undefined ? shelf.texts : (shelf.byStatus.get(status) ?? []))

  /** Clients ask for the same page again and again: its text holds until an animal is added. */
  const pages = new Map<string, Page>()

  function makePage({ limit, status, newestFirst }: ListQuery): Page {
    const older = textsOf(base, status)
    const newer = textsOf(added, status)
    const matches = older.length + newer.length
    const texts: string[] = []
    const length = Math.min(limit, matches)
    for (let step = 0; step < length; step++) {
      const index = newestFirst ? matches - 1 - step : step
      texts.push((index < older.length ? older[index] : newer[index - older.length]) as string)
    }
    return { text: `[${texts.join(',')}]`, matches }
  }

  return {
    add(pet) {
      pages.clear()
      return put(added, pet)
    },
    find: (id) => added.byId.get(id) ?? base.byId.get(id),
    list(query) {
      const name = `${query.limit} ${query.status} ${query.newestFirst}`
      const known = pages.get(name)
      if (known) return known
      const page = makePage(query)
      if (page.text.length > PAGE_LIMIT) return page
      if (pages.size === PAGES) pages.clear()
      pages.set(name, page)
      return page
    },
    count() {
      const byStatus: Record<string, number> = {}
      for (const shelf of [base, added]) {
        for (const [status, texts] of shelf.byStatus) byStatus[status] = (byStatus[status] ?? 0) + texts.length
      }
      return { all: base.texts.length + added.texts.length, byStatus }
    },
    pets: () => [...base.texts, ...added.texts].map(parsePetText),
  }
}
