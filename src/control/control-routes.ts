// The routes of the control API: for each path and method, what it does through the plain methods of the control.
import { check } from '../contract/check.ts'
import { ApiError, UsageError } from '../contract/errors.ts'
import { type Json, parseInt64 } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import { type AssumptionChoices, contract, type Int64 } from '../generated/contract.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import { findShipped, type Shipped } from '../scenario/document.ts'
import { parseDuration, parseInstant } from '../world/clock.ts'
import type { Delay, Fault } from '../world/faults.ts'
import type { JournalFilter } from '../world/journal-entry.ts'
import type { Scenario } from '../world/situation.ts'
import type { AddedPet, ClockState, Control, PetChanges, WorldControl } from './control.ts'
import { createEventStreams, type EventStream } from './event-stream.ts'
import { petFilterFields } from './pets-control.ts'
import { readSentDocument, readSentName, readSentText } from './sent-scenario.ts'
import { toStateText } from './state-text.ts'
import { type InnerWorldControl, journalFilterFields, WORLD } from './world-control.ts'

/** The parts of an admitted call. */
interface ControlRequest {
  /** The methods of the world that it addresses. */
  readonly world: WorldControl
  /** The last segment of the path, where the route leaves that open. */
  readonly id: string
  /** The parameters, by the route's schema. */
  readonly query: Readonly<Record<string, unknown>>
  /** The body as it was sent, if there is one. */
  readonly bytes: Uint8Array | undefined
  /** The value of the body; an error if it is not JSON. */
  body(): Json | undefined
  /** The Host that the client sent, if any. */
  readonly host: string | undefined
}

export interface ControlOutcome {
  readonly status: number
  /** The body, as a value. */
  readonly value?: unknown
  /** The same as JSON, of what would take long to print. */
  readonly text?: string
  /** Events in place of a body. */
  readonly stream?: EventStream
  /** Fields of the response beside those that every one has; not of a stream. */
  readonly headers?: Readonly<Record<string, string>>
}

export type ControlHandler = (request: ControlRequest) => ControlOutcome | Promise<ControlOutcome>

export interface ControlRoute {
  /** Below `/__mock`; `{id}` stands for any one segment. */
  readonly path: string
  /** Query parameters besides `sandbox`. */
  readonly query?: Readonly<Record<string, Schema>>
  readonly methods: Readonly<Record<string, ControlHandler>>
  /** The largest body it accepts, if not the usual limit. */
  readonly maxBodyBytes?: number
}

/** What the routes need from the host; the heavy parts are loaded on first use. */
export interface ControlResources {
  /** The version of the package. */
  readonly version: string
  /** The shipped scenarios, by name. */
  scenarios(): Promise<Shipped>
  /** The contract as an OpenAPI document. */
  openapi(): Promise<Readonly<Record<string, unknown>>>
  /** Where the mock is, by the Host of a request; by default at `http` there. */
  origin?(host: string | undefined): string
  /** How many sandboxes there are, for a host whose control does not hold them all. */
  countSandboxes?(): number
  /** Shows the requests of all worlds, for the same host. */
  traffic?(filter: JournalFilter): Promise<ControlOutcome>
}

const clockSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { now: { type: 'string' }, advance: { type: 'string' }, frozen: { type: 'boolean' } },
}

/** What it may be is checked by the control. */
const latencySchema: Schema = { type: 'object', additionalProperties: false, required: ['latency'], properties: { latency: {} } }

export function createControlRoutes(control: Control, resources: ControlResources): readonly ControlRoute[] {
  const { origin = toHttpOrigin, countSandboxes = () => control.sandboxes().length } = resources
  const openStream = createEventStreams(control)
  const showTraffic = ({ query }: ControlRequest) => {
    const filter = withoutSandbox(query)
    return resources.traffic?.(filter) ?? ok(control.traffic(filter))
  }
  const toHealth = (world: WorldControl, more: object = {}): ControlOutcome => {
    const { byStatus: _, ...summary } = world.summary()
    const sandboxes = control.hasSandboxes ? { sandboxes: countSandboxes() } : {}
    return ok({ status: 'ok', version: resources.version, ...summary, ...sandboxes, ...more })
  }

  async function load(world: WorldControl, scenario: Scenario | Promise<Scenario>): Promise<ControlOutcome> {
    // At once where that is possible: the next request on the same connection may not wait.
    world.load(scenario instanceof Promise ? await scenario : scenario)
    return toHealth(world)
  }

  function showState({ world, query }: ControlRequest): ControlOutcome {
    const inner = (world as Partial<InnerWorldControl>)[WORLD]?.()
    return inner && query.pets !== 'false' ? { status: 200, text: toStateText(inner) } : ok(world.state({ pets: query.pets !== 'false' }))
  }

  async function checkText({ body }: ControlRequest): Promise<ControlOutcome> {
    return ok(await readSentText(body()))
  }

  async function showScenario({ id }: ControlRequest): Promise<ControlOutcome> {
    const scenario = findShipped(await resources.scenarios(), id)
    if (!scenario) throw new ApiError(404, `Scenario ${id} not found`)
    return ok(scenario)
  }

  function setLatency({ world, body }: ControlRequest): ControlOutcome {
    const { latency } = check<{ latency: Delay | null }>(latencySchema, body())
    world.latency.set(latency)
    return ok({ latency: world.latency.get() })
  }

  function undo({ world }: ControlRequest): ControlOutcome {
    const undone = world.undo()
    if (undone === undefined) throw new ApiError(409, 'Nothing to undo: nothing was loaded, reset or emptied, or it is no longer kept')
    return toHealth(world, { undone })
  }

  function reset({ world }: ControlRequest): ControlOutcome {
    world.reset()
    return toHealth(world)
  }

  function assume({ world, body }: ControlRequest): ControlOutcome {
    world.assume(body() as Partial<AssumptionChoices>)
    return ok(world.assumptions())
  }

  return [
    { path: '/health', methods: { GET: ({ world }) => toHealth(world) } },
    {
      path: '/state',
      query: { pets: { enum: ['true', 'false'] } },
      methods: { GET: showState, PUT: async ({ world, body }) => load(world, readSentDocument(body())) },
      maxBodyBytes: MAX_DOCUMENT_BYTES,
    },
    { path: '/changes', methods: { GET: ({ world }) => ok(world.changes()) } },
    { path: '/reset', methods: { POST: bodyless(reset) } },
    {
      path: '/scenarios',
      methods: {
        GET: async () => ok(toList(await resources.scenarios())),
        POST: checkText,
      },
      maxBodyBytes: MAX_DOCUMENT_BYTES,
    },
    { path: '/scenarios/{id}', methods: { GET: showScenario } },
    { path: '/scenario', methods: { PUT: async ({ world, body }) => load(world, readSentName(body())) }, maxBodyBytes: MAX_DOCUMENT_BYTES },
    {
      path: '/requests',
      query: journalFilterFields,
      methods: {
        GET: ({ world, query }) => ok(world.requests(withoutSandbox(query))),
        DELETE: bodyless(({ world }) => done(() => world.clearRequests())),
      },
    },
    { path: '/diff', methods: { GET: ({ world }) => ok(world.diff()) } },
    {
      path: '/latency',
      methods: { GET: ({ world }) => ok({ latency: world.latency.get() }), PUT: setLatency },
    },
    { path: '/undo', methods: { POST: bodyless(undo) } },
    {
      path: '/traffic',
      query: journalFilterFields,
      methods: {
        GET: showTraffic,
        DELETE: bodyless(() => done(() => control.clearTraffic())),
      },
    },
    {
      path: '/pets',
      query: petFilterFields,
      methods: {
        GET: ({ world, query }) => ok(world.pets.list(withoutSandbox(query))),
        POST: ({ world, body }) => ({ status: 201, value: world.pets.add(body() as unknown as AddedPet) }),
      },
    },
    {
      path: '/pets/{id}',
      methods: {
        GET: ({ world, id }) => ok(world.pets.get(toPetId(id)) ?? throwMissing(`Animal ${id}`)),
        PATCH({ world, id, body }) {
          const changes = body() as unknown as PetChanges
          return ok(world.pets.update(toPetId(id), changes))
        },
        DELETE: bodyless(({ world, id }) => found(world.pets.remove(toPetId(id)), `Animal ${id}`)),
      },
    },
    {
      path: '/faults',
      methods: {
        GET: ({ world }) => ok(world.faults.list()),
        POST: ({ world, body }) => ({ status: 201, value: world.faults.add(body() as unknown as Fault) }),
        DELETE: bodyless(({ world }) => done(() => world.faults.clear())),
      },
    },
    { path: '/faults/{id}', methods: { DELETE: bodyless(({ world, id }) => found(world.faults.remove(id), `Fault ${id}`)) } },
    { path: '/clock', methods: { GET: ({ world }) => ok(world.clock.get()), PUT: ({ world, body }) => ok(turnClock(world, body())) } },
    { path: '/assumptions', methods: { GET: ({ world }) => ok(world.assumptions()), PUT: assume } },
    { path: '/sandboxes', methods: { GET: () => ok(control.sandboxes()) } },
    { path: '/sandboxes/{id}', methods: { DELETE: bodyless(({ id }) => found(control.removeSandbox(id), `Sandbox ${id}`)) } },
    { path: '/coverage', methods: { GET: () => ok(control.coverage()) } },
    { path: '/events', methods: { GET: ({ query }) => ({ status: 200, stream: openStream(query.sandbox as string | undefined) }) } },
    { path: '/openapi.json', methods: { GET: async ({ host }) => ok(toServed(await resources.openapi(), origin(host))) } },
  ]
}

function ok(value: unknown): ControlOutcome {
  return { status: 200, value }
}

function done(change: () => void): ControlOutcome {
  change()
  return { status: 204 }
}

function found(wasThere: boolean, what: string): ControlOutcome {
  return wasThere ? { status: 204 } : throwMissing(what)
}

function throwMissing(what: string): never {
  throw new ApiError(404, `${what} not found`)
}

function toPetId(text: string): Int64 {
  return parseInt64(text) ?? throwMissing(`Animal ${text}`)
}

/** Refuses a body that would be ignored; some clients send an empty object for none. */
function bodyless(run: ControlHandler): ControlHandler {
  return (request) => {
    const body = request.body()
    const isEmpty = body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
    if (!isEmpty) throw new UsageError('body: expected an empty body')
    return run(request)
  }
}

function toList(scenarios: Shipped): unknown[] {
  return Object.entries(scenarios).map(([name, { description, pets = [] }]) => ({ name, description, pets: pets.length }))
}

/** A filter as the query has it; the control checks it. */
function withoutSandbox({ sandbox, ...filter }: Readonly<Record<string, unknown>>): Record<string, never> {
  return filter as Record<string, never>
}

function turnClock({ clock }: WorldControl, body: Json | undefined): ClockState {
  const { now, advance, frozen } = check<{ now?: string; advance?: string; frozen?: boolean }>(clockSchema, body)
  if (now !== undefined && advance !== undefined) throw new UsageError('body: expected either now or advance, got both')
  if (now === undefined && advance === undefined && frozen === undefined) {
    throw new UsageError('body: expected now, advance or frozen, got none of them')
  }
  // By the names that were sent; the clock's own are others.
  if (now !== undefined) parseInstant(now, 'now: ')
  if (advance !== undefined) parseDuration(advance, 'advance: ')
  const options = frozen === undefined ? {} : { frozen }
  if (now !== undefined) clock.set(now, options)
  else if (advance !== undefined) clock.advance(advance, options)
  else clock.freeze(frozen)
  return clock.get()
}

/** The contract with this mock as its only server. */
function toServed(openapi: Readonly<Record<string, unknown>>, origin: string): unknown {
  return { ...openapi, servers: [{ url: origin + contract.basePath, description: 'This mock' }] }
}

function toHttpOrigin(host: string | undefined): string {
  return host === undefined ? '' : `http://${host}`
}
