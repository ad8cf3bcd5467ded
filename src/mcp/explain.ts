// One request, explained for someone who has only this text: why it got its response, what it saw, and how to see it again.
import { type ControlClient, ControlError } from '../client/client.ts'
import { renderCurl } from '../client/copy/curl.ts'
import { requestOf } from '../client/copy/logged.ts'
import { renderTest } from '../client/copy/script.ts'
import { describeRequest } from '../client/describe-request.ts'
import { toJson } from '../contract/int64-json.ts'
import { questions } from '../generated/questions.ts'

/** What an agent passes. */
export type ToolInput = Readonly<Record<string, unknown>>

const FILE = 'moment.yaml'

/** Without an id, the last request that was refused; if there is none, the last one. */
export async function explainRequest(mock: ControlClient, { id, sandbox }: ToolInput, origin: string): Promise<string> {
  const state = typeof sandbox === 'string' ? mock.sandbox(sandbox) : mock
  const entries = await state.requests({ waiting: true })
  const entry =
    id === undefined ? (entries.findLast(({ status }) => status >= 400) ?? entries.at(-1)) : entries.find((one) => one.id === id)
  if (!entry) throw new ControlError(404, id === undefined ? 'The request log is empty' : `Request ${id} is not in the request log`)
  const request = requestOf(entry, undefined, origin)
  const open = questions.filter((one) => (entry.assumptions as readonly string[]).includes(one.id))
  const seen = await state.diff({ before: entry.id }).catch((error: ControlError) => error.message)
  return [
    `#${entry.id} at ${entry.at}`,
    ...describeRequest(entry),
    `problems: ${toJson(entry.problems)}`,
    `It saw the scenario with these differences: ${toJson(seen)}`,
    ...open.map((one) => `It depends on the assumption ${one.id}. Ask the owner of the API: ${one.question} (${one.silence})`),
    `response: ${entry.response.body}`,
    '',
    'To see it again, save the moment, start a mock from it, and send the request:',
    `  animal-store-mock snapshot --before ${entry.id} -o ${FILE}`,
    `  animal-store-mock --scenario ${FILE}`,
    `  ${renderCurl(request)}`,
    'As a test:',
    renderTest({ ...entry, ...request, options: { scenario: FILE } }),
  ].join('\n')
}
