// The tool `explain_request`: one request, for a reader who has only this text.
import { notFound, UsageError } from '../../contract/errors.ts'
import { cutLine } from '../../contract/escape.ts'
import { questions } from '../../contract/generated/questions.ts'
import { toJson } from '../../contract/int64-json.ts'
import { isRequest, type RequestRow } from '../../world/row.ts'
import type { RemoteControl } from '../client/client.ts'
import type { Alternative } from '../control.ts'
import type { Input } from '../method-row.ts'
import { describeRequest } from '../rows/describe-request.ts'
import { printDuration } from '../rows/print-duration.ts'
import { isFailure } from '../rows/reasons.ts'
import { renderCurl } from '../text/copy-curl.ts'
import { requestOf } from '../text/copy-logged.ts'
import { describeAlternatives } from '../text/describe-alternatives.ts'
import { explainBody } from './explain-body.ts'
import { controlBy, type Use } from './reach.ts'
import { renderDifferences } from './render-result.ts'

const MAX_HEADER_CHARACTERS = 500
const EVERY = { waiting: true, limit: Number.MAX_SAFE_INTEGER }
const NO_REQUESTS =
  'No request has reached the mock since the last load, reset or clean_up; ' +
  'list_requests may have older ones, by id'

export async function explainRequest(use: Use, input: Input): Promise<readonly string[]> {
  const all = controlBy(use.call)
  const row = await findRequest(all, input.id)
  const earlier = findEarlier(await all.requests(EVERY), row)
  const key = row.sandbox ?? use.sandbox
  const control = controlBy((name, given) => use.callFor(key, name, given))
  const state = await control.state({ pets: false })
  const alternatives = await control.whatIf(row.id, { alternatives: true }).catch(sayRefusal)
  // The state before it may be gone.
  const differences = await control.diff({ before: row.id }).then(renderDifferences, sayRefusals)

  const lines = [...describeRequest(row), `    at ${row.at}`]
  if (earlier) lines.push(describeEarlier(earlier, row))
  for (const problem of row.problems) {
    if (problem.kind !== 'text') lines.push(`problem: ${cutLine(toJson(problem))}`)
  }
  if (differences.length > 0)
    lines.push('Before it, this was different from the scenario:', ...differences)
  lines.push(...describeQuestions(row, alternatives))
  lines.push(...describeHeaders(row), ...explainBody(row, earlier))
  if (typeof alternatives === 'string') return [...lines, '', alternatives]
  lines.push(...describeInstead(alternatives), '')
  if (!row.lacks) {
    const curl = renderCurl(requestOf(row, state, use.mockUrl))
    lines.push(...describeAgain(row.id, key, curl))
  }
  return lines
}

/** Without an id, the last request that failed, or else the last one. */
export async function findRequest(control: RemoteControl, id: unknown): Promise<RequestRow> {
  if (id === undefined) {
    const requests = await control.requests(EVERY)
    const last = requests.findLast(isFailure) ?? requests.at(-1)
    if (last) return last
    throw new UsageError(NO_REQUESTS)
  }
  const rows = await control.timeline(EVERY)
  const found = rows.filter(isRequest).find((row) => String(row.id) === String(id))
  if (found) return found
  throw notFound('Request', id, [], 'list_requests has the ids')
}

/** The last one before that could have been this one. */
function findEarlier(rows: readonly RequestRow[], row: RequestRow): RequestRow | undefined {
  return rows.findLast((one) => one.id < row.id && isEqual(one, row))
}

/** As they were sent, whatever they got. */
function isEqual(one: RequestRow, other: RequestRow): boolean {
  const isSame = one.method === other.method && one.target === other.target
  return isSame && one.sandbox === other.sandbox && one.request.body === other.request.body
}

/** A double submit shows here. */
function describeEarlier(earlier: RequestRow, row: RequestRow): string {
  const ago = printDuration(Date.parse(row.realAt) - Date.parse(earlier.realAt))
  const result = earlier.outcome === 'sent' ? earlier.status : earlier.outcome
  return `The same request came ${ago} earlier: #${earlier.id} → ${result}`
}

/** A client that expects an ETag does not see that there is none. */
function describeHeaders({ request, response }: RequestRow): string[] {
  const names = Object.keys(response.headers)
  const hasEtag = names.some((name) => name.toLowerCase() === 'etag')
  const etag = hasEtag || names.length === 0 ? '' : '; no ETag was sent'
  return [
    `request headers: ${cutLine(toJson(request.headers), MAX_HEADER_CHARACTERS)}`,
    `response headers: ${cutLine(toJson(response.headers), MAX_HEADER_CHARACTERS)}${etag}`,
  ]
}

/** Of a question whose other choices do not matter, only that. */
function describeQuestions(
  row: RequestRow,
  alternatives: readonly Alternative[] | string,
): string[] {
  const ids: readonly string[] = row.assumptions
  const open = questions.filter((one) => ids.includes(one.id))
  const isKnown = typeof alternatives !== 'string'
  const mattering = isKnown ? listQuestions(row, alternatives) : ids
  return open.map((one) => {
    if (!mattering.includes(one.id)) {
      const result = isFailure(row) ? 'error' : 'response'
      return `The assumption ${one.id} does not matter: another choice gives the same ${result}.`
    }
    const advice = `Ask the owner of the API: ${one.question} (${one.silence})`
    return `It depends on the assumption ${one.id}. ${advice}`
  })
}

/** Those with another choice that gives another response; for a failure, another error. */
function listQuestions(row: RequestRow, alternatives: readonly Alternative[]): string[] {
  const others = alternatives.filter(({ status, error }) => {
    const isSameError = status === row.status && error === row.error
    return !isFailure(row) || !isSameError
  })
  return others.flatMap(({ change }) => Object.keys(change.assume ?? {}))
}

function describeInstead(alternatives: readonly Alternative[]): string[] {
  if (alternatives.length === 0) return []
  const lines = describeAlternatives(alternatives).map((line) => `  ${line}`)
  return ['What it would have got instead:', ...lines]
}

function describeAgain(id: number, sandbox: string | undefined, curl: string): string[] {
  // JSON leaves out what is undefined.
  const back = toJson({ call: 'rewind', id, sandbox })
  return [`To see it again: go_back ${back}, then send_request {"again":${id}}, or`, `  ${curl}`]
}

const sayRefusals = (error: Error) => [sayRefusal(error)]

function sayRefusal(error: Error): string {
  return cutLine(error.message)
}
