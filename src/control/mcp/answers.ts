// What tools answer: short texts. Anything that a client or a scenario chose is escaped: it cannot
// pass for our words.

import { isBodiless } from '../../contract/address.ts'
import { mismatch, misuse, notFound, UsageError } from '../../contract/errors.ts'
import { cutLine } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { JSON_TYPE, printBody, toJson } from '../../contract/int64-json.ts'
import { suggest } from '../../contract/problem.ts'
import { isObject, sum } from '../../contract/values.ts'
import { changeRequest, type RequestChange } from '../../service/call.ts'
import { isRequest, LACKS, type RequestRow, type TimelineRow } from '../../world/row.ts'
import type { RemoteControl } from '../client/client.ts'
import type { ControlMethod, PetPage, Result, StateDiff } from '../control.ts'
import { createFunctions } from '../create-functions.ts'
import { listDifferences } from '../differences.ts'
import type { Input } from '../method-row.ts'
import { renderCurl } from '../text/copy-curl.ts'
import type { CommandRequest } from '../text/copy-logged.ts'
import { requestOf } from '../text/copy-logged.ts'
import { describeRequest } from '../text/describe-request.ts'
import { describeAlternatives } from '../text/describe-what-if.ts'
import { findSent, nameOf } from '../text/find-sent.ts'
import { isFailure } from '../text/reasons.ts'
import { groupRepeats } from '../text/repeats.ts'
import { pathOf, resolveTarget } from '../text/resolve-target.ts'
import { renderLine, renderLines } from '../text/row-line.ts'
import { authorize, workingKey } from '../text/working-key.ts'

type CallMethod = (name: ControlMethod, input: Input) => Result | Promise<Result>

export interface Reach {
  readonly mockUrl: string
  /**
   * Calls a method for the shared state, or for the sandbox of a key; `*` means all where a method
   * can concern all.
   */
  callFor(sandbox: string | undefined, ...call: Parameters<CallMethod>): ReturnType<CallMethod>
  readonly service: typeof fetch
  readonly hint?: string
  readonly sandbox?: string | undefined
}

/**
 * `call` is for the state that the agent named. `isShared`: no sandbox; lists of requests are then
 * of all.
 */
export type Use = Reach & { readonly call: CallMethod; readonly isShared: boolean }

export const controlBy = (call: CallMethod) =>
  createFunctions(async (name, input) => (await call(name, input())).result) as RemoteControl

const MAX_LINES = 20
const MAX_BODY_CHARACTERS = 1_000
const NO_REQUESTS =
  'No request has reached the mock since the last load, reset or clean_up; list_requests may have older ones, by id'

/**
 * One request, for a reader who has only this text. Without an id, the last that failed, or else
 * the last one.
 */
export async function explainRequest(
  { call, callFor, mockUrl, sandbox }: Use,
  { id: wanted }: Input,
): Promise<string> {
  const row = await findRequest(controlBy(call), wanted)
  const { id, at, problems, assumptions, response } = row
  const key = row.sandbox ?? sandbox
  const control = controlBy((name, input) => callFor(key, name, input))
  const back = toJson({ call: 'rewind', id, ...(key !== undefined && { sandbox: key }) })
  const curl = renderCurl(requestOf(row, await control.state({ pets: false }), mockUrl))
  const again = row.lacks
    ? []
    : [`To see it again: go_back ${back}, then send_request {"again":${id}}, or\n  ${curl}`]
  const [asked] = await Promise.allSettled([control.whatIf(id, { alternatives: true })])
  const alternatives = asked.status === 'fulfilled' ? asked.value : []
  // The state before it may be gone.
  const differences = await control
    .diff({ before: id })
    .then(renderDifferences, ({ message }) => cutLine(message))
  const open = questions.filter((one) => (assumptions as readonly string[]).includes(one.id))
  return [
    ...describeRequest(row),
    `    at ${at}`,
    ...problems.flatMap((problem) =>
      problem.kind === 'text' ? [] : `problem: ${cutLine(toJson(problem))}`,
    ),
    ...(differences === ''
      ? []
      : ['Before it, this was different from the scenario:', differences]),
    ...open.map(
      (one) =>
        `It depends on the assumption ${one.id}. Ask the owner of the API: ${one.question} (${one.silence})`,
    ),
    describeBody(response.body),
    ...(alternatives.length > 0 ? ['What it would have got instead:'] : []),
    ...describeAlternatives(alternatives).map((line) => `  ${line}`),
    '',
    ...(asked.status === 'fulfilled' ? again : [cutLine(asked.reason.message)]),
  ].join('\n')
}

async function findRequest(control: RemoteControl, id: unknown): Promise<RequestRow> {
  const isLast = id === undefined
  const all = { waiting: true, limit: Number.MAX_SAFE_INTEGER }
  const rows = (await (isLast ? control.requests(all) : control.timeline(all))).filter(isRequest)
  const last = rows.findLast(isFailure) ?? rows.at(-1)
  const found = isLast ? last : rows.find((one) => String(one.id) === String(id))
  if (found) return found
  throw isLast
    ? new UsageError(NO_REQUESTS)
    : notFound('Request', id, [], 'list_requests has the ids')
}

function describeBody(body: string): string {
  const cut =
    body.length > MAX_BODY_CHARACTERS ? ` (the beginning of ${body.length} characters)` : ''
  return `response${cut}: ${cutLine(body, MAX_BODY_CHARACTERS)}`
}

/**
 * Sends a request as the app would, and shows its row. It has a `path`, so that it goes to this
 * mock alone.
 */
export async function sendAsApp(
  { call, mockUrl, service, sandbox }: Use,
  input: Input,
): Promise<string> {
  const control = controlBy(call)
  const state = await control.state({ pets: false })
  const row = input.again === undefined ? undefined : await findRequest(control, input.again)
  const missing =
    row?.lacks === 'values' ? 'path and body instead of again' : input.body === undefined && 'body'
  if (row?.lacks && missing)
    throw new UsageError(`Row ${row.id} ${LACKS[row.lacks]}; pass ${missing}`)
  const key = workingKey(sandbox ?? null, state)
  if (key === '' && sandbox !== undefined && state.apiKeys)
    throw misuse('sandbox', suggest(sandbox, state.apiKeys))
  const { method, target, headers, body } = readRequest(
    input,
    key,
    row && requestOf(row, state, mockUrl),
  )
  // Bytes: a text would get a Content-Type that the agent did not ask for.
  const bytes = body && !isBodiless(method) ? new TextEncoder().encode(body) : null
  const init = { method, headers, redirect: 'manual', body: bytes } as const
  const known = new Set((await control.requests({ waiting: true })).map(nameOf))
  const messageOf = (error: Error) => error.message
  const response = await service(mockUrl + target, init).catch(messageOf)
  const text = typeof response === 'string' ? '' : await response.text().catch(messageOf)
  const outcome =
    typeof response === 'string' ? `No response: ${cutLine(response)}` : `Status ${response.status}`
  const found = findSent(await control.requests({ waiting: true }), { known, method, target })
  const shown = found
    ? describeRequest(found)
    : [`This request is not in the log of ${sandbox ?? 'the mock'}`]
  const said = [outcome, ...shown, describeBody(text)].join('\n')
  if (found || (typeof response !== 'string' && response.ok)) return said
  throw new UsageError(said)
}

/** What was given, with the rest as the logged request has it, or as usual. */
function readRequest(input: Input, key: string, logged?: CommandRequest) {
  const { path, apiKey, ...given } = input as RequestChange & { path?: string; apiKey?: string }
  const address = path ?? (logged && pathOf(logged.target))
  const target = address?.startsWith('/') ? resolveTarget(address) : undefined
  if (target === undefined)
    throw mismatch('path', `a path such as ${contract.basePath}/pets?limit=5`)
  const hasBody = given.body !== undefined
  const headers = { ...authorize(key), ...(hasBody && { 'content-type': JSON_TYPE }) }
  const authorization = apiKey !== undefined && {
    authorization: apiKey === '' ? null : `Bearer ${apiKey}`,
  }
  const sent = {
    ...(logged ?? { method: hasBody ? 'POST' : 'GET', headers }),
    body: logged?.body ?? '',
    target,
  }
  return changeRequest(sent, { ...given, headers: { ...authorization, ...given.headers } })
}

const renderRow = (row: TimelineRow) => cutLine(renderLine(row))
type Render = (value: never, total: number | undefined, isLimited: boolean) => string
const renderers: Partial<Record<ControlMethod, Render>> = {
  requests: renderRows,
  timeline: renderRows,
  undo: renderRow,
  rewind: renderRow,
  'pets.list': renderPage,
  diff: (diff: StateDiff) =>
    renderDifferences(diff) || `No differences from ${toJson(diff.scenario)}`,
}

/**
 * `total` is how many rows match, of which a list may have only the last; `isLimited` if the agent
 * said how many.
 */
export function renderResult(
  name: ControlMethod,
  value: unknown,
  total: number | undefined,
  isLimited: boolean,
) {
  const render = renderers[name]
  if (render) return render(value as never, total, isLimited)
  if (Array.isArray(value)) return renderList(value.map(renderItem))
  return isObject(value) ? renderFields(value) : renderItem(value === undefined ? 'done' : value)
}

function renderList(lines: readonly string[]): string {
  const shown = lines.slice(-MAX_LINES)
  return [countFound(shown.length, lines.length, 'detail: true for more'), ...shown].join('\n')
}

const countFound = (shown: number, total: number, advice: string) =>
  shown < total ? `The last ${shown} of ${total} found; ${advice}` : `${total} found`

/** Identical requests in a row are one line, so that there may be more rows than lines. */
function renderRows(rows: readonly TimelineRow[], total = rows.length, isLimited = false): string {
  const shown = groupRepeats(rows).slice(isLimited ? 0 : -MAX_LINES)
  const count = sum(shown.map(({ times }) => times))
  const lines = renderLines(shown, { showsSandbox: true }).map((line) => cutLine(line))
  return [countFound(count, total, 'limit, operation, status or method for others'), ...lines].join(
    '\n',
  )
}

function renderPage({ pets, matches, total, byStatus }: PetPage): string {
  const all =
    matches < total ? `${matches} that match, of ${total} animals in all` : `${total} animals`
  const more = pets.length < matches ? '; limit and offset for others' : ''
  return [`${pets.length} of ${all} (${toJson(byStatus)})${more}`, ...pets.map(renderItem)].join(
    '\n',
  )
}

function renderDifferences(diff: StateDiff): string {
  const lines = listDifferences(diff).map(([, text]) => cutLine(text))
  return lines.length > MAX_LINES ? renderList(lines) : lines.join('\n')
}

function renderFields(value: object): string {
  const show = (field: unknown) =>
    Array.isArray(field) && field.length > MAX_LINES ? `${field.length} items` : renderItem(field)
  return Array.from(Object.entries(value), ([name, field]) => `${name}: ${show(field)}`).join('\n')
}

const renderItem = (item: unknown) => cutLine(printBody(item))
