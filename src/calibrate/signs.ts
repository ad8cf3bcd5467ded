// What a response shows about each assumption, and why it may show nothing.
import { toErrorText } from '../contract/errors.ts'
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  contract,
} from '../contract/generated/contract.ts'
import { readOwn } from '../contract/values.ts'
import { petsOf, type Trial } from './answer.ts'
import { EXTRA, type Tier, UNKNOWN, UNUSED } from './probe.ts'

/** Undefined if the response shows nothing. */
type Reading = (trial: Trial, trials: readonly Trial[]) => unknown

export interface Sign<Choice extends string = string> {
  readonly read: Reading
  /** Why no response shows it, if none does. */
  readonly unseen?: string
  /** Why a choice that fits is not proved. */
  readonly doubts?: Readonly<Partial<Record<Choice, string>>>
}

const { listPets, createPet, getPet } = contract.operations
const [limit] = listPets.parameters
const spellings = assumptions.find((one) => one.id === 'error-codes')?.choices ?? []
const needs = (tier: Tier) => `needs --probe ${tier}`

export const signs: { readonly [Id in AssumptionId]: Sign<AssumptionChoices[Id]> } = {
  'invalid-query': {
    read: readListSize,
  },
  'default-status': {
    read: readDefaultStatus,
    unseen: needs('create-animal'),
  },
  'invalid-pet-id': {
    read: readStatus,
  },
  'unknown-fields': {
    read: readUnknownField,
    unseen: needs('create-animal'),
  },
  'media-type': {
    read: readStatus,
    unseen: needs('refused-writes'),
  },
  'list-order': {
    read: readOrder,
  },
  paging: {
    read: readPage,
    doubts: { none: 'there may be other ways of paging' },
  },
  'error-codes': {
    read: readSpelling,
  },
  'valid-keys': {
    read: readWrongKey,
    doubts: { listed: 'which keys are valid cannot be seen' },
  },
  'unknown-path-auth': {
    read: readStatus,
  },
  'unknown-category': {
    read: readUnusedCategory,
    unseen: needs('create-animal'),
  },
  'removal-instant': {
    read: readStatus,
    unseen: `can be seen on ${getPet.sunset} only`,
  },
  'removed-answer': {
    read: readStatus,
    unseen: `cannot be seen before ${getPet.sunset}`,
  },
  'sunset-header': {
    read: readSunset,
  },
}

function readStatus(trial: Trial): number {
  return trial.response.status
}

/** In classes, since animals come and go between requests. */
function readListSize(trial: Trial): unknown {
  const { status, json } = trial.response
  if (!Array.isArray(json)) return `status ${status}`
  if (json.length < 2) return json.length
  return json.length <= limit.schema.default
}

function readDefaultStatus(trial: Trial): unknown {
  const { status, json } = trial.response
  return status === createPet.success ? String(readOwn(json, 'status')) : undefined
}

function readUnknownField(trial: Trial, trials: readonly Trial[]): unknown {
  const isKept = readOwn(trial.response.json, UNKNOWN) !== undefined
  return isKept ? 'kept' : readExplainedStatus(trial, trials, EXTRA)
}

function readUnusedCategory(trial: Trial, trials: readonly Trial[]): unknown {
  if (!trial.probe.body?.includes(UNUSED)) return undefined
  return readExplainedStatus(trial, trials, /"categoryId":-?\d+/)
}

/**
 * A refusal is explained only if the service accepted an animal that differs in this part alone.
 */
function readExplainedStatus(trial: Trial, trials: readonly Trial[], part: string | RegExp) {
  const { probe, response } = trial
  if (probe.body === undefined || probe.key !== undefined) return undefined
  const rest = probe.body.replace(part, '')
  const accepted = trials.filter((one) => one.response.status === createPet.success)
  const isExplained = accepted.some((one) => one.probe.body?.replace(part, '') === rest)
  return isExplained ? response.status : undefined
}

function readOrder(trial: Trial): unknown {
  const ids = petsOf(trial.response).map(({ id }) => BigInt(id))
  if (ids.length < 2) return undefined
  const isAscending = ids.every((id, index) => id >= (ids[index - 1] ?? id))
  const isDescending = ids.every((id, index) => id <= (ids[index - 1] ?? id))
  if (isAscending && isDescending) return 'all the same'
  if (isAscending) return 'ascending'
  return isDescending ? 'descending' : 'mixed'
}

function readPage(trial: Trial, trials: readonly Trial[]): unknown {
  if (!/[?&](?:offset|page)=/.test(trial.probe.target)) return undefined
  const [first] = trials
  if (!first) return undefined
  const isFirstPage = petsOf(trial.response)[0]?.id === petsOf(first.response)[0]?.id
  return isFirstPage ? 'the first page' : 'something else'
}

function readSpelling(trial: Trial): unknown {
  const { status, json } = trial.response
  const code = readOwn(json, 'code')
  if (status < 400 || typeof code !== 'string') return undefined
  const isSpelled = (one: AssumptionChoices['error-codes']) =>
    JSON.parse(toErrorText(status, '', one)).code === code
  return spellings.find(isSpelled) ?? 'another spelling'
}

function readWrongKey(trial: Trial): unknown {
  return trial.probe.key === 'wrong' ? trial.response.status : undefined
}

function readSunset(trial: Trial): unknown {
  const { status, headers } = trial.response
  return status < 300 ? (headers.get('sunset') ?? 'none') : undefined
}
