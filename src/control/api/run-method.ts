// Calls a method of the control for a client: its arguments come from the path, the query and the
// body.
import { isBodiless } from '../../contract/address.ts'
import { mismatch, misuse, notFound } from '../../contract/errors.ts'
import { type Json, parseInt64, toJson } from '../../contract/int64-json.ts'
import { checkValue, OBJECT, throwIfAny } from '../../contract/options.ts'
import { joinWords } from '../../contract/problem.ts'
import { isPlainObject, isPromise } from '../../contract/values.ts'
import { readJsonDocument } from '../../scenario/read-json-document.ts'
import type { Call, Reply } from '../../service/call.ts'
import { decodeBody } from '../../service/parse-body.ts'
import { checkFound } from '../check-call.ts'
import type { Control, ControlMethod, Result } from '../control.ts'
import type { EventStream } from '../event-streams.ts'
import { withLimit } from '../list-limits.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'
import { methods } from '../methods.ts'
import { ALL_SANDBOXES, HEADERS, meansAllSandboxes } from '../protocol.ts'
import { findExcess, loadSent, READ_LIMITS } from './load.ts'

export interface RouteRequest {
  readonly call: Call
  /** What stands for `{id}` in the path. */
  readonly id: string
  readonly sandbox: string | undefined
  /** The parameters of the query, without `sandbox`. */
  readonly input: Input
}

export interface RouteReply {
  readonly status: number
  readonly body?: string
  readonly headers?: Reply['headers']
  readonly stream?: EventStream
}

/** The methods that share a route: their first arguments differ. */
export type MethodRows = readonly [NamedRow, ...NamedRow[]]

export async function runMethod(
  control: Control,
  rows: MethodRows,
  request: RouteRequest,
): Promise<RouteReply> {
  const { id, sandbox } = request
  const body = readBody(request.call)
  const [name, row] = chooseRow(rows, body)
  const input = readArguments(row, request, body)
  const call = async (given: Input) => callFor(control, sandbox, name, given)
  if (name !== 'load') return renderResult(row, checkFound(row, id, await call(input)))
  // A wrong key is not one of the problems of a document.
  if (sandbox !== undefined) control.sandbox(sandbox)
  const loaded = await loadSent(input.scenario, (scenario) => call({ ...input, scenario }))
  return renderResult(row, loaded)
}

/** Calls a method for one of several clients, so a list is short unless more is asked for. */
export function callFor(
  control: Control,
  sandbox: string | undefined,
  name: ControlMethod,
  given: Input,
): Result | Promise<Result> {
  const row = methods[name]
  // A key is the address of its state, and `*` an argument of a method that can concern all.
  const isAll = row.hasAll && meansAllSandboxes(sandbox)
  const isState = sandbox !== undefined && !isAll && !row.isGlobal
  const addressed = isState ? control.sandbox(sandbox) : control
  if (name === 'load') throwIfAny(findExcess(given.scenario))
  const limited = withLimit(row, given)
  const found = addressed.call(name, isAll ? { ...limited, sandbox: ALL_SANDBOXES } : limited)
  if (isPromise(found) || !found.inTurns) return found
  return found.inTurns().then((result) => ({ result }))
}

function chooseRow(rows: MethodRows, body: Json | undefined): NamedRow {
  if (rows.length === 1) return rows[0]
  const found = rows.find((row) => isPlainObject(body) && Object.hasOwn(body, firstArgument(row)))
  if (!found) throw mismatch('', joinWords(rows.map(firstArgument), 'or'))
  return found
}

function firstArgument([, { args }]: NamedRow): string {
  return args?.[0] ?? ''
}

function readBody(call: Call): Json | undefined {
  const { method, body } = call
  if (isBodiless(method) || !body?.length) return undefined
  return readJsonDocument(decodeBody(body), { of: 'body' }, READ_LIMITS) as Json
}

function readArguments(row: MethodRow, request: RouteRequest, body: Json | undefined): Input {
  const given = { ...request.input, ...readFields(row, body) }
  if (!row.path.includes('{id}')) return given
  if (Object.hasOwn(given, 'id')) throw misuse('id', 'it is in the path; leave it out')
  const isInteger = row.input?.id?.type === 'integer'
  const id = isInteger ? parseInt64(request.id) : request.id
  if (id === undefined) throw notFound(String(row.of), request.id)
  return { ...given, id }
}

/** The arguments in the body. Without a body there are none, but a whole one is then missing. */
function readFields(row: MethodRow, body: Json | undefined): Input {
  if (row.body !== undefined) return { [row.body]: body }
  if (body === undefined) return {}
  return checkValue(OBJECT, body) as Input
}

function renderResult(route: MethodRow, given: Result): RouteReply {
  const { type } = route
  const { row, total, print } = given
  const headers: Record<string, string> = {}
  if (row !== undefined) headers[HEADERS.row] = String(row)
  if (total !== undefined) headers[HEADERS.total] = String(total)
  if (type !== undefined) headers['Content-Type'] = type
  if (print) return { status: 200, headers, body: print() }
  // Read only now: a long result is made when it is read.
  const { result } = given
  if (result === undefined || result === true) return { status: 204, headers }
  const body = type === undefined ? toJson(result) : String(result)
  return { status: route.returns === 'added' ? 201 : 200, headers, body }
}
