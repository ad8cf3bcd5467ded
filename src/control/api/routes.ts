// What the routes of the control API do. Most call a method of the table.
import { isBodiless } from '../../contract/address.ts'
import { mismatch, misuse, notFound } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import { type Json, parseInt64, toJson } from '../../contract/int64-json.ts'
import { DEFAULT_LIMIT } from '../../contract/limits.ts'
import { checkValue, OBJECT, throwIfAny } from '../../contract/options.ts'
import { joinWords } from '../../contract/problem.ts'
import { objectOf } from '../../contract/schema.ts'
import { isPlainObject } from '../../contract/values.ts'
import { readJsonDocument } from '../../scenario/document.ts'
import type { Call, Reply } from '../../service/call.ts'
import { decodeBody } from '../../service/parse-input.ts'
import { checkFound } from '../check-call.ts'
import type { Control, ControlMethod, Result } from '../control.ts'
import { createEventStreams, type EventStream } from '../event-streams.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'
import type { extras } from '../methods.ts'
import { methods } from '../methods.ts'
import { HEADERS } from '../protocol.ts'
import { findExcess, loadSent, READ_LIMITS } from './load.ts'

export type RouteRow = NamedRow | readonly [name: keyof typeof extras, row: MethodRow]
type RouteRequest = Readonly<{ call: Call; id: string; sandbox: string | undefined; input: Input }>
export type RouteReply = Readonly<{
  status: number
  body?: string
  headers?: Reply['headers']
  stream?: EventStream
}>
export type RouteSettings = { mcp?(call: Call): Promise<RouteReply> }

/** A handler that compresses would hold events back. */
const STREAM_FIELDS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
}

export function createRunner(control: Control, { mcp }: RouteSettings) {
  const openStream = createEventStreams(control)
  const others: {
    readonly [Name in RouteRow[0]]?: (request: RouteRequest) => RouteReply | Promise<RouteReply>
  } = {
    openapi: async ({ call }) => ({ status: 200, body: toJson(await readSpec(addressOf(call))) }),
    ...(mcp && { mcp: ({ call }) => mcp(call) }),
    events({ sandbox }) {
      if (sandbox !== undefined && sandbox !== '*') control.sandbox(sandbox)
      return { status: 200, headers: STREAM_FIELDS, stream: openStream(sandbox) }
    },
  }
  return (rows: readonly RouteRow[], request: RouteRequest) => {
    const [[name]] = rows as [RouteRow]
    const other = others[name]
    if (!other) return runMethod(control, rows as readonly NamedRow[], request)
    checkValue(objectOf([], {}), request.input)
    return other(request)
  }
}

/** Where the client found the mock; empty if the host does not know. */
export const addressOf = ({ scheme, headers: { host } }: Call) =>
  scheme && host ? `${scheme}://${host}` : ''

/**
 * Calls a method for one of several clients, which wait meanwhile: a list is short unless more is
 * asked for.
 */
export function callFor(
  control: Control,
  sandbox: string | undefined,
  name: ControlMethod,
  given: Input,
) {
  const { isGlobal, hasAll, input } = methods[name]
  // A key is the address of its state, and `*` an argument of a method that can concern all.
  const isAll = sandbox === '*' && hasAll
  const addressed = sandbox === undefined || isAll || isGlobal ? control : control.sandbox(sandbox)
  if (name === 'load') throwIfAny(findExcess(given.scenario))
  const limit = input?.limit && { limit: DEFAULT_LIMIT }
  return addressed.call(name, { ...limit, ...given, ...(isAll && { sandbox: '*' }) })
}

export async function readSpec(address: string): Promise<unknown> {
  const { openapi } = await import('../../contract/generated/openapi.ts')
  return { ...openapi, servers: [{ url: address + contract.basePath, description: 'This mock' }] }
}

async function runMethod(
  control: Control,
  rows: readonly NamedRow[],
  request: RouteRequest,
): Promise<RouteReply> {
  const body = readSent(request.call)
  const firstOf = ([, { args }]: NamedRow) => args?.[0] as string
  const found = rows.find(
    (one) => rows.length === 1 || (isPlainObject(body) && Object.hasOwn(body, firstOf(one))),
  )
  if (!found) throw mismatch('', joinWords(rows.map(firstOf), 'or'))
  const [name, row] = found
  const input = readArguments(row, request, body)
  const { sandbox } = request
  // A wrong key is not one of the problems of a document.
  if (name === 'load' && sandbox !== undefined) control.sandbox(sandbox)
  const call = async (input: Input) => callFor(control, sandbox, name, input)
  const load = (scenario: unknown) => call({ ...input, scenario })
  const result = await (name === 'load' ? loadSent(input.scenario, load) : call(input))
  return showResult(row, checkFound(row, request.id, result))
}

function readArguments(
  { path, of, input, body: whole }: MethodRow,
  request: RouteRequest,
  body?: Json,
): Input {
  if (whole === undefined && body !== undefined) checkValue(OBJECT, body)
  const given: Input = {
    ...request.input,
    ...(whole === undefined ? (body as object) : { [whole]: body }),
  }
  if (!path.includes('{id}')) return given
  if (Object.hasOwn(given, 'id')) throw misuse('id', 'it is in the path; leave it out')
  const id = input?.id?.type === 'integer' ? parseInt64(request.id) : request.id
  if (id === undefined) throw notFound(String(of), request.id)
  return { ...given, id }
}

function showResult({ returns, type }: MethodRow, given: Result): RouteReply {
  const { row, total, print } = given
  const headers = {
    ...(row !== undefined && { [HEADERS.row]: String(row) }),
    ...(total !== undefined && { [HEADERS.total]: String(total) }),
    ...(type !== undefined && { 'Content-Type': type }),
  }
  if (print) return { status: 200, headers, body: print() }
  const { result } = given
  if (result === undefined || result === true) return { status: 204, headers }
  const body = type === undefined ? toJson(result) : String(result)
  return { status: returns === 'added' ? 201 : 200, headers, body }
}

function readSent({ method, body }: Call): Json | undefined {
  if (isBodiless(method) || !body?.length) return undefined
  return readJsonDocument(decodeBody(body), { of: 'body' }, READ_LIMITS) as Json
}
