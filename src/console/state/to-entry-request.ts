// The request of a journal entry, to send again. The journal keeps only the end of a key: one that is not known whole is left for
// the person to fill in, never replaced by somebody else's.
import type { Json } from '../../contract/int64-json.ts'
import { MAX_JOURNAL_BODY_CHARACTERS } from '../../limits.ts'
import { redact } from '../../world/redact.ts'
import type { CommandRequest } from '../parts/to-command.ts'
import type { TestedRequest } from '../parts/to-kit-test.ts'
import { type ConsoleState, toKey } from './console-state.ts'
import type { ShownEntry } from './filter-traffic.ts'
import { toCertainFaults } from './scenario-draft.ts'
import type { ServiceRequest } from './send-request.ts'
import type { WorldView } from './world-view.ts'

/** No bearer token can have these characters, so that a refused key is refused again. */
const REFUSED_KEY = '<INVALID_KEY>'
const UNKNOWN_KEY = '<API_KEY>'
const CUT = '…'

/** `world` is the one that it was in. */
export function toEntryRequest(entry: ShownEntry, origin: string, world: WorldView): CommandRequest {
  const { method, target, request } = entry
  const key = findSentKey(entry, world)
  return {
    method,
    origin,
    target,
    headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...pickMeant(request.headers) },
    body: isCut(request.body) ? request.body.slice(0, -CUT.length) : request.body,
  }
}

/** The same to send from this page: a key that was accepted but is not known whole is replaced by the page's own. */
export function toServiceRequest(entry: ShownEntry, state: ConsoleState, world: WorldView): ServiceRequest {
  const { method, target, headers, body } = toEntryRequest(entry, '', world)
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace(UNKNOWN_KEY, toKey(state))])
  return { method, target, headers: Object.fromEntries(own), body: body === '' ? undefined : body }
}

/** The same as a test of its own, in which any key is valid. */
export function toTestedRequest(
  entry: ShownEntry,
  origin: string,
  { scenarios, operations }: ConsoleState,
  world: WorldView,
): TestedRequest {
  const { headers, ...request } = toEntryRequest(entry, origin, world)
  const { authorization, ...others } = headers
  const isAccepted = authorization !== undefined && !authorization.includes(REFUSED_KEY)
  const changed = world.assumptions.filter(({ id, choice, default: usual }) => choice !== usual && entry.assumptions.includes(id))
  return {
    ...request,
    headers: { ...(authorization === undefined ? {} : { authorization: isAccepted ? 'Bearer test-key' : authorization }), ...others },
    status: entry.status,
    operation: entry.operation,
    baseUrl: `${origin}/${operations[0]?.path.split('/')[1] ?? ''}`,
    // What the request itself asked for is among its headers.
    faults: toCertainFaults({ ...entry, faults: entry.faults.filter((id) => id !== 'Prefer') }, world.faults).map(
      ({ id, ...fault }) => ({ ...fault }) as Record<string, Json>,
    ),
    assume: Object.fromEntries(changed.map(({ id, choice }) => [id, choice])),
    scenario: world.name !== 'default' && scenarios.some(({ name }) => name === world.name) ? world.name : undefined,
  }
}

/** The headers that the response depends on; the others are the sender's own. */
function pickMeant(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'prefer'))
}

/** Whether the journal has only the beginning of a body. */
export function isCut(body: string): boolean {
  return body.length === MAX_JOURNAL_BODY_CHARACTERS + CUT.length && body.endsWith(CUT)
}

/** What to know before a body that is cut is copied or sent. */
export const CUT_NOTE = 'The body was longer: the journal keeps its beginning, and only that is copied and sent.'

function findSentKey({ key, status, operation, response, sandbox }: ShownEntry, world: WorldView): string | undefined {
  const challenge = response.headers['WWW-Authenticate'] ?? ''
  if (status === 401) return challenge.includes('error=') ? REFUSED_KEY : undefined
  if (key === null) return undefined
  if (sandbox !== null && redact(sandbox) === key) return sandbox
  // Only an operation checks the key; where keys are listed, one that passed is among them.
  const isListed = operation !== null && world.assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  const known = isListed ? world.apiKeys.filter((one) => redact(one) === key) : []
  return known.length === 1 ? known[0] : UNKNOWN_KEY
}
