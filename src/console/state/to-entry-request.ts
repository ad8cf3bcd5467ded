// The request of a journal entry, to send again. The journal keeps only the end of a key: one that is not known whole is left for
// the person to fill in, never replaced by somebody else's.
import { MAX_JOURNAL_BODY_CHARACTERS } from '../../limits.ts'
import { redact } from '../../redact.ts'
import type { JournalEntry } from '../../world/journal.ts'
import type { CommandRequest } from '../parts/to-command.ts'
import type { WorldView } from './world-view.ts'

/** No bearer token can have these characters, so that a refused key is refused again. */
const REFUSED_KEY = '<INVALID_KEY>'
const UNKNOWN_KEY = '<API_KEY>'
const CUT = '…'

export function toEntryRequest(entry: JournalEntry, origin: string, sandbox: string | undefined, world: WorldView): CommandRequest {
  const { method, target, request } = entry
  const key = findSentKey(entry, sandbox, world)
  return {
    method,
    origin,
    target,
    headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...request.headers },
    body: isCut(request.body) ? request.body.slice(0, -CUT.length) : request.body,
  }
}

/** Whether the journal has only the beginning of a body. */
export function isCut(body: string): boolean {
  return body.length === MAX_JOURNAL_BODY_CHARACTERS + CUT.length && body.endsWith(CUT)
}

function findSentKey({ key, status, operation, answer }: JournalEntry, sandbox: string | undefined, world: WorldView): string | undefined {
  const challenge = answer.headers['WWW-Authenticate'] ?? ''
  if (status === 401) return challenge.includes('error=') ? REFUSED_KEY : undefined
  if (key === null) return undefined
  if (sandbox !== undefined && redact(sandbox) === key) return sandbox
  // Only an operation checks the key; where keys are listed, one that passed is among them.
  const isListed = operation !== null && world.assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  const known = isListed ? world.apiKeys.filter((one) => redact(one) === key) : []
  return known.length === 1 ? known[0] : UNKNOWN_KEY
}
