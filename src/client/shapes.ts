// What the responses of the control API look like, as far as a client relies on it: enough to tell this mock from a stranger that
// happens to answer at the same address. Fields that are not named here may come too.
import type { Schema } from '../contract/schema.ts'

const text: Schema = { type: 'string' }
const textOrNull: Schema = { oneOf: [text, { enum: [null] }] }
/** Any of the contract: the ids of animals go beyond what a plain number holds. */
const integer: Schema = { type: 'integer', format: 'int64' }
const texts: Schema = { type: 'array', items: text }
const toObject = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const toList = (items: Schema): Schema => ({ type: 'array', items })

const healthFields = { status: { const: 'ok' }, version: text, scenario: text, pets: integer }
export const health = toObject(healthFields)
export const undone = toObject({ ...healthFields, undone: text })
export const state = toObject({ pets: toList({ type: 'object' }) })
export const scenario = toObject({ name: text })
export const changes = toObject({ added: toList(integer), changed: toList(integer), removed: toList(integer) })
const petChanges = toObject({ added: toList({ type: 'object' }), changed: toList({ type: 'object' }), removed: toList({ type: 'object' }) })
export const diff = toObject({ scenario: text, pets: petChanges, faults: { type: 'object' }, assume: toList({ type: 'object' }) })
export const latency = toObject({ latency: {} })
export const pet = toObject({ id: integer })
export const petPage = toObject({ total: integer, byStatus: { type: 'object' }, changed: integer, matches: integer, pets: toList(pet) })
export const scenarios = toList(toObject({ name: text, pets: integer }))
export const fault = toObject({ id: text, operation: text, seen: integer, struck: integer })
export const faults = toList(fault)
export const clock = toObject({ now: text, frozen: { type: 'boolean' } })
export const assumptions = toList(toObject({ id: text, question: text, choice: text, default: text }))
export const sandboxes = texts
export const coverage = toObject({
  format: { const: 1 },
  contract: text,
  requests: integer,
  cells: { type: 'object' },
})
export const openapi = toObject({ openapi: text, paths: { type: 'object' } })

const message = toObject({ headers: { type: 'object', properties: {}, additionalProperties: text }, body: text })
const entryFields = {
  id: integer,
  at: text,
  realAt: text,
  method: text,
  target: text,
  status: integer,
  durationMs: { type: 'number' },
  assumptions: texts,
  faults: texts,
  notes: texts,
  operation: textOrNull,
  key: textOrNull,
  error: textOrNull,
  outcome: text,
  request: message,
  answer: message,
}
const entry = toObject(entryFields)
export const entries = toList(entry)
export const traffic = toList(toObject({ ...entryFields, sandbox: textOrNull }))
export const event: Schema = {
  oneOf: [toObject({ type: { enum: ['begin', 'exchange'] }, entry }), toObject({ type: { const: 'change' }, what: text })],
}

/** The service's Error shape. */
export const error = (status: number): Schema => toObject({ code: text, message: text, status: { const: status } })
