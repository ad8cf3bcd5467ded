// The schemas of the arguments that control methods take, with the descriptions that agents read.
import { HTTP_TOKEN } from '../contract/address.ts'
import { contract } from '../contract/generated/contract.ts'
import {
  DEFAULT_LIMIT,
  MAX_FILE_NAME_CHARACTERS,
  MAX_LIST_ITEMS,
  MAX_LISTED_PETS,
  MAX_ROW_CHOICE_CHARACTERS,
} from '../contract/limits.ts'
import {
  BOOLEAN,
  COUNT,
  INT64,
  LOGGED_STATUS,
  OBJECT,
  type OptionSchemas,
  TEXT,
} from '../contract/options.ts'
import { addedPetSchema, STATUSES_OR_ABSENT } from '../contract/pet.ts'
import type { Problem } from '../contract/problem.ts'
import { type Fields, findViolations, mapOf, orNull, type Schema } from '../contract/schema.ts'
import { apiKeySchema } from '../scenario/settings/access.ts'
import { findDelayProblems } from '../scenario/settings/duration.ts'
import { findPatternFlaws } from '../scenario/settings/fault-condition.ts'
import type { RequestChange } from '../service/call.ts'
import { findInstantProblems } from '../world/clock.ts'
import { STATUS_CLASSES } from '../world/row-filter.ts'
import type { PetFilter, RecordingOptions, RequestFilter } from './control.ts'
import type { Input } from './method-row.ts'
import { printStatus } from './print-status.ts'
import { ALL_SANDBOXES } from './protocol.ts'
import type { Expectation } from './rows/verdict.ts'

export const ROW_ID: Schema = {
  ...COUNT,
  minimum: 1,
  description: 'The id of a row.',
}

export const ANIMAL_ID: Schema = { ...INT64, description: 'The id of an animal.' }

export const EVERY_SANDBOX: Schema = {
  enum: [ALL_SANDBOXES],
  description: 'For all sandboxes and the shared state; by default for this state.',
}

export const FILE_NAME: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_FILE_NAME_CHARACTERS,
}

export const FROZEN: Schema = {
  ...BOOLEAN,
  description: 'Whether it then stands still.',
}

/** What the schemas of times cannot check. */
export function findTimeProblems(input: Input): Problem[] {
  return [
    ...findDelayProblems(input.latency, 'latency'),
    ...findInstantProblems(input.now, 'now'),
    ...findInstantProblems(input.at, 'at'),
  ]
}

export function describeRequestFilter(): OptionSchemas<RequestFilter> {
  return {
    operation: {
      enum: Object.keys(contract.operations),
      description: 'Only this operation.',
    },
    status: {
      oneOf: [LOGGED_STATUS, { enum: STATUS_CLASSES }],
      title: 'a status from 100 to 599, a class such as 4xx, or 0',
      description: `Only this status, such as 404 or 4xx; 0 for ${printStatus(0)}.`,
    },
    method: { ...TEXT, description: 'Only this HTTP method.' },
    apiKey: { ...apiKeySchema, description: 'Only this API key.' },
    limit: { ...COUNT, description: 'Only the last n.' },
    waiting: { ...BOOLEAN, description: 'Also requests whose response is delayed.' },
    sandbox: EVERY_SANDBOX,
  }
}

/** What `verify` and the matchers of the kits expect. */
export function describeExpectation(): OptionSchemas<Expectation> {
  const { operation, apiKey } = describeRequestFilter()
  return {
    operation,
    petId: { ...ANIMAL_ID, description: 'Only for the animal with this id.' },
    query: { ...OBJECT, description: 'Query parameters; null: must be absent.' },
    headers: { ...OBJECT, description: 'Header fields; null: must be absent.' },
    body: { description: 'Fields of the JSON body, or all items of a list.' },
    apiKey,
    status: { ...LOGGED_STATUS, description: `Only this status; 0 for ${printStatus(0)}.` },
    times: { ...COUNT, description: 'Exactly how many requests must match.' },
    atLeast: { ...COUNT, description: 'At least this many; 1 by default.' },
    atMost: { ...COUNT, description: 'At most this many.' },
  }
}

/** What the schemas cannot check of what `verify` expects. */
export function findExpectationProblems(input: Input): Problem[] {
  return [...findCountProblems(input), ...findPatternFlaws(input, '')]
}

/** An exact number leaves no room for bounds. */
export function findCountProblems(input: Input): Problem[] {
  const { times, atLeast, atMost } = input
  const hasBounds = atLeast !== undefined || atMost !== undefined
  if (times !== undefined && hasBounds)
    return [{ kind: 'text', path: 'times', text: 'cannot be combined with atLeast or atMost' }]
  const least = Number(atLeast ?? 0)
  const most = Number(atMost ?? Number.POSITIVE_INFINITY)
  if (least <= most) return []
  const expected = `at least ${atLeast}, the value of atLeast`
  return [{ kind: 'mismatch', path: 'atMost', expected, got: String(atMost) }]
}

/** Which rows a recording has. */
export function describeRecordingOptions(): OptionSchemas<RecordingOptions> {
  return {
    rows: {
      type: 'string',
      pattern: '^\\d{1,15}(?:-\\d{1,15})?(?:,\\d{1,15}(?:-\\d{1,15})?)*$',
      maxLength: MAX_ROW_CHOICE_CHARACTERS,
      title: 'ids of rows, such as 12,15-40',
      description: 'Only these rows, such as 12,15-40.',
    },
    last: { ...COUNT, minimum: 1, description: 'Only the last n rows.' },
    sandbox: EVERY_SANDBOX,
  }
}

export function describePetFilter(): OptionSchemas<PetFilter> {
  const columns = Object.keys(contract.schemas.Pet.properties)
  const sorts = columns.flatMap((column) => [column, `-${column}`])
  return {
    status: {
      enum: STATUSES_OR_ABSENT,
      description: 'Only this status; absent for none.',
    },
    search: { ...TEXT, description: 'Part of the name or the id, or the whole category.' },
    changed: {
      ...BOOLEAN,
      description: 'Only new or changed ones.',
    },
    sort: { enum: sorts, description: 'A field; descending after a minus.' },
    offset: { ...COUNT, description: 'Skips this many.' },
    limit: {
      ...COUNT,
      maximum: MAX_LISTED_PETS,
      description: `At most this many; ${DEFAULT_LIMIT} by default.`,
    },
    before: ROW_ID,
  }
}

export function describeAddedPet(): Fields {
  const id = { ...ANIMAL_ID, description: 'By default the next id.' }
  return { ...addedPetSchema.properties, id }
}

/** The fields of an animal, where null removes an optional one. */
export function describeChangedPet(): Fields {
  const fields: Record<string, Schema> = {}
  for (const [name, schema] of Object.entries(addedPetSchema.properties ?? {})) {
    const isRequired = addedPetSchema.required?.includes(name)
    fields[name] = isRequired ? schema : orNull(schema)
  }
  return { ...fields, id: ANIMAL_ID }
}

/** What can be changed of a request, for what if and for agents. */
export function describeRequestChange(): OptionSchemas<RequestChange> {
  return {
    method: { type: 'string', pattern: HTTP_TOKEN.source, title: 'an HTTP method' },
    target: TEXT,
    headers: mapOf(orNull(TEXT)),
    body: {},
  }
}

const KEY_LIST: Schema = { type: 'array', items: apiKeySchema, maxItems: MAX_LIST_ITEMS }

/** By the schema of the list, which says more than that of a list or null. */
export function findKeyProblems({ keys }: Input): Problem[] {
  return Array.isArray(keys) ? findViolations(KEY_LIST, keys, 'keys') : []
}
