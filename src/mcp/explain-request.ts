// Two tools that are not methods of the control: why a request got its response, and a request sent to the mock.
import type { ControlError } from '../client/client.ts'
import { isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import type { ControlMethod, Outcome } from '../control/control.ts'
import { CONTROL_PATH } from '../control/methods.ts'
import type { Alternative } from '../control/results.ts'
import type { resources } from '../control/routes.ts'
import { contract } from '../generated/contract.ts'
import { questions } from '../generated/questions.ts'
import { MAX_ROWS } from '../limits.ts'
import { authorize, type CommandRequest, type Moment, renderCurl, renderTests, requestOf, testOf, workingKey } from '../render/copy.ts'
import { describeAlternatives } from '../render/differences.ts'
import { describeRequest } from '../render/rows.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../world/row.ts'
import { cutLine, renderDifferences } from './render.ts'

/** What an agent passes. */
export type ToolInput = Readonly<Record<string, unknown>>

/** The way to the mock: in this process, or over HTTP. */
export interface Reach extends Readonly<typeof resources> {
  /** Calls a method for the shared state, or for the sandbox of a key; `*` means all where a method can concern all. */
  call(sandbox: string | undefined, method: ControlMethod, input: ToolInput): Outcome | Promise<Outcome>
  /** Sends a request to the service. */
  readonly service: typeof fetch
  /** What to do if it does not respond. */
  readonly hint?: string
  /** The sandbox that is meant if the agent names none. */
  readonly sandbox?: string | undefined
}

/** For one use of a tool. */
export interface Surroundings extends Pick<Reach, 'service' | 'sandbox'> {
  /** Where the mock is, as in `http://127.0.0.1:7387`. */
  readonly origin: string
  /** Calls a method for the state that the agent named; if it named none, lists of requests are of all sandboxes. */
  readonly call: Call
  readonly callFor: Reach['call']
}

type Call = (method: ControlMethod, input: ToolInput) => Outcome | Promise<Outcome>

const MAX_BODY_CHARACTERS = 1_000
const MAX_TEST_CHARACTERS = 2_000
const EMPTY = 'No request has reached the mock since the last load, reset or clean_up; list_requests may have older ones, by id'

/** Whether the mock or a tool refused something. By its name: each bundle of the package has its own class. */
export function isRefusal(error: unknown): error is UsageError | ControlError {
  return error instanceof Error && (error.name === 'UsageError' || error.name === 'ControlError')
}

/** One request, explained for someone who has only this text. Without an id, the last refused or else the last one. */
export async function explainRequest({ call: list, callFor, origin, sandbox }: Surroundings, { id }: ToolInput): Promise<string> {
  const entry = await findEntry(list, id)
  const key = entry.sandbox ?? sandbox
  const call: Call = (method, input) => callFor(key, method, input)
  const open = questions.filter((one) => (entry.assumptions as readonly string[]).includes(one.id))
  const moment = await readMoment(call, entry.id)
  const again = toJson({ call: 'rewind', id: entry.id, ...(key !== undefined && { sandbox: key }) })
  const alternatives = await read<Alternative[]>(call, 'whatIf', { id: entry.id, alternatives: true }).catch(() => [])
  const others = describeAlternatives(alternatives)
  const differences = typeof moment === 'string' ? moment : renderDifferences(moment.diff)
  const test = typeof moment === 'string' ? '' : renderTests([testOf(entry, moment, origin)])
  return [
    `#${entry.id} at ${entry.at}`,
    ...describeRequest(entry),
    // One in plain words is the reason above.
    ...entry.problems.flatMap((problem) => (problem.kind === 'text' ? [] : `problem: ${cutLine(toJson(problem))}`)),
    ...(differences === '' ? [] : ['Before it, this was different from the scenario:', differences]),
    ...open.map((one) => `It depends on the assumption ${one.id}. Ask the owner of the API: ${one.question} (${one.silence})`),
    describeBody(entry.response.body),
    ...(others.length > 0 ? ['What it would have got instead:', ...others.map((line) => `  ${line}`)] : []),
    '',
    `To see it again: go_back ${again}, then send_request {"again":${entry.id}}, or`,
    `  ${renderCurl(requestOf(entry, undefined, origin))}`,
    ...(test === '' || test.length > MAX_TEST_CHARACTERS ? [] : ['As a test for Vitest:', test.trimEnd()]),
  ].join('\n')
}

/** The state before a row; a text if it is no longer known. */
async function readMoment(call: Call, before: number): Promise<Moment | string> {
  try {
    return { state: await read(call, 'state', { before }), diff: await read(call, 'diff', { before }) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return cutLine(error.message)
  }
}

async function findEntry(call: Call, id: unknown): Promise<RequestRow> {
  const limit = id === undefined ? MAX_ROWS : Number.MAX_SAFE_INTEGER
  const entries = (await read<TimelineRow[]>(call, id === undefined ? 'requests' : 'timeline', { waiting: true, limit })).filter(isRequest)
  const last = entries.findLast(({ status }) => status >= 400) ?? entries.at(-1)
  const found = id === undefined ? last : entries.find((one) => String(one.id) === String(id))
  if (found) return found
  if (id === undefined) throw new UsageError(EMPTY)
  throw new UsageError(`Request ${toJson(id)} is not in the request log; list_requests has the ids`)
}

async function read<T>(call: Call, method: ControlMethod, input: ToolInput): Promise<T> {
  return (await call(method, input)).result as T
}

function describeBody(body: string): string {
  const cut = body.length > MAX_BODY_CHARACTERS ? ` (the beginning of ${body.length} characters)` : ''
  return `response${cut}: ${cutLine(body, MAX_BODY_CHARACTERS)}`
}

/** Sends a request as the app would, and shows its row. It has a `path`, so that it goes to this mock alone. */
export async function sendRequest({ call, origin, service, sandbox }: Surroundings, input: ToolInput): Promise<string> {
  const logged = input.again === undefined ? undefined : requestOf(await findEntry(call, input.again), undefined, origin)
  const { method, target, headers, body } = readRequest(input, origin, workingKey(sandbox ?? null), logged)
  // Bytes: a text would get a Content-Type that the agent did not ask for.
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body && { body: new TextEncoder().encode(body) }) }
  const [last] = await read<TimelineRow[]>(call, 'timeline', { waiting: true, limit: 1 })
  const response = await service(origin + target, init).catch((error: Error) => error.message)
  const text = typeof response === 'string' ? '' : await response.text().catch((error: Error) => error.message)
  const outcome = typeof response === 'string' ? `No response: ${cutLine(response)}` : `Status ${response.status}`
  const rows = await read<RequestRow[]>(call, 'requests', { waiting: true, limit: MAX_ROWS })
  const entry = rows.find((row) => row.id > (last?.id ?? 0) && row.method === method && row.target === target)
  if (entry) return [outcome, `#${entry.id} ${describeRequest(entry).join('\n')}`, describeBody(text)].join('\n')
  throw new UsageError(`${outcome}\nThis request is not in the log of ${sandbox ?? 'the mock'}\n${describeBody(text)}`)
}

/** What was given, with the rest as the logged request has it, or as usual. */
function readRequest(input: ToolInput, origin: string, key: string, logged?: CommandRequest) {
  const { path = logged?.target, body = logged?.body || undefined, headers = {} } = input
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith(CONTROL_PATH) || !URL.canParse(origin + path)) {
    throw new UsageError(`path: expected a path such as ${contract.basePath}/pets?limit=5`)
  }
  if (!isPlainObject(headers)) throw new UsageError('headers: expected an object such as {"prefer":"code=503"}')
  const text = body === undefined || typeof body === 'string' ? body : toJson(body)
  const usual = { ...authorize(key), ...(text !== undefined && { 'content-type': 'application/json' }) }
  const fields = Object.entries({
    ...(logged?.headers ?? usual),
    ...(input.apiKey !== undefined && { authorization: input.apiKey === '' ? '' : `Bearer ${input.apiKey}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
  })
  const { method = logged?.method ?? (text === undefined ? 'GET' : 'POST') } = input
  const { pathname, search } = new URL(origin + path)
  return {
    method: String(method).toUpperCase(),
    target: pathname + search,
    headers: Object.fromEntries(fields.filter(([, value]) => value !== '')),
    body: text,
  }
}
