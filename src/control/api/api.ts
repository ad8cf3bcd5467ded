// The control API over HTTP, as a function from a call to a reply. The order of the checks in
// `admit` decides which refusal a call gets. The request log has none of these calls, and no reply
// has CORS fields.
import { isBodiless, toValues, valuesOf } from '../../contract/address.ts'
import { toErrorText } from '../../contract/error-text.ts'
import { ApiError, asRefusal, mismatch, misuse, UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Call, Reply } from '../../service/call.ts'
import { bodyFields, commonFields } from '../../service/reply.ts'
import { createRouter, throwNotAllowed } from '../../service/router.ts'
import { decode, parseParameters, parseTarget } from '../../service/target.ts'
import { BODILESS_STATUSES } from '../../world/fault-outcome.ts'
import type { Control } from '../control.ts'
import type { EventStream } from '../event-streams.ts'
import type { Input } from '../method-row.ts'
import { HEADERS, MOCK_NAME, meansAllSandboxes } from '../protocol.ts'
import { findConsoleRoute, findPlayerRoute, type PageReaders } from './console-route.ts'
import { checkBody, checkDirect, checkSite, checkToken, checkWrite } from './guard.ts'
import { type ControlRoute, createRoutes, type RouteSettings } from './routes.ts'
import type { RouteReply } from './run-method.ts'

export type ControlReply = Reply & { readonly stream?: EventStream }
export type ControlApi = ReturnType<typeof createControlApi>

export interface ControlApiSettings extends RouteSettings, PageReaders {
  readonly isOn: boolean
  /**
   * Whether `control` has all sandboxes, so that `?sandbox=*` means all of them; true by default.
   */
  readonly keepsAll?: boolean
  readonly token: string | undefined
}

/** Runs an admitted call, once its body has arrived. */
type Run = (whole: Call) => RouteReply | Promise<RouteReply>

type Begun = Reply | ((body?: Uint8Array) => Promise<ControlReply>)

const WHY_OFF = [
  'The control API is off: the mock has control: false or --no-control',
  'or, in a Worker, there is no CONTROL_TOKEN',
].join(', ')

export function createControlApi(control: Control, settings: ControlApiSettings) {
  const { isOn, keepsAll = true, token } = settings
  const routes = createRoutes(control, settings)
  const paths = [...new Set(routes.map((route) => route.path))].join(', ')
  // Unlike the service, which keeps an encoded slash encoded: a key or a name can have one.
  const findRoute = createRouter(routes, decode)

  /** Checks the head of a call. */
  function admit(call: Call): Run {
    if (!isOn) throw new ApiError(404, WHY_OFF)
    const { path, query } = parseTarget(call.target)
    const isRead = isBodiless(call.method)
    // Links lead to it from any site, and its files are the same for everybody.
    const showPlayer = isRead ? findPlayerRoute(path, settings) : undefined
    if (showPlayer) return showPlayer
    checkSite(call)
    if (token === undefined) checkDirect(call)
    const route = findRoute(path)
    const showConsole = isRead ? findConsoleRoute(path, settings) : undefined
    if (showConsole) return showConsole
    if (token !== undefined) checkToken(call, token)
    if (!route) throw new ApiError(404, `Unknown path of the control API; available: ${paths}`)
    const { allow } = route
    if (call.method === 'OPTIONS') return () => ({ status: 204, headers: { Allow: allow } })
    const method = isRead ? 'GET' : call.method
    const row = route.rows.find((one) => one.method === method)
    if (!row) throwNotAllowed(call.method, path, allow)
    if (!isRead) checkWrite(call)
    return (whole) => {
      if (!isRead) checkBody(whole)
      const { sandbox, ...input } = readParameters(query, row)
      if (meansAllSandboxes(sandbox) && !keepsAll)
        throw mismatch('sandbox', 'one key; this host keeps every sandbox apart')
      return row.answer({ call: whole, id: route.params.id ?? '', sandbox, input })
    }
  }

  function refuse(call: Call, error: unknown): Reply {
    const { status, message, problems, headers = {} } = asRefusal(error)
    const data = problems.some(hasData) ? problems : undefined
    const body = toErrorText(status, message, 'names', data)
    return completeReply(control, call, { status, body, headers })
  }

  /** Begins with the head of a call; `problem` is why the host refuses it. */
  function begin(call: Call, problem?: ApiError): Begun {
    try {
      if (problem) throw problem
      const run = admit(call)
      // A write has taken effect before this returns, unless it needs something that has to be
      // loaded.
      return async (body) => {
        try {
          return completeReply(control, call, await run({ ...call, body }))
        } catch (error) {
          return refuse(call, error)
        }
      }
    } catch (error) {
      return refuse(call, error)
    }
  }

  async function answer(call: Call): Promise<ControlReply> {
    const begun = begin(call)
    return typeof begun === 'function' ? begun(call.body) : begun
  }

  return { maxBytes: MAX_DOCUMENT_BYTES, begin, answer, refuse }
}

/** Whether a problem says more than the message does. */
function hasData(problem: Problem): boolean {
  return Object.keys(problem).some((name) => name !== 'kind' && name !== 'text')
}

export function fieldsOf(control: Control): Record<string, string> {
  return commonFields(Date.parse(control.clock.get().now))
}

function completeReply(control: Control, call: Call, reply: RouteReply): ControlReply {
  const { status, body = '', stream } = reply
  const fields = fieldsOf(control)
  fields[HEADERS.mock] = `${MOCK_NAME}/${version}`
  if (control.summary().sandboxes !== undefined) fields[HEADERS.sandboxes] = 'on'
  fields['Cross-Origin-Resource-Policy'] = 'same-origin'
  const hasBody = stream === undefined && !BODILESS_STATUSES.includes(status)
  if (hasBody) Object.assign(fields, bodyFields(body))
  const headers = { ...fields, ...reply.headers }
  if (call.method === 'HEAD') {
    stream?.stop()
    return { status, headers, body: '' }
  }
  return stream ? { status, headers, body, stream } : { status, headers, body }
}

function readParameters(query: string, route: ControlRoute): Input & { sandbox?: string } {
  const sent = parseParameters(query)
  const keys = valuesOf(sent, 'sandbox')
  if (route.isGlobal && keys.length > 0)
    throw misuse('sandbox', 'this route concerns the whole mock; leave the parameter out')
  if (keys.length > 1)
    throw new UsageError({ kind: 'mismatch', path: 'sandbox', expected: 'one key', got: 'several' })
  return toValues(sent)
}
