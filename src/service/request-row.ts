// What the request log keeps of a call and its reply.
import { MAX_LOGGED_BODY_CHARACTERS, MAX_NOTE_CHARACTERS } from '../contract/limits.ts'
import { cutText } from '../contract/values.ts'
import type { KeptRequest, SentInstead } from '../world/kept-row.ts'
import { NONE } from '../world/notes.ts'
import { hideSecrets } from '../world/redact.ts'
import type { Reply } from './call.ts'
import type { Context, Decision } from './context.ts'

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export function createRequestRow(
  reply: Reply,
  decision: Decision,
  context: Context,
  at: number,
): KeptRequest {
  const { call, apiKey, operation, strike } = context
  const { refusal, surprise, lost } = decision
  hideSecrets(call.headers, apiKey?.text)
  return {
    type: 'request',
    id: 0,
    before: undefined,
    lacks: context.isRefusedByHost ? 'host' : undefined,
    at,
    realAt: context.realAt,
    method: call.method,
    target: call.target,
    operation: operation?.operationId ?? null,
    decidedStatus: reply.status,
    assumptions: context.assumptions,
    faults: strike?.faults ?? NONE,
    struck: strike?.struck,
    surprises: surprise?.labels ?? NONE,
    decidedError: refusal === undefined ? null : cutText(refusal.message, MAX_NOTE_CHARACTERS),
    decidedProblems: refusal === undefined ? NONE : refusal.problems,
    notes: context.notes,
    lost,
    unable: undefined,
    outcome: 'waiting',
    durationMs: 0,
    key: apiKey?.shown ?? null,
    keyDigest: apiKey?.digest,
    requestHeaders: call.headers,
    requestBody: readRequestBody(context),
    // A copy, since the reply is handed out.
    responseHeaders: { ...reply.headers },
    responseBody: cutText(reply.body, MAX_LOGGED_BODY_CHARACTERS),
  }
}

/** The part of a row that is about its response. */
export function describeResponse(reply: Reply, { refusal }: Decision): SentInstead {
  return {
    decidedStatus: reply.status,
    decidedError: refusal === undefined ? null : cutText(refusal.message, MAX_NOTE_CHARACTERS),
    decidedProblems: refusal === undefined ? NONE : refusal.problems,
    responseHeaders: { ...reply.headers },
    responseBody: cutText(reply.body, MAX_LOGGED_BODY_CHARACTERS),
  }
}

function readRequestBody({ call, bodyText }: Context): string {
  if (!call.body) return ''
  const text = bodyText === '' ? lenientUtf8.decode(call.body) : bodyText
  return cutText(text, MAX_LOGGED_BODY_CHARACTERS)
}
