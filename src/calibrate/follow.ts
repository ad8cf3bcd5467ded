// Follows the state of a service through its responses. Where the engine would have sent another
// one, others may have changed the animals meanwhile: the API cannot show who did.
import type { Int64 } from '../contract/generated/contract.ts'
import { tryJson } from '../contract/int64-json.ts'
import { toPetText } from '../contract/pet.ts'
import type { Task } from '../contract/turns.ts'
import { readOwn } from '../contract/values.ts'
import { findPetText } from '../world/catalogue.ts'
import { type State, setPetText } from '../world/state.ts'
import type { Exchange } from './exchange.ts'
import { type Edit, findEdits } from './find-edits.ts'
import { type Judged, judgeRow } from './judge-row.ts'
import type { Choices } from './model.ts'
import { petsOf } from './normal-form.ts'
import { findCreated, findWanted, listShown, listSightings } from './sightings.ts'

/** What others did to an animal, between two rows. */
export interface Change {
  readonly what: 'appeared' | 'changed' | 'vanished'
  readonly id: Int64
  readonly after: number | undefined
  readonly before: number
}

export interface Followed {
  readonly judged: readonly Judged[]
  readonly changes: readonly Change[]
  /** The animals at the start, by id. */
  readonly start: ReadonlyMap<Int64, string>
  /** The id that the first new animal got. */
  readonly firstId: Int64 | undefined
}

/** How many earlier responses are asked whether an animal was there. */
const MAX_STEPS_BACK = 50_000

export function* follow(
  exchanges: readonly Exchange[],
  first: State,
  made: Choices,
): Task<Followed> {
  const rows = exchanges.toSorted((one, other) => one.end - other.end || one.row - other.row)
  const sightings = listSightings(rows)
  const judged: Judged[] = []
  const changes: Change[] = []
  const start = new Map<Int64, string>()
  const lastSeen = new Map<Int64, number>()
  const categories = new Set<unknown>()
  let firstId: Int64 | undefined
  let stepsLeft = MAX_STEPS_BACK
  let state = first

  for (const [index, exchange] of rows.entries()) {
    yield
    const created = findCreated(exchange)
    const isNew = created && findPetText(state.catalogue, created.id) === undefined
    // The service chooses its ids.
    const asked = isNew ? { ...state, nextId: created.id } : state
    const plain = judgeRow(exchange, asked, made)
    const isOdd = plain.fits.length === 0 && exchange.method === 'GET'
    if (isOdd) {
      const found = findEdits(exchange, state, { index, sightings, made })
      for (const edit of found.edits) if (edit.isLasting) applyEdit(edit, exchange.row)
      judged.push(found.judged)
    } else {
      judged.push({ ...plain, hasNewCategory: !categories.has(readCategory(exchange)) })
    }
    for (const { categoryId } of petsOf(exchange)) categories.add(categoryId)
    if (created && isNew) {
      firstId ??= created.id
      state = setPetText(state, created.id, toPetText(created))
      lastSeen.set(created.id, exchange.row)
    }
    for (const { id } of listShown(exchange)) lastSeen.set(id, exchange.row)
  }
  for (const [index, row] of judged.entries()) judged[index] = judgeCategory(row)
  return { judged, changes, start, firstId }

  /** Whether a refused one is known can be seen later too. */
  function judgeCategory(row: Judged): Judged {
    if (row.exchange.answer.status < 400) return row
    return { ...row, hasNewCategory: !categories.has(readCategory(row.exchange)) }
  }

  function applyEdit({ id, text }: Edit, row: number): void {
    const after = lastSeen.get(id)
    state = setPetText(state, id, text)
    if (text === undefined) changes.push({ what: 'vanished', id, after, before: row })
    else if (after === undefined) begin(id, text, row)
    else noteChange(id, after, row)
  }

  /** What is seen for the first time may have been there from the start. */
  function begin(id: Int64, text: string, row: number): void {
    const absent = findLastAbsence(id, text)
    if (absent === undefined) start.set(id, text)
    else changes.push({ what: 'appeared', id, after: absent, before: row })
  }

  /** The last response that would have shown the animal. */
  function findLastAbsence(id: Int64, text: string): number | undefined {
    for (let index = judged.length - 1; index >= 0 && stepsLeft > 0; index--) {
      const { exchange, before, fits } = judged[index] as Judged
      const wanted = findWanted(exchange)
      const mayShow = wanted === undefined ? sightings.isSorted : wanted === id
      if (fits.length === 0 || exchange.method !== 'GET' || !mayShow) continue
      stepsLeft--
      const again = judgeRow(exchange, setPetText(before, id, text), made)
      if (again.fits.length === 0) return exchange.row
      judged[index] = again
    }
    return undefined
  }

  /** An animal that a filter has hidden has not vanished. */
  function noteChange(id: Int64, after: number, row: number): void {
    const hidden = changes.findLastIndex((one) => one.id === id && one.what === 'vanished')
    if (hidden >= 0) changes.splice(hidden, 1)
    changes.push({ what: 'changed', id, after, before: row })
  }
}

function readCategory({ body }: Exchange): unknown {
  return readOwn(tryJson(body), 'categoryId')
}
