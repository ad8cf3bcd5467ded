// The routes of the control API: the methods of the table, and a few that no method has.
import { contract } from '../../contract/generated/contract.ts'
import { toJson } from '../../contract/int64-json.ts'
import { checkValue } from '../../contract/options.ts'
import { objectOf } from '../../contract/schema.ts'
import type { Call } from '../../service/call.ts'
import type { Control } from '../control.ts'
import { createEventStreams } from '../event-streams.ts'
import type { MethodRow } from '../method-row.ts'
import { extras, methodRows } from '../methods.ts'
import { CONTROL_PATH, meansAllSandboxes } from '../protocol.ts'
import { type MethodRows, type RouteReply, type RouteRequest, runMethod } from './run-method.ts'

export interface RouteSettings {
  mcp?(call: Call): Promise<RouteReply>
}

type Answer = (request: RouteRequest) => RouteReply | Promise<RouteReply>

export interface ControlRoute {
  readonly method: string
  readonly path: string
  /** It concerns the whole mock, so that it takes no `?sandbox=`. */
  readonly isGlobal: boolean
  readonly answer: Answer
}

/** A handler that compresses would hold events back. */
const STREAM_FIELDS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
}

export function createRoutes(control: Control, settings: RouteSettings): ControlRoute[] {
  const { mcp } = settings
  const openStream = createEventStreams(control)
  const answers: Readonly<Record<keyof typeof extras, Answer | undefined>> = {
    openapi: sendSpec,
    mcp: mcp && ((request) => mcp(request.call)),
    events(request) {
      const { sandbox } = request
      // It throws if this cannot be the key of a sandbox.
      if (sandbox !== undefined && !meansAllSandboxes(sandbox)) control.sandbox(sandbox)
      return { status: 200, headers: STREAM_FIELDS, stream: openStream(sandbox) }
    },
  }
  const routes: ControlRoute[] = []
  for (const rows of groupRows()) {
    const [[, row]] = rows
    routes.push(createRoute(row, (request) => runMethod(control, rows, request)))
  }
  for (const [name, row] of Object.entries(extras)) {
    const answer = answers[name as keyof typeof extras]
    if (answer) routes.push(createRoute(row, withoutInput(answer)))
  }
  return routes
}

/** The methods that share a route: they have the same HTTP method and path. */
function groupRows(): Iterable<MethodRows> {
  const groups = new Map<string, MethodRows>()
  for (const named of methodRows) {
    const [, { method, path }] = named
    const route = `${method} ${path}`
    const others = groups.get(route)
    groups.set(route, others ? [...others, named] : [named])
  }
  return groups.values()
}

function createRoute(row: MethodRow, answer: Answer): ControlRoute {
  const { method, path, isGlobal } = row
  return { method, path: CONTROL_PATH + path, isGlobal: isGlobal === true, answer }
}

function withoutInput(answer: Answer): Answer {
  return (request) => {
    checkValue(objectOf([], {}), request.input)
    return answer(request)
  }
}

async function sendSpec(request: RouteRequest): Promise<RouteReply> {
  const spec = await readSpec(addressOf(request.call))
  return { status: 200, body: toJson(spec) }
}

export async function readSpec(address: string): Promise<unknown> {
  const { openapi } = await import('../../contract/generated/openapi.ts')
  return { ...openapi, servers: [{ url: address + contract.basePath, description: 'This mock' }] }
}

/** Where the client found the mock; empty if the host does not know. */
export function addressOf(call: Call): string {
  const { scheme, headers } = call
  return scheme && headers.host ? `${scheme}://${headers.host}` : ''
}
