// The smallest change to a state from which the engine would have sent a response: animals that the
// response shows are there, and others that the engine would have sent are not.
import type { Int64, Pet } from '../contract/generated/contract.ts'
import { tryJson } from '../contract/int64-json.ts'
import { toPetText } from '../contract/pet.ts'
import { readOwn } from '../contract/values.ts'
import { findPetText } from '../world/catalogue.ts'
import { type State, setPetText } from '../world/state.ts'
import type { Exchange } from './exchange.ts'
import { type Judged, judgeRow } from './judge-row.ts'
import type { Choices } from './model.ts'
import { findWanted, listShown, type Sightings } from './sightings.ts'

export interface Edit {
  readonly id: Int64
  /** Undefined for an animal that is not there. */
  readonly text: string | undefined
  /** Not for a request that overlaps the creation of the animal: either order is possible. */
  readonly isLasting: boolean
}

/** A row among those of its world. */
interface Place {
  readonly index: number
  readonly sightings: Sightings
  readonly made: Choices
}

type Edited = Readonly<{ judged: Judged; edits: readonly Edit[] }>

/** Where no change explains the response, what it shows is believed all the same. */
export function findEdits(exchange: Exchange, state: State, place: Place): Edited {
  const shown = listEditsOfShown(exchange, state, place)
  const judged = judgeRow(exchange, change(state, shown), place.made)
  if (judged.fits.length > 0) return { judged, edits: shown }
  const isPage = findWanted(exchange) === undefined
  if (isPage && !place.sightings.isSorted) return { judged, edits: shown }
  for (const { choices } of judged.predictions) {
    const found = removeOthers(exchange, judged.before, { ...place, made: choices })
    // Again, since other choices may fit too.
    if (found) {
      const before = change(judged.before, found)
      return { judged: judgeRow(exchange, before, place.made), edits: [...shown, ...found] }
    }
  }
  return { judged, edits: shown }
}

function change(state: State, edits: readonly Edit[]): State {
  let changed = state
  for (const { id, text } of edits) changed = setPetText(changed, id, text)
  return changed
}

function listEditsOfShown(exchange: Exchange, state: State, { index, sightings }: Place): Edit[] {
  const edits: Edit[] = []
  for (const pet of listShown(exchange)) {
    const text = toPetText(pet)
    if (findPetText(state.catalogue, pet.id) === text) continue
    const birth = sightings.birthOf(pet.id)
    const isYetToCome = birth !== undefined && birth.index > index
    // Nobody can see an animal before it is asked for.
    if (isYetToCome && birth.exchange.start > exchange.end) continue
    edits.push({ id: pet.id, text, isLasting: !isYetToCome })
  }
  return edits
}

/** Takes away what the engine would have sent as well, as long as that is legal. */
function removeOthers(exchange: Exchange, given: State, place: Place): Edit[] | undefined {
  const shown = new Set(listShown(exchange).map(({ id }) => id))
  const edits: Edit[] = []
  let state = given
  for (;;) {
    const [prediction] = judgeRow(exchange, state, place.made).predictions
    if (!prediction) return undefined
    const others = listSent(exchange, prediction.body).filter((id) => !shown.has(id))
    if (others.length === 0) break
    for (const id of others) {
      const removal = findRemoval(id, exchange, place)
      if (!removal) return undefined
      edits.push(removal)
      state = setPetText(state, id, undefined)
    }
  }
  const isFit = judgeRow(exchange, state, place.made).fits.length > 0
  return isFit ? edits : undefined
}

/** The ids in a response of the engine to a request for animals. */
function listSent(exchange: Exchange, body: string): Int64[] {
  const json = tryJson(body)
  const wanted = findWanted(exchange)
  if (wanted !== undefined) return readOwn(json, 'id') === wanted ? [wanted] : []
  return Array.isArray(json) ? (json as unknown as Pet[]).map(({ id }) => id) : []
}

function findRemoval(id: Int64, exchange: Exchange, place: Place): Edit | undefined {
  const { index, sightings } = place
  const birth = sightings.birthOf(id)
  if (birth && birth.exchange.end >= exchange.start)
    return { id, text: undefined, isLasting: false }
  // An id is never given out again. But with another status, a filter hides an animal for a while.
  const isFiltered = exchange.target.includes('status=')
  if (sightings.isSeenAfter(id, index) && !isFiltered) return undefined
  return { id, text: undefined, isLasting: true }
}
