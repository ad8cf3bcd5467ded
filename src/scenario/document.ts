// A scenario as people write it: its type, the schema that editors and `check` share, what the name of one means, and what it takes from
// the one that it extends. It can use two shortcuts, `extends` and `generate`, which are resolved before the engine sees it.
import { describeValue, isPlainObject, isPromise } from '../contract/describe-value.ts'
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { petSchema } from '../contract/pet.ts'
import type { Schema } from '../contract/schema.ts'
import { FAULT_BODIES } from '../fault-body.ts'
import { type GenerateSettings, generateSchema } from '../generate/settings.ts'
import { assumptions, contract, type OperationId } from '../generated/contract.ts'
import {
  MAX_DELAY_MS,
  MAX_FAULT_ID_CHARACTERS,
  MAX_FAULTS,
  MAX_KEY_CHARACTERS,
  MAX_LIST_ITEMS,
  MAX_RETRY_AFTER_SECONDS,
} from '../limits.ts'
import { surpriseSchema } from '../surprise/setting.ts'
import type { Scenario, State } from '../world/start.ts'

/** A scenario, with the shortcuts that a file may use. */
export interface ScenarioDocument extends Scenario {
  /** Where an editor finds the document's own schema. */
  readonly $schema?: string
  /** The scenario that this one is based on: a shipped one by name, or a file in the same folder or below. */
  readonly extends?: string
  /** Animals to generate; their ids come after those of `pets`. */
  readonly generate?: GenerateSettings
}

/** The shipped scenarios, by name. */
export type Shipped = Readonly<Record<string, State>>

/** The fields that the engine does not take. */
export const SHORTCUTS = ['extends', 'generate'] as const

const FILE_LIKE = /[\\/]|\.(?:ya?ml|json)$/i

const count: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const milliseconds: Schema = { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS }

/** Milliseconds, or the shortest and the longest time. */
export const delaySchema: Schema = {
  oneOf: [milliseconds, { type: 'array', items: milliseconds, minItems: 2, maxItems: 2, title: 'a list of the shortest and the longest' }],
}

export const faultSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation'],
  properties: {
    operation: { enum: [...(Object.keys(contract.operations) as OperationId[]), '*'] },
    petId: { type: 'integer', format: 'int64' },
    status: { type: 'integer', minimum: 200, maximum: 599 },
    body: { enum: Object.keys(FAULT_BODIES) },
    delay: delaySchema,
    drop: { type: 'boolean' },
    times: count,
    after: count,
    rate: { type: 'number', minimum: 0, maximum: 1 },
    retryAfter: { type: 'integer', minimum: 0, maximum: MAX_RETRY_AFTER_SECONDS },
    id: { type: 'string', minLength: 1, maxLength: MAX_FAULT_ID_CHARACTERS },
    seen: count,
    applied: count,
  },
}

export const apiKeySchema: Schema = {
  type: 'string',
  pattern: '^[A-Za-z0-9._~+/-]+=*$',
  maxLength: MAX_KEY_CHARACTERS,
  title: `a bearer token (RFC 6750) of at most ${MAX_KEY_CHARACTERS} characters`,
  writeOnly: true,
}

export const assumeSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(assumptions.map(({ id, choices }) => [id, { enum: choices }])),
}

const { NewPet } = contract.schemas
const text: Schema = { type: 'string' }
const calibratedSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['on', 'against', 'choices'],
  properties: { on: text, against: text, choices: assumeSchema, deviations: { type: 'array', items: text, maxItems: MAX_LIST_ITEMS } },
}

export const documentSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    // Ids are optional.
    pets: { type: 'array', items: { ...petSchema, required: NewPet.required, additionalProperties: false } },
    nextId: { type: 'integer', format: 'int64' },
    apiKeys: { type: 'array', items: apiKeySchema, minItems: 1, maxItems: MAX_LIST_ITEMS, writeOnly: true },
    now: { type: 'string' },
    frozen: { type: 'boolean' },
    assume: assumeSchema,
    faults: { type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
    latency: delaySchema,
    surprise: surpriseSchema,
    calibrated: calibratedSchema,
    random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
    extends: { type: 'string' },
    generate: generateSchema,
  },
}

export function hasShortcut(value: unknown, shortcut: (typeof SHORTCUTS)[number]): boolean {
  return typeof value === 'object' && value !== null && (value as ScenarioDocument)[shortcut] !== undefined
}

/** Whether this means a file rather than a shipped scenario: it has a slash, or ends in .yaml, .yml or .json. */
export function isScenarioFile(nameOrFile: string): boolean {
  return FILE_LIKE.test(nameOrFile)
}

/** A file is JSON by its name; any other is YAML. */
export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file)
}

/** The shipped scenario of that name. */
export function findShipped(shipped: Shipped, name: string): State | undefined {
  return Object.hasOwn(shipped, name) ? shipped[name] : undefined
}

/** What to pass in place of a name, a file name or a promise; undefined for anything else. `name` is what messages call the value. */
export function explainMistake(value: unknown, name = 'scenario'): string | undefined {
  if (typeof value === 'string') {
    const text = describeValue(value)
    const load = `await loadScenario(${text}) from animal-store-mock/node`
    return isScenarioFile(value)
      ? `${name} must be an object, not a file name: pass ${load}`
      : `${name} must be an object, not a name: pass scenarios[${text}] from animal-store-mock/scenarios, or ${load}`
  }
  return isPromise(value) ? `${name} must be an object, got ${describeValue(value)}` : undefined
}

/**
 * The document over its parent. A field of the document replaces the parent's, with three exceptions: `assume` is merged
 * question by question; `pets` and `generate` are one thing, the animals, so either of them replaces all of the parent's along
 * with its `nextId`; and name and description describe one scenario only, so they are not inherited.
 */
export function extendParent({ $schema, extends: _, generate, ...given }: ScenarioDocument, parent: State = {}): State {
  const own = withIds(given)
  const { name, description, pets, nextId, assume, ...rest } = parent
  const inherited = own.pets || generate ? rest : { ...rest, ...(pets ? { pets } : {}), ...(nextId === undefined ? {} : { nextId }) }
  return { ...inherited, ...own, ...(assume || own.assume ? { assume: { ...assume, ...own.assume } } : {}) }
}

/** The scenario with an id for each animal: one without gets the lowest from 1 on that is free. A document may have anything there. */
export function withIds<T extends Pick<Scenario, 'pets'>>(scenario: T): Omit<T, 'pets'> & Pick<State, 'pets'> {
  const { pets = [] } = scenario
  if (!Array.isArray(pets) || !pets.some(lacksId)) return scenario as T & State
  const taken = new Set(
    pets
      .map((pet) => pet?.id)
      .filter(isInt64)
      .map(BigInt),
  )
  let next = 1n
  const take = () => {
    while (taken.has(next)) next++
    return normalizeInt64(next++)
  }
  return { ...scenario, pets: pets.map((pet) => (lacksId(pet) ? { ...pet, id: take() } : pet)) }
}

function lacksId(pet: unknown): boolean {
  return isPlainObject(pet) && pet.id === undefined
}
