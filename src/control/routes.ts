// The routes of the control API. Most follow from the table of methods; the rest load scenarios, stream events and serve the spec.
import { isPlainObject } from '../contract/describe-value.ts'
import { ApiError, UsageError } from '../contract/errors.ts'
import { type Json, parseInt64 } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import { joinWords } from '../contract/text.ts'
import { contract } from '../generated/contract.ts'
import { findShipped } from '../scenario/document.ts'
import { importShipped } from '../scenario/resolve.ts'
import type { Call } from '../service/call.ts'
import type { Scenario } from '../world/start.ts'
import type { Control, StateControl } from './control.ts'
import { createEventStreams, type EventStream } from './event-stream.ts'
import { inputs } from './inputs.ts'
import { type ControlMethod, extras, type MethodRow, methods } from './methods.ts'
import { readSentDocument, readSentName } from './sent-scenario.ts'

/** The parts of an admitted call. */
interface RouteRequest {
  /** The control of the state that it addresses. */
  readonly state: StateControl
  /** The last segment of the path, where the route leaves that open. */
  readonly id: string
  /** The key, or `*`, of `?sandbox=`. */
  readonly sandbox: string | undefined
  /** The other parameters, by the route's schema. */
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
  /** Of the text, if it is not JSON. */
  readonly type?: string
  /** Events instead of a body. */
  readonly stream?: EventStream
}

export interface ControlRoute extends Pick<MethodRow, 'method' | 'path' | 'isGlobal' | 'hasAll'> {
  /** Query parameters besides `sandbox`. */
  readonly query?: Readonly<Record<string, Schema>>
  run(request: RouteRequest): RouteOutcome | Promise<RouteOutcome>
}

/** Answers a call of the MCP server. */
export type McpRoute = (call: Call) => Promise<RouteOutcome>

type Method = readonly [name: ControlMethod, row: MethodRow]

const NOUNS: Readonly<Record<string, string>> = { '/pets/{id}': 'Animal', '/faults/{id}': 'Fault', '/sandboxes/{id}': 'Sandbox' }

export function createRoutes(control: Control, origin = toHttpOrigin, mcp?: McpRoute): readonly ControlRoute[] {
  const openStream = createEventStreams(control)

  async function load(state: StateControl, scenario: Scenario | Promise<Scenario>): Promise<RouteOutcome> {
    // At once where that is possible: the next request on the same connection may not wait.
    return ok(state.load(scenario instanceof Promise ? await scenario : scenario))
  }

  async function showScenario({ id }: RouteRequest): Promise<RouteOutcome> {
    return ok(findShipped(await importShipped(), id) ?? throwMissing('Scenario', id))
  }

  const others: Partial<Record<ControlMethod, ControlRoute['run']>> = {
    load: ({ state, body }) => load(state, readSentDocument(body())),
  }
  const all = Object.entries(methods) as Method[]
  const withSameRoute = ([, { method, path }]: Method) => all.filter(([, row]) => row.method === method && row.path === path)
  const tabled = all.filter((one) => withSameRoute(one)[0] === one)
  return [
    ...tabled.map((one): ControlRoute => {
      const [name, row] = one
      const rows = withSameRoute(one)
      const run = others[name] ?? ((request) => runMethod(rows, row.isGlobal ? control : request.state, request))
      return { ...row, query: (row.args?.includes('query') && inputs[name]) || {}, run }
    }),
    { ...extras.loadScenario, run: ({ state, body }) => load(state, readSentName(body())) },
    { ...extras.scenario, run: showScenario },
    { ...extras.openapi, run: async ({ call }) => ok(await showSpec(origin(call.header('host')))) },
    ...(mcp ? [{ ...extras.mcp, run: ({ call }: RouteRequest) => mcp(call) }] : []),
    { ...extras.events, run: ({ sandbox }) => ({ status: 200, stream: openStream(sandbox === '*' ? undefined : sandbox) }) },
  ]
}

/** Calls the method of the row that fits the body; several rows may have the same route. */
function runMethod(rows: readonly Method[], control: object, request: RouteRequest): RouteOutcome {
  const body = request.body()
  const [name, { args = [], path, returns }] = pickRow(rows, body)
  const noun = NOUNS[path] ?? ''
  const fields = args.flatMap((place) => (typeof place === 'object' ? [place.field] : []))
  const rest = fields.length === 0 ? body : without(body, fields)
  if (!args.includes('body') && !isEmpty(rest))
    throw new UsageError(`body: expected ${fields.length > 0 ? `${joinWords(fields, 'and')} alone` : 'an empty body'}`)
  const values = args.map((place) => {
    if (place === 'id') return noun === 'Animal' ? (parseInt64(request.id) ?? throwMissing(noun, request.id)) : request.id
    if (place === 'query') return request.query
    return place === 'body' ? rest : (body as Readonly<Record<string, unknown>> | undefined)?.[place.field]
  })
  const call = name.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], control) as (
    ...args: unknown[]
  ) => unknown
  const result = call(...values)
  if (result === false || (result === undefined && returns === 'maybe')) throwMissing(noun, request.id)
  if (result === undefined || returns === 'whether') return { status: 204 }
  return { status: returns === 'added' ? 201 : 200, value: result }
}

function pickRow(rows: readonly Method[], body: Json | undefined): Method {
  const [first] = rows as [Method]
  if (rows.length === 1) return first
  const toField = ([, { args }]: Method) => (args as readonly [{ readonly field: string }])[0].field
  const found = rows.find((row) => isPlainObject(body) && Object.hasOwn(body, toField(row)))
  if (!found) throw new UsageError(`body: expected ${joinWords(rows.map(toField), 'or')}`)
  return found
}

function without(body: Json | undefined, fields: readonly string[]): Readonly<Record<string, unknown>> {
  if (body !== undefined && !isPlainObject(body)) throw new UsageError('body: expected an object')
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !fields.includes(name)))
}

/** Some clients send an empty object for no body. */
function isEmpty(body: unknown): boolean {
  return body === undefined || (isPlainObject(body) && Object.keys(body).length === 0)
}

function ok(value: unknown): RouteOutcome {
  return { status: 200, value }
}

function throwMissing(noun: string, id: string): never {
  throw new ApiError(404, { kind: 'not-found', what: noun, id })
}

/** The spec with this mock as its only server. */
async function showSpec(origin: string): Promise<unknown> {
  const { openapi } = await import('../generated/openapi.ts')
  return { ...openapi, servers: [{ url: origin + contract.basePath, description: 'This mock' }] }
}

function toHttpOrigin(host: string | undefined): string {
  return host === undefined ? '' : `http://${host}`
}
