// What the lines of a recording may be.

import { assumptions, contract, type Int64, type Pet } from '../../contract/generated/contract.ts'
import type { OptionSchemas } from '../../contract/options.ts'
import {
  COUNT as count,
  BOOLEAN as flag,
  INT64,
  LOGGED_STATUS,
  OBJECT,
  TEXT as text,
} from '../../contract/options.ts'
import { petSchema } from '../../contract/pet.ts'
import { sentences } from '../../contract/problem.ts'
import { type Fields, mapOf, objectOf, orNull, type Schema } from '../../contract/schema.ts'
import type { Course } from '../../world/clock.ts'
import type { Fault } from '../../world/faults.ts'
import { LACKS, type RequestRow } from '../../world/row.ts'
import type { SavedChange } from '../../world/saved-row.ts'
import type { SavedState } from '../../world/saved-state.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { Difference } from '../../world/state-parts.ts'
import type { RecordingSource } from '../../world/worlds.ts'

/** A reader refuses a higher one. */
export const RECORDING_FORMAT = 1

const SANDBOX = 'sandbox-'
/** A recording has the number of a sandbox instead of its key. */
export const nameSandbox = (number: number): string => SANDBOX + number
export const readSandbox = (name = ''): number => Number(name.slice(SANDBOX.length))

export type Head = Omit<RecordingSource, 'file'> & Readonly<{ rows: number; sandboxes: number }>
/**
 * A line after the first: an origin, a fault, the first state of a sandbox, or a row and what it
 * changed.
 */
export interface Line {
  readonly origin?: Scenario
  readonly fault?: Fault
  readonly sandbox?: string
  readonly row?: Omit<RequestRow, 'sandbox'> | Omit<SavedChange, 'sandbox'>
  readonly state?: LineState
}

/** All settings, and the animals that differ from those before. */
interface LineState extends Required<SavedState> {
  readonly origin: number
  /** Of each fault its number, and how many calls it has seen and been applied to. */
  readonly faults: readonly (readonly [number, number, number])[]
  readonly pets: readonly Pet[]
  readonly removed: readonly Int64[]
}

type RowSchemas<Row> = OptionSchemas<Omit<Row, 'sandbox' | 'query' | 'petId' | 'json'>>

const id: Schema = { ...count, minimum: 1 }
const moment = {
  ...text,
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
}
const list = (items: Schema): Schema => ({ type: 'array', items })
const texts = list(text)
const only = (value: string): Schema => ({ enum: [value] })
const keyOf = <Key extends string>(keys: Readonly<Record<Key, unknown>>): Schema => ({
  enum: Object.keys(keys),
})
const object = (
  properties: Fields,
  optional: readonly string[] = [],
  others: false | Schema = false,
): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { ...objectOf(required, properties), additionalProperties: others }
}

// `say` reads the list of an unknown field, and of any other kind texts only.
const unknownField = object(
  { kind: only('unknown-field'), path: text, name: text, known: texts, near: text },
  ['near'],
)
const SAID = Object.keys(sentences).filter((kind) => kind !== 'unknown-field')
const problem = {
  oneOf: [unknownField, object({ kind: { enum: SAID } }, [], { oneOf: [text, count, texts] })],
}
const message = object({ headers: mapOf(text), body: text })
const times = { id, at: moment, realAt: moment, method: text }
const operation = orNull(keyOf(contract.operations))
const asked = {
  target: text,
  operation,
  key: orNull(text),
  request: message,
  lacks: keyOf(LACKS),
  surprises: texts,
}
const why = {
  assumptions: list({ enum: assumptions.map(({ id }) => id) }),
  faults: texts,
  struck: texts,
  notes: texts,
}
const outcome = keyOf<RequestRow['outcome']>({ sent: 0, dropped: 0, aborted: 0, waiting: 0 })
const decided = {
  status: LOGGED_STATUS,
  error: orNull(text),
  problems: list(problem),
  response: message,
}
const ended = { outcome, durationMs: { type: 'number', minimum: 0 } }
const request: RowSchemas<RequestRow> = {
  type: only('request'),
  ...times,
  ...asked,
  ...why,
  ...decided,
  ...ended,
}

const kind = keyOf<Difference['kind']>({ pet: 0, fault: 0, choice: 0, latency: 0, clock: 0 })
const changed = list(object({ kind, id: text }))
const undone = {
  undoes: orNull(id),
  isUndo: flag,
  isUndone: flag,
  canUndo: flag,
  backTo: id,
  subject: text,
}
const change: RowSchemas<SavedChange> = {
  type: only('change'),
  ...times,
  changed,
  isWhole: flag,
  text,
  ...undone,
}
const head: OptionSchemas<Head> = { version: text, madeAt: moment, rows: count, sandboxes: count }
export const headSchema: Schema = object({ format: id, ...head })
const faults = list({ ...list(count), minItems: 3, maxItems: 3 })
const animals = { pets: list(petSchema), removed: list(INT64) }
const turn = object({ instant: count, at: { type: 'number' } })
const clock = objectOf([], { frozenAt: count, start: turn } satisfies OptionSchemas<Course>)
const settings = { scenario: OBJECT, lastFaultId: count, clock }
export const lineSchema: Schema = objectOf([], {
  origin: OBJECT,
  fault: OBJECT,
  sandbox: { type: 'string', pattern: `^${SANDBOX}[1-9]\\d{0,14}$` },
  row: {
    oneOf: [object(request, ['struck', 'lacks']), object(change, ['backTo'])],
    title: 'a request or a change',
  },
  state: object({ ...settings, origin: id, faults, ...animals } satisfies OptionSchemas<LineState>),
} satisfies OptionSchemas<Line>)
