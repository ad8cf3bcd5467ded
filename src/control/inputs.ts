// What each control method takes, by the names of its arguments: query parameters, fields of a body, and what goes into the path. The
// routes check queries with it, and MCP tools list it.
import type { Schema } from '../contract/schema.ts'
import { delaySchema } from '../settings/duration.ts'
import { faultSchema } from '../settings/fault.ts'
import { assumeSchema } from '../settings/rows.ts'
import type { ControlMethod } from './methods.ts'
import { addedPetFields, changedPetFields, petFilterFields } from './pets.ts'
import { requestFilterFields } from './state.ts'
import { rowIdSchema } from './timeline.ts'

type Fields = Readonly<Record<string, Schema>>

const animal: Schema = { type: 'integer', format: 'int64', title: 'the id of an animal' }
const fault: Schema = { type: 'string', title: 'the id of a fault' }
const row: Schema = { ...rowIdSchema, title: 'the id of a request or a change' }
const frozen: Schema = { type: 'boolean' }

export const inputs: Readonly<Partial<Record<ControlMethod, Fields>>> = {
  state: { pets: { type: 'boolean', title: 'false omits the animals' }, before: row },
  diff: { before: row },
  timeline: requestFilterFields,
  undo: { id: row },
  rewind: { id: row },
  load: { scenario: { title: 'the name of a shipped scenario, or a scenario as an object' } },
  'pets.list': petFilterFields,
  'pets.get': { id: animal },
  'pets.add': addedPetFields,
  'pets.update': { id: animal, ...changedPetFields },
  'pets.remove': { id: animal },
  'faults.add': faultSchema.properties ?? {},
  'faults.remove': { id: fault },
  requests: requestFilterFields,
  'clock.set': { now: { type: 'string' }, frozen },
  'clock.advance': {
    advance: { oneOf: [{ type: 'string' }, { type: 'integer' }], title: 'a duration: milliseconds, 30s, -1d, P1M' },
    frozen,
  },
  'clock.freeze': { frozen },
  'latency.set': { latency: delaySchema },
  assume: assumeSchema.properties ?? {},
  removeSandbox: { id: { type: 'string', title: 'the API key of the sandbox' } },
}
