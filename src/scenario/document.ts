// A scenario as people write it: its type, and the schema that editors and `check` share. On top of what a world starts from
// it has two shortcuts, `extends` and `generate`, which are resolved before the engine sees it.
import { petSchema } from '../contract/pet.ts'
import type { Schema } from '../contract/schema.ts'
import { type GenerateSettings, generateSchema } from '../generate/settings.ts'
import { assumptions, contract, type OperationId } from '../generated/contract.ts'
import { MAX_API_KEYS, MAX_DELAY_MS, MAX_FAULT_ID_CHARACTERS, MAX_FAULTS, MAX_RETRY_AFTER_SECONDS } from '../limits.ts'
import type { Scenario } from '../world/situation.ts'

/** A scenario, with the shortcuts that a file may use. */
export interface ScenarioDocument extends Scenario {
  /** Where an editor finds the document's own schema. */
  readonly $schema?: string
  /** The scenario that this one is based on: a shipped one by name, or a file in the same folder or below. */
  readonly extends?: string
  /** Animals to generate; their ids come after those of `pets`. */
  readonly generate?: GenerateSettings
}

/** The fields that the engine does not take. */
export const SHORTCUTS = ['extends', 'generate'] as const

export function hasShortcut(value: unknown, shortcut: (typeof SHORTCUTS)[number]): boolean {
  return typeof value === 'object' && value !== null && (value as ScenarioDocument)[shortcut] !== undefined
}

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
    status: { type: 'integer', minimum: 400, maximum: 599 },
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
  title: 'a bearer token (RFC 6750)',
  writeOnly: true,
}

export const assumeSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(assumptions.map(({ id, choices }) => [id, { enum: choices.map((choice) => choice.id) }])),
}

export const documentSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    pets: { type: 'array', items: { ...petSchema, additionalProperties: false } },
    nextId: { type: 'integer', format: 'int64' },
    apiKeys: { type: 'array', items: apiKeySchema, minItems: 1, maxItems: MAX_API_KEYS, writeOnly: true },
    now: { type: 'string' },
    frozen: { type: 'boolean' },
    assume: assumeSchema,
    faults: { type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
    latency: delaySchema,
    random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
    extends: { type: 'string' },
    generate: generateSchema,
  },
}
