// Makes the call of a logged request again. The log has no API keys, so the call carries an equally
// valid one.
import { isBodiless } from '../contract/address.ts'
import { misuse } from '../contract/errors.ts'
import { MAX_HEADER_BYTES } from '../contract/limits.ts'
import { hash } from '../contract/random.ts'
import { type Call, changeRequest, type RequestChange, toCall } from '../service/call.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { wasKeyRefused } from '../world/row.ts'
import { RESERVED_KEY, USUAL_KEY } from '../world/scenario.ts'
import type { State } from '../world/state.ts'

/** Several where nobody knows which: in a recording, or if the service did not read it. */
export function findKeys(
  row: Readonly<KeptRequest>,
  states: readonly State[],
  sandbox: string | null,
): readonly (string | null)[] {
  const { key, keyDigest, operation, decidedStatus } = row
  if (keyDigest !== undefined) {
    const own = findOwnKey(keyDigest, states, sandbox)
    return [own ?? `key-${keyDigest}`]
  }
  const assumptions = nameAssumptions(row.assumptions)
  const isRefused = wasKeyRefused({ assumptions, key }, decidedStatus)
  if (key === null) {
    const mayBeValid = !isRefused && BEARER.test(row.requestHeaders.authorization ?? '')
    return mayBeValid ? [findValidKey(states), RESERVED_KEY] : [null]
  }
  // In an opened recording every key but the reserved one is valid.
  if (isRefused) return [RESERVED_KEY]
  // A 405 needs no valid key.
  const hadValidKey = operation !== null || decidedStatus === 404
  return hadValidKey ? [USUAL_KEY] : [USUAL_KEY, RESERVED_KEY]
}

const BEARER = /^bearer /i

function findOwnKey(
  digest: number,
  states: readonly State[],
  sandbox: string | null,
): string | undefined {
  if (sandbox !== null && hash(sandbox) === digest) return sandbox
  if (hash(RESERVED_KEY) === digest) return RESERVED_KEY
  for (const { apiKeys } of states) {
    for (const key of apiKeys) {
      if (hash(key) === digest) return key
    }
  }
  return undefined
}

function findValidKey([state]: readonly State[]): string {
  if (state?.choices['valid-keys'] !== 'listed') return USUAL_KEY
  const [listed = USUAL_KEY] = state.apiKeys
  return listed
}

export function repeatCall(
  row: Readonly<KeptRequest>,
  key: string | null,
  change: RequestChange = {},
): Call {
  checkHead(change)
  const headers = { ...row.requestHeaders }
  if (key !== null) headers.authorization = `Bearer ${key}`
  const sent = { method: row.method, target: row.target, headers, body: row.requestBody }
  const request = changeRequest(sent, change)
  checkHead(request)
  if (change.body && isBodiless(request.method)) {
    throw misuse('request.body', `${request.method} requests have none`)
  }
  return toCall(request)
}

/** Servers read no more of a request before its body. Stops as soon as it is too much. */
function checkHead({ method = '', target = '', headers = {} }: RequestChange): void {
  let bytes = method.length + target.length
  for (const name in headers) {
    if (bytes > MAX_HEADER_BYTES) break
    bytes += name.length + (headers[name]?.length ?? 0)
  }
  if (bytes <= MAX_HEADER_BYTES) return
  const limit = `its method, target and header fields may have ${MAX_HEADER_BYTES} bytes in all`
  throw misuse('request', `${limit}; a server answers 431 to more`)
}
