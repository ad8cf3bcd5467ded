// What is wrong with a response that no choice explains.
import { contract } from '../contract/generated/contract.ts'
import { type Json, tryJson } from '../contract/int64-json.ts'
import { toPetText } from '../contract/pet.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { findPetText } from '../world/catalogue.ts'
import { findDifference } from './compare.ts'
import { hasPager, isCreation, isDoubtful } from './gather-clues.ts'
import type { Judged } from './judge-row.ts'
import { normalize, petsOf } from './normal-form.ts'

/** With an assumption, the response speaks against all of its choices. */
export interface Blame {
  readonly kind: 'spec' | 'choice'
  readonly place: string
  readonly detail: string
}

export function findBlame(judged: Judged): Blame {
  const { exchange, predictions } = judged
  const { status } = exchange.answer
  const statuses = new Set(predictions.map((one) => one.status))
  const detail = `expected ${[...statuses].join(' or ')}, got ${status}`
  if (isWronglyAccepted(judged)) {
    const place = statuses.has(401) ? 'security' : 'requestBody'
    return { kind: 'spec', place, detail }
  }
  const isStatus = predictions.every((one) => findDifference(exchange, one, statuses) === 'status')
  if (!isStatus && !isDoubtful(judged)) return blameBody(judged)
  if (status === 401) return { kind: 'choice', place: 'valid-keys', detail }
  if (isCreation(exchange) && judged.hasNewCategory)
    return { kind: 'choice', place: 'unknown-category', detail }
  return { kind: 'choice', place: `responses.${status}`, detail }
}

/** A success where every choice is an error: without a key, or with an invalid body. */
export function isWronglyAccepted({ exchange, predictions }: Judged): boolean {
  return exchange.answer.status < 300 && predictions.every(({ status }) => status >= 400)
}

function blameBody(judged: Judged): Blame {
  const { exchange, predictions } = judged
  if (isCreation(exchange)) return blameCreated(judged)
  const isInvalid = predictions.some(({ choices }) => choices['invalid-query'] !== undefined)
  if (isInvalid) return { kind: 'choice', place: 'invalid-query', detail: 'other animals' }
  if (hasPager(exchange)) return { kind: 'choice', place: 'paging', detail: 'other animals' }
  if (isReordered(judged)) return { kind: 'choice', place: 'list-order', detail: 'another order' }
  return { kind: 'choice', place: '200.[]', detail: 'other animals than before and after' }
}

/** As many animals as the engine would send, of which a short page shows others. */
function isReordered({ exchange, before, predictions }: Judged): boolean {
  const pets = petsOf(exchange)
  const areThere = pets.every((pet) => findPetText(before.catalogue, pet.id) === toPetText(pet))
  const lists = predictions.map(({ body }) => tryJson(body)).filter((sent) => Array.isArray(sent))
  return areThere && lists.some(({ length }) => length === pets.length)
}

function blameCreated({ exchange, predictions }: Judged): Blame {
  const shown = tryJson(normalize(exchange).text)
  const expected = predictions.map(({ body }) => tryJson(body)).find((body) => isPet(body))
  const field = FIELDS.find((name) => readOwn(shown, name) !== readOwn(expected, name)) ?? 'body'
  const wasSent = readOwn(tryJson(exchange.body), field) !== undefined
  if (field === 'status' && !wasSent)
    return { kind: 'choice', place: 'default-status', detail: 'another status' }
  const detail = field === 'id' ? 'the id was given out before' : `another ${field} than sent`
  return { kind: 'spec', place: `201.${field}`, detail }
}

const FIELDS = Object.keys(contract.schemas.Pet.properties)
const isPet = (body: Json | undefined) => isObject(body) && body.id !== undefined
