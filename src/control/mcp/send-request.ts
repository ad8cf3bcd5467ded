// The tool `send_request`: sends a request as the app would, and shows its row.
import { isBodiless } from '../../contract/address.ts'
import { mismatch, UsageError } from '../../contract/errors.ts'
import { cutLine } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { JSON_TYPE } from '../../contract/int64-json.ts'
import { changeRequest, type RequestChange, type SentRequest } from '../../service/call.ts'
import { LACKS, type RequestRow } from '../../world/row.ts'
import type { Input } from '../method-row.ts'
import { describeRequest } from '../rows/describe-request.ts'
import { nameRow } from '../rows/name-row.ts'
import { requestOf } from '../text/copy-logged.ts'
import { findSent } from '../text/find-sent.ts'
import { pathOf, resolveTarget } from '../text/resolve-target.ts'
import { fieldsFor, workingKey } from '../text/working-key.ts'
import { describeBody } from './explain-body.ts'
import { findRequest } from './explain-request.ts'
import { controlBy, type Use } from './reach.ts'

/** It has a `path` rather than an address, so that it goes to this mock alone. */
type SendInput = RequestChange & { readonly path?: string; readonly apiKey?: string }

export async function sendAsApp(use: Use, input: Input): Promise<readonly string[]> {
  const control = controlBy(use.call)
  const state = await control.state({ pets: false })
  const row = input.again === undefined ? undefined : await findRequest(control, input.again)
  if (row) checkRepeatable(row, input)
  const sandbox = use.sandbox ?? null
  const identity = fieldsFor(sandbox, workingKey(sandbox, state))
  const logged = row && requestOf(row, state, use.mockUrl)
  const request = readRequest(input, identity, logged)

  const earlier = await control.requests({ waiting: true })
  const known = new Set(earlier.map(nameRow))
  const { outcome, body, isOk } = await send(use, request)
  const rows = await control.requests({ waiting: true })
  const found = findSent(rows, { known, method: request.method, target: request.target })
  const notLogged = `This request is not in the log of ${use.sandbox ?? 'the mock'}`
  const shown = found ? describeRequest(found) : [notLogged]
  const lines = [outcome, ...shown, describeBody(body)]
  if (!found && !isOk) throw new UsageError(lines)
  return lines
}

/** The log may lack a part of a request, which the agent can give. */
function checkRepeatable(row: RequestRow, input: Input): void {
  if (!row.lacks) return
  const why = `Row ${row.id} ${LACKS[row.lacks]}`
  if (row.lacks === 'values') throw new UsageError(`${why}; pass path and body instead of again`)
  if (input.body === undefined) throw new UsageError(`${why}; pass body`)
}

/** What was given, with the rest as the logged request has it, or as usual. */
function readRequest(
  input: Input,
  identity: SentRequest['headers'],
  logged: SentRequest | undefined,
): SentRequest {
  const { path, apiKey, ...change }: SendInput = input
  const loggedPath = logged ? pathOf(logged.target) : undefined
  const address = path ?? loggedPath
  const target = address?.startsWith('/') ? resolveTarget(address) : undefined
  if (target === undefined)
    throw mismatch('path', `a path such as ${contract.basePath}/pets?limit=5`)
  const base = logged ?? createRequest(identity, change.body !== undefined)
  const headers = { ...readAuthorization(apiKey), ...change.headers }
  return changeRequest({ ...base, target }, { ...change, headers })
}

function createRequest(identity: SentRequest['headers'], hasBody: boolean): SentRequest {
  const headers: Record<string, string> = { ...identity }
  if (hasBody) headers['content-type'] = JSON_TYPE
  return { method: hasBody ? 'POST' : 'GET', target: '', headers, body: '' }
}

/** An empty text leaves the key out. */
function readAuthorization(apiKey: string | undefined): Record<string, string | null> {
  if (apiKey === undefined) return {}
  return { authorization: apiKey === '' ? null : `Bearer ${apiKey}` }
}

async function send(use: Use, request: SentRequest) {
  const { method, target, headers } = request
  const hasBody = request.body !== '' && !isBodiless(method)
  // Bytes: a text would get a Content-Type that the agent did not ask for.
  const body = hasBody ? new TextEncoder().encode(request.body) : null
  const init = { method, headers, redirect: 'manual', body } as const
  const response = await use.service(use.mockUrl + target, init).catch((error: Error) => error)
  if (response instanceof Error)
    return { outcome: `No response: ${cutLine(response.message)}`, body: '', isOk: false }
  const text = await response.text().catch((error: Error) => error.message)
  return { outcome: `Status ${response.status}`, body: text, isOk: response.ok }
}
