// The table of control methods. A row declares a method: its HTTP route, its arguments, and whether it changes something. The local control,
// the routes of the hosts, the remote client, the tools for agents and the tables of the docs follow from it.
import { describeValue, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { newPetSchema, petSchema } from '../contract/pet.ts'
import type { Schema } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { MAX_FAULTS, MAX_LISTED_PETS } from '../limits.ts'
import { delaySchema } from '../settings/duration.ts'
import { faultSchema } from '../settings/fault.ts'
import { apiKeySchema, assumeSchema } from '../settings/rows.ts'
import type { ControlMethod } from './control.ts'

/** Where the control API and the console are: on the origin of the service, outside its version segment. */
export const CONTROL_PATH = '/__mock'
/** Every response of the control API carries it, so that a client can tell the mock from another server. */
export const MOCK_HEADER = 'X-Mock'
export const MOCK_NAME = 'animal-store-mock'
/** The id of the row that a change has added to the timeline. */
export const ROW_HEADER = 'X-Mock-Row'
/** `on`, on every response of the control API of a mock with sandboxes. */
export const SANDBOXES_HEADER = 'X-Mock-Sandboxes'
/** How many rows match, on a response of `requests` and `timeline`, which has the last of them. */
export const TOTAL_HEADER = 'X-Mock-Total'
/** The media type of a recording: JSON Lines. */
export const RECORDING_TYPE = 'application/x-ndjson'

type Fields = Readonly<Record<string, Schema>>

/** The tools of the MCP server; a tool has the methods of its rows. */
type ToolName =
  | 'get_state'
  | 'list_animals'
  | 'list_requests'
  | 'load_scenario'
  | 'break_operation'
  | 'change_settings'
  | 'change_animals'
  | 'go_back'
  | 'what_if'
  | 'clean_up'

export interface MethodRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/__mock`. Routes with the same method and path differ in their first argument. */
  readonly path: string
  /**
   * The arguments of the method, in their order: names of its input, or `*` for the rest of the input as an object. Over HTTP they are in
   * the path, in the query of a GET, or fields of the body.
   */
  readonly args?: readonly string[]
  /** Over HTTP, the body is the value of this argument. */
  readonly body?: string
  /** The method concerns the whole mock, so that it takes no `?sandbox=`. */
  readonly isGlobal?: true
  /** `?sandbox=*` means all sandboxes. */
  readonly hasAll?: true
}

/** A method of the control. Those with the same tool all read, or all change something. */
export interface ControlRow extends MethodRow {
  /** Whether it reads, changes a state, or replaces it as a whole, so that `requests` starts again. */
  readonly kind: 'reads' | 'changes' | 'replaces'
  /** What each argument may be. No other is accepted. */
  readonly input?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** What the id in the path is of: the method returns false or undefined if there is none, which is 404 over HTTP. */
  readonly of?: 'Animal' | 'Fault' | 'Sandbox'
  /** It returns what it has added (201 over HTTP), or the row of its change. */
  readonly returns?: 'added' | 'row'
  /** Absent if it is nothing for an agent. */
  readonly tool?: ToolName
}

/** A method that returns nothing answers 204, any other 200, unless its row says otherwise. A bundler leaves out a table that is not used. */
export const methods: Readonly<Record<ControlMethod, ControlRow>> = /* @__PURE__ */ createMethods()

function createMethods(): typeof methods {
  const row: Schema = { type: 'integer', minimum: 1, description: 'The id of a request or a change in the timeline.' }
  const animal: Schema = { type: 'integer', format: 'int64', description: 'The id of an animal.' }
  const faultId: Schema = { type: 'string', description: 'The id of a fault, as faults.list shows it.' }
  const frozen: Schema = { type: 'boolean', description: 'Whether the clock stands still from then on; by default as before.' }
  const all: Schema = { enum: ['*'], description: 'For all sandboxes and the shared state; by default for this state.' }
  const columns = Object.keys(contract.schemas.Pet.properties)
  const requestFilter = {
    operation: { enum: Object.keys(contract.operations), description: 'Only requests for this operation.' },
    status: { type: 'integer', minimum: 0, maximum: 599, description: 'Only responses with this status; 0 for dropped and aborted ones.' },
    method: { type: 'string', description: 'Only requests with this HTTP method, in any case.' },
    apiKey: { ...apiKeySchema, description: 'Only requests with this API key.' },
    limit: { type: 'integer', minimum: 0, description: 'Only the last n.' },
    waiting: { type: 'boolean', description: 'Includes requests whose response is still delayed.' },
    sandbox: all,
  } satisfies Fields
  const text: Schema = { type: 'string' }
  const whatIf: Fields = {
    without: {
      oneOf: [{ enum: ['faults'] }, { type: 'array', items: text, maxItems: MAX_FAULTS }],
      title: 'faults, or a list of the ids of faults',
      description: 'Without any fault, or without those with these ids.',
    },
    assume: { ...assumeSchema, description: 'Other choices for what the API leaves open.' },
    latency: {
      oneOf: [...(delaySchema.oneOf ?? []), { const: null }],
      title: `${delaySchema.title}; or null`,
      description: 'Another latency; null for none.',
    },
    at: { type: 'string', description: 'Another moment, such as 2030-12-06.' },
    request: {
      type: 'object',
      additionalProperties: false,
      properties: {
        method: text,
        target: text,
        headers: { type: 'object', additionalProperties: { oneOf: [text, { const: null }] } },
        body: text,
      },
      description: 'Another method, target, body, or header fields; null leaves a field out.',
    },
    alternatives: {
      type: 'boolean',
      description: 'Every change of one thing that mattered and gives another response, instead of one answer.',
    },
  }
  const newPet = newPetSchema.properties as Fields
  const optional = (name: string) => newPetSchema.required?.includes(name) !== true
  const changedPet = Object.fromEntries(
    Object.entries(newPet).map(([name, field]) => [name, optional(name) ? { oneOf: [field, { const: null }] } : field]),
  )
  const pet = petSchema.properties as Fields
  const newPetRequired = newPetSchema.required ?? []
  const fault = faultSchema.properties as Fields
  const petFilter = {
    status: { enum: [...contract.schemas.PetStatus.enum, 'absent'], description: 'Only animals with this status; absent, without one.' },
    search: { type: 'string', description: 'Part of the name or the id, or the whole category.' },
    changed: { type: 'boolean', description: 'Only animals that are new or changed since the scenario was loaded.' },
    sort: { enum: columns.flatMap((column) => [column, `-${column}`]), description: 'A field; after a minus, in descending order.' },
    offset: { type: 'integer', minimum: 0, description: 'Skips this many.' },
    limit: { type: 'integer', minimum: 0, maximum: MAX_LISTED_PETS, description: 'At most this many; 100 by default.' },
  } satisfies Fields
  const now: Schema = {
    oneOf: [text, { const: null }],
    title: 'a date such as 2030-12-06, or null',
    description: 'A date such as 2030-12-06 or 2030-12-06T08:30:00Z; null follows real time again.',
  }
  const advance: Schema = {
    oneOf: [text, { type: 'number' }],
    title: 'a duration such as 30s, -1d or P1M',
    description: 'A duration: milliseconds, 30s, -1d, P1M.',
  }
  const latency: Schema = {
    oneOf: [...(delaySchema.oneOf ?? []), { enum: ['off', null] }],
    title: `${delaySchema.title}; or off`,
    description: 'A delay such as 200, 1.5s or 200-800; off or null ends it.',
  }
  const outcomes: Schema = { type: 'boolean', description: 'Counts the requests that would get another status under another choice.' }
  const scenario: Schema = { description: 'The name of a shipped scenario, or a scenario as an object.' }
  const withoutPets: Schema = { type: 'boolean', description: 'False leaves the animals out.' }
  const nextId: Schema = { ...animal, description: 'By default the next id.' }
  const key: Schema = { type: 'string', description: 'The API key of the sandbox.' }

  type More = Partial<Omit<ControlRow, 'method' | 'path' | 'kind' | 'input'>>
  /** Arguments as an object: all that there are, or those after an id. */
  const options = (input: Fields, more: More = {}) => ({ args: ['*'], input, ...more })
  const byId = (id: Schema, more: More = {}, rest: Fields = {}) => ({ args: ['id'], input: { id, ...rest }, required: ['id'], ...more })
  const reads = (path: string, tool: ToolName, more: object = {}): ControlRow => ({ method: 'GET', path, kind: 'reads', tool, ...more })
  const changes = (method: ControlRow['method'], path: string, tool: ToolName, more: object = {}): ControlRow => {
    return { method, path, kind: 'changes', tool, ...more }
  }
  const turns = (name: string, input: Fields) => changes('PUT', '/clock', 'change_settings', { args: [name, '*'], input, required: [name] })
  return {
    summary: reads('/health', 'get_state'),
    reset: { ...changes('POST', '/reset', 'load_scenario'), kind: 'replaces' },
    state: reads('/state', 'get_state', options({ before: row, pets: withoutPets })),
    // The client sends a name to `extras.loadScenario` instead.
    load: {
      ...changes('PUT', '/state', 'load_scenario', { args: ['scenario'], body: 'scenario', input: { scenario }, required: ['scenario'] }),
      kind: 'replaces',
    },
    diff: reads('/diff', 'get_state', options({ before: row, since: row })),
    timeline: reads('/timeline', 'list_requests', options(requestFilter, { hasAll: true })),
    undo: changes('POST', '/undo', 'go_back', byId(row, { required: [], returns: 'row' })),
    rewind: changes('POST', '/rewind', 'go_back', byId(row, { returns: 'row' })),
    recording: { method: 'GET', path: '/recording', kind: 'reads', ...options({ sandbox: all }, { hasAll: true }) },
    'pets.list': reads('/pets', 'list_animals', options(petFilter)),
    'pets.get': reads('/pets/{id}', 'list_animals', byId(animal, { of: 'Animal' })),
    'pets.add': changes('POST', '/pets', 'change_animals', options({ ...pet, id: nextId }, { required: newPetRequired, returns: 'added' })),
    'pets.update': changes('PATCH', '/pets/{id}', 'change_animals', byId(animal, { args: ['id', '*'], of: 'Animal' }, changedPet)),
    'pets.remove': changes('DELETE', '/pets/{id}', 'change_animals', byId(animal, { of: 'Animal' })),
    'faults.list': reads('/faults', 'get_state'),
    'faults.add': changes('POST', '/faults', 'break_operation', options(fault, { required: faultSchema.required ?? [], returns: 'added' })),
    'faults.remove': changes('DELETE', '/faults/{id}', 'break_operation', byId(faultId, { of: 'Fault' })),
    'faults.clear': changes('DELETE', '/faults', 'break_operation'),
    requests: reads('/requests', 'list_requests', options(requestFilter, { hasAll: true })),
    whatIf: { ...reads('/what-if', 'what_if', byId(row, { args: ['id', '*'] }, whatIf)), method: 'POST' },
    clearRequests: changes('DELETE', '/requests', 'clean_up', options({ sandbox: all }, { hasAll: true })),
    'clock.get': reads('/clock', 'get_state'),
    'clock.set': turns('now', { now, frozen }),
    'clock.advance': turns('advance', { advance, frozen }),
    'clock.freeze': changes('PUT', '/clock', 'change_settings', { args: ['frozen'], input: { frozen: { ...frozen, default: true } } }),
    'latency.get': reads('/latency', 'get_state'),
    'latency.set': changes('PUT', '/latency', 'change_settings', {
      args: ['latency'],
      body: 'latency',
      input: { latency },
      required: ['latency'],
    }),
    assumptions: reads('/assumptions', 'get_state'),
    assume: changes('PUT', '/assumptions', 'change_settings', options(assumeSchema.properties as Fields)),
    coverage: reads('/coverage', 'get_state', options({ outcomes }, { isGlobal: true })),
    scenarios: reads('/scenarios', 'get_state', { isGlobal: true }),
    sandboxes: reads('/sandboxes', 'get_state', { isGlobal: true }),
    removeSandbox: changes('DELETE', '/sandboxes/{id}', 'clean_up', byId(key, { isGlobal: true, of: 'Sandbox' })),
  }
}

/** Routes that are not methods of the control. */
export const extras = {
  /** The stream behind `subscribe`. */
  events: { method: 'GET', path: '/events', hasAll: true },
  /** Loads a shipped scenario, `{"name"}`, or the text of a file, `{"file","text"}`. */
  loadScenario: { method: 'PUT', path: '/scenario', args: ['*'] },
  /** A shipped scenario. */
  scenario: { method: 'GET', path: '/scenarios/{id}', args: ['id'], isGlobal: true },
  /** The MCP server, where the host has one. */
  mcp: { method: 'POST', path: '/mcp', isGlobal: true },
  openapi: { method: 'GET', path: '/openapi.json', isGlobal: true },
} as const satisfies Record<string, MethodRow>

/** The arguments by their names, as the table lists them. */
export function nameArguments(
  { args = [], input }: MethodRow & Pick<ControlRow, 'input'>,
  values: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const named: Record<string, unknown> = {}
  for (const [index, name] of args.entries()) {
    const { [index]: value = input?.[name]?.default } = values
    if (name !== '*') named[name] = value
    else if (value !== undefined) {
      if (!isPlainObject(value))
        throw new UsageError({ kind: 'mismatch', path: 'options', expected: 'an object', got: describeValue(value) })
      const twice = Object.keys(value).find((one) => Object.hasOwn(named, one))
      if (twice !== undefined) throw new UsageError({ kind: 'unknown-field', path: twice, name: twice, known: [] })
      Object.assign(named, value)
    }
  }
  return named
}
