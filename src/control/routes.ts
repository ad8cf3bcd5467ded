// The routes of the control API. Most follow from the table of methods; the rest load scenarios, stream events and serve the spec.
import { describeValue, isPlainObject } from '../contract/describe-value.ts'
import { ApiError, UsageError } from '../contract/errors.ts'
import { type Json, parseInt64 } from '../contract/int64-json.ts'
import { refuse } from '../contract/options.ts'
import type { Problem } from '../contract/problem.ts'
import { checkValue, type Schema } from '../contract/schema.ts'
import { joinWords } from '../contract/text.ts'
import { contract } from '../generated/contract.ts'
import { MAX_GENERATED_PETS, MAX_PETS_PER_REQUEST, MAX_ROWS, MAX_VALUES_PER_REQUEST, MAX_YAML_TEXT_BYTES } from '../limits.ts'
import { findProblems, findShipped, isJsonFile } from '../scenario/document.ts'
import { importShipped } from '../scenario/open.ts'
import { readDocument, readJsonDocument } from '../scenario/read.ts'
import type { Call } from '../service/call.ts'
import { decodeBody } from '../service/parse-input.ts'
import type { Control, ControlMethod, Outcome, StateControl } from './control.ts'
import { createEventStreams, type EventStream } from './event-stream.ts'
import { type ControlRow, extras, type MethodRow, methods, RECORDING_TYPE, ROW_HEADER, TOTAL_HEADER } from './methods.ts'
import { Printable } from './view.ts'

/** The parts of an admitted call. */
interface RouteRequest {
  /** The control of the state that it addresses. */
  readonly state: StateControl
  /** The last segment of the path, where the route leaves that open. */
  readonly id: string
  /** The key, or `*`, of `?sandbox=`. */
  readonly sandbox: string | undefined
  /** The other parameters. */
  readonly query: Readonly<Record<string, unknown>>
  /** The value of the body, if there is one; an error if it is not JSON. */
  body(): Json | undefined
  readonly call: Call
}

export interface RouteOutcome {
  readonly status: number
  /** The body, as a value. */
  readonly value?: unknown
  /** The body as JSON, if it would take long to print. */
  readonly text?: string
  /** More header fields. */
  readonly headers?: Readonly<Record<string, string>>
  /** Events instead of a body. */
  readonly stream?: EventStream
}

export interface ControlRoute extends Pick<MethodRow, 'method' | 'path' | 'isGlobal' | 'hasAll'> {
  run(request: RouteRequest): RouteOutcome | Promise<RouteOutcome>
}

/** Answers a call of the MCP server. */
export type McpRoute = (call: Call) => Promise<RouteOutcome>

/** Other clients wait while a document is read. */
const LIMITS = { values: MAX_VALUES_PER_REQUEST }
const YAML_TOO_LONG = `YAML text over HTTP may have at most ${MAX_YAML_TEXT_BYTES} bytes; load it with animal-store-mock seed, or send JSON`
const nameSchema: Schema = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } }
const fileSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'text'],
  properties: { file: { type: 'string', minLength: 1, maxLength: 255 }, text: { type: 'string' } },
}

/** The value of a request body; a repeated key is an error, as in a scenario file. */
export function readSentBody(body: Uint8Array): Json {
  return readJsonDocument(decodeBody(body), { of: 'body' }, LIMITS) as Json
}

/** More animals than one request may bring: other clients wait while they are checked and stored. */
export function findExcess(document: unknown, max = MAX_PETS_PER_REQUEST): Problem[] {
  const { pets, generate } = isPlainObject(document) ? document : {}
  const listed = Array.isArray(pets) ? pets.length : 0
  const count = isPlainObject(generate) && Number.isInteger(generate.count) ? Number(generate.count) : 0
  const more = (path: string, flag: string, got: number): Problem[] =>
    got > max ? [{ kind: 'mismatch', path, expected: `at most ${max} over HTTP (serve ${flag} takes more)`, got: String(got) }] : []
  return [...more('pets', '--scenario', listed), ...(count > MAX_GENERATED_PETS ? [] : more('generate.count', '--count', count))]
}

/** The name of a file without folders and extension. */
function findStem(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

type Method = readonly [name: ControlMethod, row: ControlRow]

export function createRoutes(control: Control, origin = toHttpOrigin, mcp?: McpRoute): readonly ControlRoute[] {
  const openStream = createEventStreams(control)

  /** At once where that is possible: the next request on the same connection may not wait. */
  async function load(state: StateControl, scenario: unknown): Promise<RouteOutcome> {
    refuse(findExcess(scenario))
    const { result: value, row } = await state.call('load', { scenario })
    return { status: 200, value, headers: nameRow(row) }
  }

  /** The text of a file that is not on the mock's machine, JSON or YAML by its name. Its problems have lines. */
  async function loadText(state: StateControl, { file, text }: { file: string; text: string }): Promise<RouteOutcome> {
    if (!isJsonFile(file) && new TextEncoder().encode(text).length > MAX_YAML_TEXT_BYTES) throw new ApiError(413, YAML_TOO_LONG)
    const { value, place } = await readDocument(text, file, LIMITS)
    if (!isPlainObject(value)) throw new UsageError(place(findProblems(value)))
    return load(state, { name: findStem(file), ...value }).catch((error) => {
      throw error instanceof UsageError ? new UsageError(place(error.problems)) : error
    })
  }

  async function showScenario({ id }: RouteRequest): Promise<RouteOutcome> {
    return ok(findShipped(await importShipped(), id) ?? throwMissing('Scenario', id))
  }

  const others: Partial<Record<ControlMethod, ControlRoute['run']>> = {
    load: ({ state, body }) => load(state, body()),
    requests: (request) => listRows('requests', request),
    timeline: (request) => listRows('timeline', request),
    recording: ({ state, query }) => {
      const { result } = state.call('recording', query) as Outcome
      return { status: 200, text: result as string, headers: { 'Content-Type': RECORDING_TYPE } }
    },
  }
  const all = Object.entries(methods) as Method[]
  const withSameRoute = ([, { method, path }]: Method) => all.filter(([, row]) => row.method === method && row.path === path)
  const tabled = all.filter((one) => withSameRoute(one)[0] === one)
  return [
    ...tabled.map((one): ControlRoute => {
      const [name, row] = one
      const rows = withSameRoute(one)
      return { ...row, run: others[name] ?? ((request) => runMethod(rows, row.isGlobal ? control : request.state, request)) }
    }),
    {
      ...extras.loadScenario,
      run({ state, body }) {
        const sent = body()
        if (isPlainObject(sent) && 'text' in sent) return loadText(state, checkValue(fileSchema, sent) as never)
        return load(state, (checkValue(nameSchema, sent) as { name: string }).name)
      },
    },
    { ...extras.scenario, run: showScenario },
    { ...extras.openapi, run: async ({ call }) => ok(await showSpec(origin(call.header('host')))) },
    ...(mcp ? [{ ...extras.mcp, run: ({ call }: RouteRequest) => mcp(call) }] : []),
    { ...extras.events, run: ({ sandbox }) => ({ status: 200, stream: openStream(sandbox === '*' ? undefined : sandbox) }) },
  ]
}

/** The last rows, a hundred unless the caller asks for more, and how many there are. */
function listRows(name: 'requests' | 'timeline', { state, query }: RouteRequest): RouteOutcome {
  const { limit = MAX_ROWS, ...filter } = query
  const read = (wanted: Readonly<Record<string, unknown>>) => (state.call(name, wanted) as Outcome).result as readonly unknown[]
  const rows = read({ ...filter, limit })
  const { length } = rows.length < Number(limit) ? rows : read(filter)
  return { status: 200, value: rows, headers: { [TOTAL_HEADER]: String(length) } }
}

function nameRow(row: number | undefined): Record<string, string> {
  return row === undefined ? {} : { [ROW_HEADER]: String(row) }
}

/** Calls the method of the row that fits the body; several rows may have the same route. */
function runMethod(rows: readonly Method[], control: StateControl, request: RouteRequest): RouteOutcome {
  const body = request.body()
  const [name, row] = pickRow(rows, body)
  const { of, returns } = row
  // All but `load` are done at once.
  const outcome = control.call(name, readArguments(row, body, request)) as Outcome
  const { result } = outcome
  if (of && (result === false || result === undefined)) throwMissing(of, request.id)
  const headers = nameRow(outcome.row)
  if (result === undefined || result === true) return { status: 204, headers }
  const shown = result instanceof Printable ? { text: result.print() } : { value: result }
  return { status: returns === 'added' ? 201 : 200, headers, ...shown }
}

/** From the query, the body and the path. */
function readArguments(row: ControlRow, body: Json | undefined, { query, id }: RouteRequest): Record<string, unknown> {
  const given = { ...query, ...readBody(row, body) }
  const { path, of, input } = row
  if (!path.includes('{id}')) return given
  if (Object.hasOwn(given, 'id')) throw new UsageError('id: it is in the path; leave it out')
  return { ...given, id: input?.id?.type === 'integer' ? (parseInt64(id) ?? throwMissing(of as string, id)) : id }
}

/** The arguments in the body. Some clients send an empty object for no body. */
function readBody({ args = [], body: whole }: ControlRow, body: Json | undefined): Record<string, unknown> {
  if (whole !== undefined) return { [whole]: body }
  if (body === undefined) return {}
  if (!isPlainObject(body)) throw new UsageError({ kind: 'mismatch', path: 'body', expected: 'an object', got: describeValue(body) })
  if (args.length === 0 && Object.keys(body).length > 0) throw new UsageError('body: expected an empty body')
  return body
}

function pickRow(rows: readonly Method[], body: Json | undefined): Method {
  const [first] = rows as [Method]
  if (rows.length === 1) return first
  const nameOf = ([, { args }]: Method) => (args as readonly [string])[0]
  const found = rows.find((row) => isPlainObject(body) && Object.hasOwn(body, nameOf(row)))
  if (!found) throw new UsageError(`body: expected ${joinWords(rows.map(nameOf), 'or')}`)
  return found
}

function ok(value: unknown): RouteOutcome {
  return { status: 200, value }
}

function throwMissing(what: string, id: string): never {
  throw new ApiError(404, { kind: 'not-found', what, id })
}

/** The spec with this mock as its only server. */
async function showSpec(origin: string): Promise<unknown> {
  const { openapi } = await import('../generated/openapi.ts')
  return { ...openapi, servers: [{ url: origin + contract.basePath, description: 'This mock' }] }
}

function toHttpOrigin(host: string | undefined): string {
  return host === undefined ? '' : `http://${host}`
}
