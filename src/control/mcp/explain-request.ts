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
import { isFailure } from '../rows/reasons.ts'
import { renderCurl } from '../text/copy-curl.ts'
import { requestOf } from '../text/copy-logged.ts'
import { describeAlternatives } from '../text/describe-what-if.ts'
import { controlBy, type Use } from './reach.ts'
import { renderDifferences } from './render-result.ts'

const MAX_BODY_CHARACTERS = 1_000
const NO_REQUESTS =
  'No request has reached the mock since the last load, reset or clean_up; ' +
  'list_requests may have older ones, by id'

export async function explainRequest(use: Use, input: Input): Promise<string> {
  const row = await findRequest(controlBy(use.call), input.id)
  const key = row.sandbox ?? use.sandbox
  const control = controlBy((name, given) => use.callFor(key, name, given))
  const state = await control.state({ pets: false })
  const alternatives = await control.whatIf(row.id, { alternatives: true }).catch(sayRefusal)
  // The state before it may be gone.
  const differences = await control.diff({ before: row.id }).then(renderDifferences, sayRefusal)

  const lines = [...describeRequest(row), `    at ${row.at}`]
  for (const problem of row.problems) {
    if (problem.kind !== 'text') lines.push(`problem: ${cutLine(toJson(problem))}`)
  }
  if (differences !== '')
    lines.push('Before it, this was different from the scenario:', differences)
  lines.push(...describeQuestions(row))
  lines.push(describeBody(row.response.body))
  if (typeof alternatives === 'string') {
    lines.push('', alternatives)
    return lines.join('\n')
  }
  lines.push(...describeInstead(alternatives), '')
  if (!row.lacks) {
    const curl = renderCurl(requestOf(row, state, use.mockUrl))
    lines.push(describeAgain(row.id, key, curl))
  }
  return lines.join('\n')
}

/** Without an id, the last request that failed, or else the last one. */
export async function findRequest(control: RemoteControl, id: unknown): Promise<RequestRow> {
  const all = { waiting: true, limit: Number.MAX_SAFE_INTEGER }
  if (id === undefined) {
    const requests = await control.requests(all)
    const last = requests.findLast(isFailure) ?? requests.at(-1)
    if (last) return last
    throw new UsageError(NO_REQUESTS)
  }
  const rows = await control.timeline(all)
  const found = rows.filter(isRequest).find((row) => String(row.id) === String(id))
  if (found) return found
  throw notFound('Request', id, [], 'list_requests has the ids')
}

export function describeBody(body: string): string {
  const isLong = body.length > MAX_BODY_CHARACTERS
  const cut = isLong ? ` (the beginning of ${body.length} characters)` : ''
  return `response${cut}: ${cutLine(body, MAX_BODY_CHARACTERS)}`
}

function describeQuestions(row: RequestRow): string[] {
  const ids: readonly string[] = row.assumptions
  const open = questions.filter((one) => ids.includes(one.id))
  return open.map((one) => {
    const advice = `Ask the owner of the API: ${one.question} (${one.silence})`
    return `It depends on the assumption ${one.id}. ${advice}`
  })
}

function describeInstead(alternatives: readonly Alternative[]): string[] {
  if (alternatives.length === 0) return []
  const lines = describeAlternatives(alternatives).map((line) => `  ${line}`)
  return ['What it would have got instead:', ...lines]
}

function describeAgain(id: number, sandbox: string | undefined, curl: string): string {
  // JSON leaves out what is undefined.
  const back = toJson({ call: 'rewind', id, sandbox })
  return `To see it again: go_back ${back}, then send_request {"again":${id}}, or\n  ${curl}`
}

function sayRefusal(error: Error): string {
  return cutLine(error.message)
}
