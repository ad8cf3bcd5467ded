// One request, explained for someone who has only this text: why it got its response, what it depended on, and how to see it again.
import type { ControlClient } from '../client/client.ts'
import { ControlError } from '../client/client.ts'
import { renderCurl } from '../client/copy/curl.ts'
import { describeRequest } from '../client/describe-request.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import { questions } from '../generated/questions.ts'
import type { ToolInput } from './tools.ts'

/** Without an id, the last request that was refused; if there is none, the last one. */
export async function explainRequest(mock: ControlClient, { id, sandbox }: ToolInput, origin: string): Promise<string> {
  const state = typeof sandbox === 'string' ? mock.sandbox(sandbox) : mock
  const entries = await state.requests({ waiting: true })
  const entry =
    id === undefined ? (entries.findLast(({ status }) => status >= 400) ?? entries.at(-1)) : entries.find((one) => one.id === id)
  if (!entry) throw new ControlError(404, id === undefined ? 'The request log is empty' : `Request ${id} is not in the request log`)
  return [
    `#${entry.id} at ${entry.at}`,
    ...describeRequest(entry),
    ...describeAssumptions(entry),
    `Response: ${entry.response.body}`,
    `To repeat it: ${renderCurl({ ...entry, origin, headers: entry.request.headers, body: entry.request.body })}`,
  ].join('\n')
}

function describeAssumptions({ assumptions }: LoggedRequest): string[] {
  return questions
    .filter(({ id }) => (assumptions as readonly string[]).includes(id))
    .map(({ id, question, silence }) => `Depends on the assumption ${id}. Ask the owner of the API: ${question} ${silence}`)
}
