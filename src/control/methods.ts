// The table of control methods, from which the control, the routes, the client, the tools and the
// docs are derived.
import { HTTP_TOKEN, splitTarget } from '../contract/address.ts'
import { mismatch, misuse, notFound } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import {
  DEFAULT_LIMIT,
  MAX_FAULTS,
  MAX_FILE_NAME_CHARACTERS,
  MAX_LISTED_PETS,
} from '../contract/limits.ts'
import type { OptionSchemas } from '../contract/options.ts'
import {
  BOOLEAN,
  COUNT,
  checkValue,
  INT64,
  LOGGED_STATUS,
  OBJECT,
  TEXT,
  throwIfAny,
} from '../contract/options.ts'
import { addedPetSchema, STATUSES_OR_ABSENT } from '../contract/pet.ts'
import type { Problem } from '../contract/problem.ts'
import {
  type Fields,
  findViolations,
  mapOf,
  objectOf,
  orNull,
  readTyped,
  type Schema,
} from '../contract/schema.ts'
import { withoutUndefined } from '../contract/values.ts'
import { durationSchema, findDelayProblems, latencySchema } from '../scenario/settings/duration.ts'
import { apiKeySchema, assumeSchema, faultSchema, findFlaws } from '../scenario/settings/rows.ts'
import type { RequestChange } from '../service/call.ts'
import { findInstantProblems } from '../world/clock.ts'
import type {
  ControlMethod,
  DiffOptions,
  PetFilter,
  RequestFilter,
  StateOptions,
  WhatIfChange,
} from './control.ts'
import { printStatus } from './differences.ts'

export const CONTROL_PATH = '/__mock'
export const MOCK_NAME = 'animal-store-mock'
export const DEFAULT_PORT = 7387
export const HEADERS = {
  /**
   * On every response of the control API, so that a client can tell the mock from another server.
   */
  mock: 'X-Mock',
  sandboxes: 'X-Mock-Sandboxes',
  row: 'X-Mock-Row',
  /** On a write without a body, since no form of a page can send it. */
  control: 'X-Mock-Control',
  total: 'X-Mock-Total',
}

export function isControlTarget(target: string): boolean {
  const { rest } = splitTarget(target)
  return rest.startsWith(CONTROL_PATH) && /^(?:[/?]|$)/.test(rest.slice(CONTROL_PATH.length))
}

/** Where a mock is mounted, by the address of its API, its control API or its console. */
export function findMockUrl(url: string): string {
  const address = url.replace(/\/+$/, '')
  const end = [contract.basePath, CONTROL_PATH].find((path) => address.endsWith(path)) ?? ''
  return address.slice(0, address.length - end.length)
}

/** Where the mock is mounted, by its address as people write it, such as `localhost:7387`. */
export function parseMockUrl(text: string, path = '', caller?: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const isOther = typeof text !== 'string' || /^(?:[/.]|\d+$)/.test(text)
  const parsed = !isOther && URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol))
    return parsed.origin + findMockUrl(parsed.pathname)
  throw mismatch(path, `an address like http://127.0.0.1:${DEFAULT_PORT}/v1`, {
    got: text,
    ...(caller && { caller }),
  })
}

export const RECORDING_TYPE = 'application/x-ndjson'
export const FILE_NAME: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_FILE_NAME_CHARACTERS,
}
export type Input = Readonly<Record<string, unknown>>

export interface MethodRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/__mock`. Routes with the same method and path differ in their first argument. */
  readonly path: string
  readonly isWrite?: true
  /**
   * The arguments in their order, or `*` for the rest of the input. Over HTTP they are in path,
   * query or body.
   */
  readonly args?: readonly string[]
  /** Over HTTP, the body is the value of this argument. */
  readonly body?: string
  readonly input?: Fields
  readonly required?: readonly string[]
  findProblems?(input: Input): Problem[]
  /** The method concerns the whole mock, so that it takes no `?sandbox=`. */
  readonly isGlobal?: true
  /** `?sandbox=*` means all sandboxes. */
  readonly hasAll?: true
  /**
   * What the id in the path identifies. If there is none, the method returns false or undefined:
   * 404 over HTTP.
   */
  readonly of?: 'Animal' | 'Fault' | 'Sandbox'
  /**
   * It returns what it has added (201 over HTTP), the row of its change, or a summary of the state.
   */
  readonly returns?: 'added' | 'row' | 'summary'
  /** The media type of its result, which is a text; otherwise JSON. */
  readonly type?: string
  /** It starts the sandbox of a key, as a request does: it loads, sets or adds something. */
  readonly starts?: true
  readonly tool?: ReadingTool | ChangingTool
}

type ReadingTool = 'get_state' | 'list_requests' | 'what_if' | 'list_animals'
type ChangingTool =
  | 'load_scenario'
  | 'go_back'
  | 'change_animals'
  | 'break_operation'
  | 'clean_up'
  | 'change_settings'

export const rowId: Schema = {
  ...COUNT,
  minimum: 1,
  description: 'The id of a request or a change in the timeline.',
}
const animalId: Schema = { ...INT64, description: 'The id of an animal.' }
const sandbox = {
  enum: ['*'],
  description: 'For all sandboxes and the shared state; by default for this state.',
}
export const text = (description: string): Schema => ({ ...TEXT, description })
const flag = (description: string): Schema => ({ ...BOOLEAN, description })
const amount = (description: string, more?: Schema): Schema => ({ ...COUNT, ...more, description })
const anyOf = (oneOf: readonly Schema[], title: string, description: string): Schema => ({
  oneOf,
  title,
  description,
})
const describeLatency = (what: string) => ({
  ...latencySchema,
  description: `${what}; off or null for none.`,
})

/**
 * A method that returns nothing, or only `true`, answers 204, any other 200, unless its row says
 * otherwise.
 */
export const methods = /* @__PURE__ */ createMethods()

export function describeRequestFilter(): OptionSchemas<RequestFilter> {
  return {
    operation: {
      enum: Object.keys(contract.operations),
      description: 'Only requests for this operation.',
    },
    status: { ...LOGGED_STATUS, description: `Only this status; 0 for ${printStatus(0)}.` },
    method: text('Only requests with this HTTP method, in any case.'),
    apiKey: { ...apiKeySchema, description: 'Only requests with this API key.' },
    limit: amount('Only the last n.'),
    waiting: flag('Includes requests whose response is still delayed.'),
    sandbox,
  }
}

/** What can be changed of a request, for what if and for agents. */
export function requestFields(): OptionSchemas<RequestChange> {
  const method = { type: 'string', pattern: HTTP_TOKEN.source, title: 'an HTTP method' }
  return { method, target: TEXT, headers: mapOf(orNull(TEXT)), body: {} }
}

function describeWhatIf(): OptionSchemas<WhatIfChange & { alternatives: true }> {
  const faults: Schema[] = [
    { enum: ['faults'] },
    { type: 'array', items: TEXT, maxItems: MAX_FAULTS },
  ]
  return {
    without: anyOf(
      faults,
      'faults, or a list of the ids of faults',
      'Without any fault, or without these.',
    ),
    assume: { ...assumeSchema, description: 'Other choices for what the API leaves open.' },
    latency: describeLatency('Another latency'),
    at: text('Another moment, such as 2030-12-06.'),
    request: {
      ...objectOf([], requestFields()),
      description:
        'Another method, target, body (text, or a value sent as JSON) or header field; null leaves one out.',
    },
    alternatives: flag(
      'Every change of one thing that mattered and gives another response, instead of one answer.',
    ),
  }
}

function describePetFilter(): OptionSchemas<PetFilter> {
  const sorts = Object.keys(contract.schemas.Pet.properties).flatMap((column) => [
    column,
    `-${column}`,
  ])
  return {
    status: {
      enum: STATUSES_OR_ABSENT,
      description: 'Only animals with this status; absent, without one.',
    },
    search: text('Part of the name or the id, or the whole category.'),
    changed: flag('Only animals that are new or changed since the scenario was loaded.'),
    sort: { enum: sorts, description: 'A field; after a minus, in descending order.' },
    offset: amount('Skips this many.'),
    limit: amount(`At most this many; ${DEFAULT_LIMIT} by default.`, { maximum: MAX_LISTED_PETS }),
  }
}

function createMethods(): Readonly<Record<ControlMethod, MethodRow>> {
  const date = 'a date such as 2030-12-06, or null'
  const now = anyOf(
    [orNull(TEXT)],
    date,
    'A date such as 2030-12-06; null follows real time again.',
  )
  const advance = { ...durationSchema, description: 'A duration: milliseconds, 30s, -1d, PT30M.' }
  const frozen = flag(
    'Whether the clock stands still from then on; by default as before, but with null it runs.',
  )
  const file: Schema = { ...FILE_NAME, description: 'Its name, which the console shows.' }
  const latency = describeLatency('A delay such as 200, 1.5s or 200-800')
  const findProblems = ({ latency: given, now: instant, at }: Input) => [
    ...findDelayProblems(given, 'latency'),
    ...findInstantProblems(instant, 'now'),
    ...findInstantProblems(at, 'at'),
  ]
  const outcomes = flag('Counts the requests that would get another status under another choice.')
  const { properties = {}, required = [] } = addedPetSchema
  const pets = flag('False leaves the animals out.')
  const pet: Fields = { ...properties, id: { ...animalId, description: 'By default the next id.' } }
  const allowNull = ([name, field]: [string, Schema]) => [
    name,
    required.includes(name) ? field : orNull(field),
  ]
  const changedPet: Fields = {
    ...Object.fromEntries(Object.entries(properties).map(allowNull)),
    id: animalId,
  }
  const faultId = text('The id of a fault, as faults.list shows it.')
  const scenario = {
    description: 'The name of a shipped scenario, a scenario as an object, or a list of animals.',
  }

  type More = Omit<MethodRow, 'method' | 'path' | 'isWrite'>
  const reads = (path: string, tool: ReadingTool, more?: More): MethodRow => ({
    method: 'GET',
    path,
    tool,
    ...more,
  })
  const changes = (
    method: MethodRow['method'],
    path: string,
    tool: ChangingTool,
    more?: More,
  ): MethodRow => {
    return { method, path, isWrite: true, tool, ...more }
  }
  const sets = (path: string, more: More) =>
    changes('PUT', path, 'change_settings', { ...more, starts: true })
  const options = <T>(input: OptionSchemas<T>, more: More = {}): More => ({
    args: ['*'],
    input,
    ...more,
  })
  const by = (name: string, input: Fields, more: More = {}): More => {
    return {
      args: Object.keys(input).length > 1 ? [name, '*'] : [name],
      input,
      required: [name],
      ...more,
    }
  }
  const id = (schema: Schema, more: More = {}, rest: Fields = {}) =>
    by('id', { id: schema, ...rest }, more)
  const adds = ({ properties = {}, required = [] }: Schema, more?: More): More =>
    options(properties, { required, returns: 'added', starts: true, ...more })
  const listed = options(describeRequestFilter(), { hasAll: true })
  const global: More = { isGlobal: true }
  const loaded = by(
    'scenario',
    { scenario },
    { body: 'scenario', returns: 'summary', starts: true },
  )
  const opened = by(
    'recording',
    { recording: text('The text of a recording.'), file },
    { ...global, returns: 'row' },
  )
  const removed = id(text('The API key of the sandbox.'), { ...global, of: 'Sandbox' })
  return {
    summary: reads('/health', 'get_state'),
    reset: changes('POST', '/reset', 'load_scenario', { returns: 'summary' }),
    state: reads('/state', 'get_state', options<StateOptions>({ before: rowId, pets })),
    load: changes('PUT', '/state', 'load_scenario', loaded),
    diff: reads('/diff', 'get_state', options<DiffOptions>({ before: rowId, since: rowId })),
    timeline: reads('/timeline', 'list_requests', listed),
    undo: changes('POST', '/undo', 'go_back', id(rowId, { required: [], returns: 'row' })),
    rewind: changes('POST', '/rewind', 'go_back', id(rowId, { returns: 'row' })),
    recording: {
      method: 'GET',
      path: '/recording',
      ...options({ sandbox }, { hasAll: true, type: RECORDING_TYPE }),
    },
    'pets.list': reads('/pets', 'list_animals', options(describePetFilter())),
    'pets.get': reads('/pets/{id}', 'list_animals', id(animalId, { of: 'Animal' })),
    'pets.add': changes('POST', '/pets', 'change_animals', adds({ properties: pet, required })),
    'pets.update': changes(
      'PATCH',
      '/pets/{id}',
      'change_animals',
      id(animalId, { of: 'Animal' }, changedPet),
    ),
    'pets.remove': changes(
      'DELETE',
      '/pets/{id}',
      'change_animals',
      id(animalId, { of: 'Animal' }),
    ),
    'faults.list': reads('/faults', 'get_state'),
    'faults.add': changes(
      'POST',
      '/faults',
      'break_operation',
      adds(faultSchema, { findProblems: findFlaws }),
    ),
    'faults.remove': changes(
      'DELETE',
      '/faults/{id}',
      'break_operation',
      id(faultId, { of: 'Fault' }),
    ),
    'faults.clear': changes('DELETE', '/faults', 'break_operation'),
    requests: reads('/requests', 'list_requests', listed),
    whatIf: {
      ...reads('/what-if', 'what_if', id(rowId, { findProblems }, describeWhatIf())),
      method: 'POST',
    },
    // It also deletes changes, despite its name and path.
    clearRequests: changes(
      'DELETE',
      '/requests',
      'clean_up',
      options({ sandbox }, { hasAll: true }),
    ),
    'clock.get': reads('/clock', 'get_state'),
    'clock.set': sets('/clock', by('now', { now, frozen }, { findProblems })),
    'clock.advance': sets('/clock', by('advance', { advance, frozen })),
    'clock.freeze': sets(
      '/clock',
      by('frozen', { frozen: { ...frozen, default: true } }, { required: [] }),
    ),
    'latency.get': reads('/latency', 'get_state'),
    'latency.set': sets('/latency', by('latency', { latency }, { body: 'latency', findProblems })),
    assumptions: reads('/assumptions', 'get_state', options({ before: rowId })),
    assume: sets('/assumptions', options(assumeSchema.properties ?? {})),
    coverage: reads('/coverage', 'get_state', options({ outcomes }, global)),
    scenarios: reads('/scenarios', 'get_state', global),
    sandboxes: reads('/sandboxes', 'get_state', global),
    removeSandbox: changes('DELETE', '/sandboxes/{id}', 'clean_up', removed),
    openRecording: { method: 'PUT', path: '/recording', isWrite: true, ...opened },
  }
}

export type NamedRow = readonly [name: ControlMethod, row: MethodRow]
export const methodRows = /* @__PURE__ */ Object.entries(methods) as readonly NamedRow[]

export const extras = {
  openapi: { method: 'GET', path: '/openapi.json', isGlobal: true },
  mcp: { method: 'POST', path: '/mcp', isGlobal: true },
  events: { method: 'GET', path: '/events' },
} as const satisfies Record<string, MethodRow>

/**
 * The methods as functions, `pets.get` as `pets: { get }`; `run` gets a name and the arguments by
 * their names.
 */
export function createFunctions(
  run: (name: ControlMethod, input: () => Input) => unknown,
  hasGlobal = true,
): object {
  const functions: Record<string, unknown> = {}
  for (const [name, row] of methodRows) {
    if (row.isGlobal && !hasGlobal) continue
    const [first, second] = name.split('.') as [string, string?]
    const call = (...args: readonly unknown[]) => run(name, () => nameArguments(row, args))
    functions[first] =
      second === undefined ? call : { ...(functions[first] as object | undefined), [second]: call }
  }
  return functions
}

export function checkCall(name: ControlMethod, given: Input): Input {
  checkValue({ enum: Object.keys(methods) }, name, 'name')
  checkValue(OBJECT, given, 'input')
  return checkInput(methods[name], given)
}

/**
 * For people and agents, whose key without a sandbox is probably a typo. Programs may start it with
 * any write.
 */
export function checkSandbox({ starts }: MethodRow, key: string, keys: readonly string[]): void {
  if (starts || keys.includes(key)) return
  throw notFound(
    'Sandbox',
    key,
    keys,
    'the first request with that key starts it, and so does a load',
  )
}

export function checkFound<T extends { readonly result?: unknown }>(
  row: MethodRow,
  id: unknown,
  found: T,
): T {
  if (row.of && (found.result === false || found.result === undefined)) throw notFound(row.of, id)
  return found
}

/** A copy of the arguments, with defaults. One that is undefined counts as absent. */
export function checkInput(
  { input = {}, required = [], findProblems }: Partial<MethodRow>,
  given: Input,
): Input {
  const defaults = Object.fromEntries(
    Object.entries(input).map(([name, schema]) => [name, schema.default]),
  )
  const entries = Object.entries({ ...withoutUndefined(defaults), ...withoutUndefined(given) })
  const values = Object.fromEntries(
    entries.map(([name, value]) => [name, coerce(input[name], value)]),
  )
  throwIfAny([
    ...findViolations(objectOf(required, input), values),
    ...(findProblems?.(values) ?? []),
  ])
  return values
}

/** A query has only texts, and agents mix up texts and numbers. */
function coerce(schema: Schema = {}, value: unknown): unknown {
  if (schema.type === 'string' && typeof value === 'number') return String(value)
  return typeof value === 'string' ? readTyped(schema, value) : value
}

function nameArguments({ args = [] }: MethodRow, values: readonly unknown[]): Input {
  const { '*': rest = {}, ...named } = Object.fromEntries(
    args.map((name, index) => [name, values[index]]),
  )
  const options = checkValue(OBJECT, rest as object, 'options')
  const twice = Object.keys(withoutUndefined(options)).find((one) => Object.hasOwn(named, one))
  if (twice !== undefined) throw misuse(twice, 'given twice; leave it out of the options')
  return { ...options, ...named }
}
