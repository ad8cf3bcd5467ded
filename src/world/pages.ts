// Keeps the texts of the pages that clients ask for again and again. Without this, a list of twenty
// takes 25 µs instead of 21 (x64, Node 20).
import type { PetStatus } from '../contract/generated/contract.ts'
import { type Catalogue, listOf, pageOf } from './catalogue.ts'

type PageQuery = Readonly<{
  limit: number
  newestFirst: boolean
  status?: PetStatus | undefined
}>

/**
 * A client can ask for any number of different pages, full of long names; the cache must not grow
 * with that.
 */
const MAX_PAGES = 32
const MAX_PAGE_CHARACTERS = 16 * 2 ** 10

/** Reads the first page of a list, and remembers those of the last catalogue. */
export function createPages() {
  let last: Catalogue | undefined
  let pages = new Map<string, { readonly text: string; readonly matches: number }>()

  return (catalogue: Catalogue, query: PageQuery) => {
    if (catalogue !== last) {
      last = catalogue
      // Clearing an empty map would allocate a new table.
      if (pages.size > 0) pages = new Map()
    }
    const key = printKey(query)
    const known = pages.get(key)
    if (known) return known
    const list = listOf(catalogue, query.status)
    const page = { text: `[${pageOf(list, query).join(',')}]`, matches: list.size }
    if (page.text.length <= MAX_PAGE_CHARACTERS && pages.size < MAX_PAGES) pages.set(key, page)
    return page
  }
}

/** The status comes last, since with `invalid-query=clamp` it can be any text. */
function printKey(query: PageQuery): string {
  const key = `${query.limit} ${query.newestFirst}`
  return query.status === undefined ? key : `${key} ${query.status}`
}
