// The lines of a recording: their types and their schemas.
import { assumptions, contract, type Int64, type Pet } from '../../contract/generated/contract.ts'
import type { OptionSchemas } from '../../contract/options.ts'
import { BOOLEAN, COUNT, INT64, LOGGED_STATUS, OBJECT, TEXT } from '../../contract/options.ts'
import { petSchema } from '../../contract/pet.ts'
import { sentences } from '../../contract/problem.ts'
import { type Fields, mapOf, objectOf, orNull, type Schema } from '../../contract/schema.ts'
import type { Clock } from '../../world/clock.ts'
import type { Difference } from '../../world/difference.ts'
import type { Fault } from '../../world/faults.ts'
import { LACKS, type RequestRow } from '../../world/row.ts'
import type { SavedChange } from '../../world/saved-row.ts'
import type { SavedState } from '../../world/saved-state.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { RecordingSource } from '../../world/worlds.ts'

/** A reader refuses a higher one. */
export const RECORDING_FORMAT = 1

const SANDBOX = 'sandbox-'
/** A recording has the number of a sandbox instead of its key. */
export function nameSandbox(number: number): string {
  return SANDBOX + number
}

/** Its number; 0 for the shared state, which has no name. */
export function readSandbox(name = ''): number {
  return Number(name.slice(SANDBOX.length))
}

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
export interface LineState extends Required<SavedState> {
  readonly origin: number
  /** Of each fault its number, and how many calls it has seen and been applied to. */
  readonly faults: readonly (readonly [number, number, number])[]
  readonly pets: readonly Pet[]
  readonly removed: readonly Int64[]
}

type RowSchemas<Row> = OptionSchemas<Omit<Row, 'sandbox' | 'query' | 'petId' | 'json'>>

const id: Schema = { ...COUNT, minimum: 1 }
/** As `printInstant` writes it, from 1970 on. */
const moment: Schema = {
  ...TEXT,
  format: 'date-time',
  pattern: '^(?:19[7-9]|[2-9]\\d\\d)\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
}

function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

function oneOfKeys<Key extends string>(keys: Readonly<Record<Key, unknown>>): Schema {
  return { enum: Object.keys(keys) }
}

/** An object that has all of these fields but the optional ones, and no others. */
function objectWith(properties: Fields, optional: object = {}): Schema {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(optional, name))
  return objectOf(required, properties)
}

/** The compiler asks for each optional field of a row, and for no other. */
type OptionalFields<Row> = {
  readonly [Name in keyof Row as object extends Pick<Row, Name> ? Name : never]-?: true
}

// `say` reads the list of an unknown field, and of any other kind texts only.
const unknownField = objectWith(
  {
    kind: { enum: ['unknown-field'] },
    path: TEXT,
    name: TEXT,
    known: listOf(TEXT),
    near: TEXT,
  },
  { near: true },
)
const otherProblem: Schema = {
  ...objectOf(['kind'], {
    kind: { enum: Object.keys(sentences).filter((kind) => kind !== 'unknown-field') },
  }),
  additionalProperties: { oneOf: [TEXT, COUNT, listOf(TEXT)] },
}
const message = objectWith({ headers: mapOf(TEXT), body: TEXT })

const request: RowSchemas<RequestRow> = {
  type: { enum: ['request'] },
  id,
  at: moment,
  realAt: moment,
  method: TEXT,
  target: TEXT,
  operation: orNull(oneOfKeys(contract.operations)),
  key: orNull(TEXT),
  request: message,
  lacks: oneOfKeys(LACKS),
  surprises: listOf(TEXT),
  assumptions: listOf({ enum: assumptions.map((one) => one.id) }),
  faults: listOf(TEXT),
  struck: listOf(TEXT),
  notes: listOf(TEXT),
  status: LOGGED_STATUS,
  error: orNull(TEXT),
  problems: listOf({ oneOf: [unknownField, otherProblem] }),
  response: message,
  outcome: oneOfKeys<RequestRow['outcome']>({
    sent: 0,
    dropped: 0,
    aborted: 0,
    waiting: 0,
    held: 0,
  }),
  durationMs: { type: 'number', minimum: 0 },
}

const optionalInRequest: OptionalFields<RequestRow> = { struck: true, lacks: true }

const difference = objectWith({
  kind: oneOfKeys<Difference['kind']>({
    pet: 0,
    fault: 0,
    choice: 0,
    latency: 0,
    apiKeys: 0,
    clock: 0,
  }),
  id: TEXT,
})
const change: RowSchemas<SavedChange> = {
  type: { enum: ['change'] },
  id,
  at: moment,
  realAt: moment,
  method: TEXT,
  changed: listOf(difference),
  isWhole: BOOLEAN,
  text: TEXT,
  undoes: orNull(id),
  isUndo: BOOLEAN,
  isUndone: BOOLEAN,
  canUndo: BOOLEAN,
  backTo: id,
  subject: TEXT,
}

const optionalInChange: OptionalFields<SavedChange> = { backTo: true }

const head: OptionSchemas<Head> = {
  version: TEXT,
  madeAt: moment,
  rows: COUNT,
  sandboxes: COUNT,
}
export const headSchema: Schema = objectWith({ format: id, ...head })

const clock: OptionSchemas<Clock> = {
  frozenAt: COUNT,
  start: objectWith({ instant: COUNT, at: { type: 'number' } }),
}
const state: OptionSchemas<LineState> = {
  scenario: OBJECT,
  lastFaultId: COUNT,
  clock: objectOf([], clock),
  origin: id,
  faults: listOf({ ...listOf(COUNT), minItems: 3, maxItems: 3 }),
  pets: listOf(petSchema),
  removed: listOf(INT64),
}
const line: OptionSchemas<Line> = {
  origin: OBJECT,
  fault: OBJECT,
  sandbox: { type: 'string', pattern: `^${SANDBOX}[1-9]\\d{0,14}$` },
  row: {
    oneOf: [objectWith(request, optionalInRequest), objectWith(change, optionalInChange)],
    title: 'a request or a change',
  },
  state: objectWith(state),
}
export const lineSchema: Schema = objectOf([], line)
