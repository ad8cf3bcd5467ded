// What a response says about the choices of the service.
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  contract,
} from '../contract/generated/contract.ts'
import { PAGERS } from '../service/parse-input.ts'
import type { Clue } from './choose.ts'
import { findSpellings } from './compare.ts'
import type { Exchange } from './exchange.ts'
import { findTarget } from './flaws.ts'
import type { Judged } from './judge-row.ts'
import type { Choices } from './model.ts'
import { petsOf } from './normal-form.ts'

const spellings = (assumptions.find((one) => one.id === 'error-codes')?.choices ??
  []) as readonly AssumptionChoices['error-codes'][]

export function gatherClues(judged: Judged): Clue[] {
  const { exchange } = judged
  const clues: Clue[] = []
  const add = (id: AssumptionId, fits: readonly Choices[] | undefined) => {
    if (fits) clues.push({ exchange, about: [id], fits })
  }
  const shown = showChoices(judged)
  if (shown) clues.push(shown)
  const spelled = findSpellings(exchange, spellings)
  add(
    'error-codes',
    spelled?.map((one) => ({ 'error-codes': one })),
  )
  add('sunset-header', readSunset(judged))
  add('list-order', readOrder(exchange))
  const hasAnimals = judged.fits.length > 0 && petsOf(exchange).length > 0
  if (hasAnimals && hasPager(exchange)) add('paging', [{ paging: 'none' }])
  if (hasAnimals && isCreation(exchange) && judged.hasNewCategory)
    add('unknown-category', [{ 'unknown-category': 'accept' }])
  return clues
}

/** Undefined if every choice predicts the same. */
function showChoices(judged: Judged): Clue | undefined {
  const { exchange, predictions, fits } = judged
  if (fits.length === 0 || fits.length === predictions.length) return undefined
  const named = new Set(predictions.flatMap(({ choices }) => Object.keys(choices)))
  // Of every list, the order is read by itself.
  named.delete('list-order')
  const about = [...named] as AssumptionId[]
  if (isDoubtful(judged)) return undefined
  return { exchange, about, fits: fits.map(({ choices }) => without(choices, 'list-order')) }
}

/** The refusal of an animal whose category may be the reason. */
export function isDoubtful({ exchange, hasNewCategory, predictions }: Judged): boolean {
  const isRefused = isCreation(exchange) && exchange.answer.status >= 400
  return isRefused && hasNewCategory && predictions.some(({ status }) => status < 300)
}

function without(choices: Choices, left: AssumptionId): Choices {
  const { [left]: _, ...others } = choices
  return others
}

function readSunset({ exchange, predictions }: Judged): Choices[] | undefined {
  const { answer } = exchange
  const announced = predictions.find(({ status }) => status < 300)?.sunset
  if (announced === undefined || answer.status >= 300) return undefined
  if (answer.sunset === undefined) return [{ 'sunset-header': 'none' }]
  return answer.sunset === announced ? [{ 'sunset-header': 'sunset' }] : []
}

/** Of a list with two animals or more. */
export function readOrder(exchange: Exchange): Choices[] | undefined {
  if (findTarget(exchange).name !== contract.operations.listPets.operationId) return undefined
  const ids = petsOf(exchange).map(({ id }) => id)
  if (new Set(ids).size < 2) return undefined
  const isAscending = ids.every((id, index) => id >= (ids[index - 1] ?? id))
  if (isAscending) return [{ 'list-order': 'oldest-first' }]
  const isDescending = ids.every((id, index) => id <= (ids[index - 1] ?? id))
  return isDescending ? [{ 'list-order': 'newest-first' }] : []
}

export function hasPager({ target }: Exchange): boolean {
  return PAGERS.some((name) => target.includes(`?${name}=`) || target.includes(`&${name}=`))
}

export function isCreation(exchange: Exchange): boolean {
  return findTarget(exchange).operation?.operationId === contract.operations.createPet.operationId
}
