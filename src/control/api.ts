// The control API over HTTP, as a function from a call to a reply. `admit` reads top to bottom, and its order is the
// precedence of the responses. Nothing here is logged as a request or carries a CORS field.
import { ApiError, BUG, toErrorText, UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import type { Call, Reply } from '../service/call.ts'
import { parseQuery } from '../service/parse-input.ts'
import { decode, parseTarget, toAllow } from '../service/route.ts'
import type { Control } from './control.ts'
import type { EventStream } from './event-streams.ts'
import { checkBody, checkDirect, checkSite, checkToken, checkWrite, findMisusedToken } from './guard.ts'
import { CONTROL_PATH, extras, type MethodRow, MOCK_HEADER, MOCK_NAME, methods, SANDBOXES_HEADER } from './methods.ts'
import { address, createRunner, type McpRoute, type NamedRow, type RouteOutcome } from './routes.ts'

/** A reply; a stream of events may take the place of its body. */
export interface ControlReply extends Reply {
  readonly stream?: EventStream
}

export interface ControlApi {
  /** A write has taken effect before this returns, unless it needs something that has to be loaded. */
  answer(call: Call): Promise<ControlReply>
  /** The reply to a call that does not depend on its body, for a host that has not read it yet. */
  answerWithoutBody(call: Call): Reply | undefined
  /** The reply to a call that the host itself refuses. */
  refuse(call: Call, error: ApiError): Reply
  /** The refusal of a service call carrying the control token. */
  findMisusedToken(call: Call): ApiError | undefined
}

export interface ControlApiSettings {
  readonly isOn: boolean
  /** Why it is not on. */
  readonly whyOff?: string
  /** Whether `control` has all sandboxes, so that `?sandbox=*` means all of them; true by default. */
  readonly keepsAll?: boolean
  /** The schemes that pages of the mock's own origin can have; `http` by default. */
  readonly schemes?: readonly string[]
  /** The token that clients have to send, if any. */
  readonly token: string | undefined
  /** Where to find the token. */
  readonly whichToken?: string
  /** The MCP server; without it there is none. */
  readonly mcp?: McpRoute
  /** Where the mock is, by the Host of a request; by default at `http` there. */
  origin?(host: string | undefined): string
}

type Refusal = Pick<UsageError, 'status' | 'message' | 'problems'>

const KEPT_APART = 'sandbox: expected one key; this host keeps every sandbox apart'
/** As seen from the path of the control API. */
const CONSOLE = `${CONTROL_PATH.slice(1)}/`
const CONSOLE_PATHS = ['/', '/console.js', '/console.css'] as const
/** The console runs only its own script and style, talks only to the mock, and cannot be framed by another page. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
const PAGE_FIELDS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  // A page that opened the console, or that it opens, gets no hold on its window.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

/** Whether a target is the control API's rather than the service's. */
export function isControlTarget(target: string): boolean {
  const path = target.replace(/^https?:\/\/[^/?]*/, '')
  return path.startsWith(CONTROL_PATH) && [undefined, '/', '?'].includes(path[CONTROL_PATH.length])
}

/** The time of the mock's clock. */
export function toHttpDate({ clock }: Pick<Control, 'clock'>): string {
  return new Date(clock.get().now).toUTCString()
}

export function createControlApi(control: Control, settings: ControlApiSettings): ControlApi {
  const { isOn, whyOff = 'the mock was started with --no-control', keepsAll = true } = settings
  const { schemes, token, whichToken, origin, mcp } = settings
  const runRoute = createRunner(control, origin, mcp)
  const encoder = new TextEncoder()

  async function answer(call: Call): Promise<ControlReply> {
    try {
      const admitted = admit(call)
      return typeof admitted === 'function' ? await admitted() : admitted
    } catch (error) {
      return refuse(call, error)
    }
  }

  function answerWithoutBody(call: Call): Reply | undefined {
    try {
      const admitted = admit(call)
      return typeof admitted === 'function' ? undefined : admitted
    } catch (error) {
      return refuse(call, error)
    }
  }

  /** Site, console, token, target, path, OPTIONS, method, what a write must bring; then what is left to do. */
  function admit(call: Call): Reply | (() => Promise<ControlReply>) {
    if (!isOn) throw new ApiError(404, `The control API is off; ${whyOff}`)
    checkSite(call, schemes)
    if (token === undefined) checkDirect(call)
    const { path, query } = parseTarget(call.target)
    const segments = path.split('/').slice(2).map(decode)
    const isRead = call.method === 'GET' || call.method === 'HEAD'
    // The console names its files by relative addresses, so that it works wherever the mock is mounted.
    if (isRead && path === CONTROL_PATH) return finish(call, 307, toJson({ console: CONSOLE }), { Location: CONSOLE })
    const file = CONSOLE_PATHS.find((one) => isRead && one === `/${segments.join('/')}`)
    if (file) return () => sendConsole(call, file)
    if (token !== undefined) checkToken(call, token, whichToken)
    const routes = (Object.entries({ ...methods, ...extras }) as NamedRow[]).filter(([name]) => mcp || name !== 'mcp')
    const here = routes.filter(([, row]) => matches(row, segments))
    if (here.length === 0) throw new ApiError(404, `Unknown path of the control API; available: ${listPaths(routes)}`)
    const allow = toAllow([...new Set(here.map(([, { method }]) => method))])
    if (call.method === 'OPTIONS') return finish(call, 204, '', { Allow: allow })
    const rows = here.filter(([, { method }]) => method === (isRead ? 'GET' : call.method))
    if (rows.length === 0) {
      const message = `${call.method} is not allowed on ${path}; allowed: ${allow}`
      throw new ApiError(405, message, { headers: { Allow: allow } })
    }
    if (!isRead) checkWrite(call)
    return async () => toReply(call, await run(call, rows, segments.at(-1) as string, query))
  }

  function run(call: Call, rows: readonly NamedRow[], id: string, query: string): Promise<RouteOutcome> | RouteOutcome {
    const [[, row]] = rows as [NamedRow]
    if (row.method !== 'GET') checkBody(call, MAX_DOCUMENT_BYTES)
    const { sandbox, ...parameters } = readQuery(query, row)
    if (sandbox === '*' && !keepsAll) throw new ApiError(400, KEPT_APART)
    return runRoute(rows, { call, id, sandbox, ...address(control, row, sandbox, parameters) })
  }

  function toReply(call: Call, { status, text = '', headers: more, stream }: RouteOutcome): ControlReply {
    if (!stream) return finish(call, status, text, more)
    // A handler that compresses would hold events back.
    const fields = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' }
    const reply: ControlReply = { status, headers: { ...toCommonHeaders(), ...fields }, body: '' }
    if (call.method !== 'HEAD') return { ...reply, stream }
    stream.stop()
    return reply
  }

  /** The console is loaded when it is first asked for: the mock's start pays nothing for it. */
  async function sendConsole(call: Call, path: (typeof CONSOLE_PATHS)[number]): Promise<Reply> {
    const { files } = await import('../generated/console.ts')
    const { type, body } = files[path]
    return finish(call, 200, body, { 'Content-Type': type, ...PAGE_FIELDS })
  }

  function refuse(call: Call, error: unknown): Reply {
    const isKnown = error instanceof ApiError || error instanceof UsageError
    if (!isKnown) console.error(error)
    const { status, message, problems, headers = {} }: Partial<ApiError> & Refusal = isKnown ? error : BUG
    // A problem in plain words says what the message says.
    const shown = problems.some(({ kind }) => kind !== 'text') ? problems : undefined
    return finish(call, status, toErrorText(status, message, 'names', shown), headers)
  }

  function finish(call: Call, status: number, body: string, more: Readonly<Record<string, string>> = {}): Reply {
    const length = String(encoder.encode(body).length)
    const content = status === 204 ? {} : { 'Content-Type': 'application/json', 'Content-Length': length }
    return { status, headers: { ...toCommonHeaders(), ...content, ...more }, body: call.method === 'HEAD' ? '' : body }
  }

  function toCommonHeaders(): Record<string, string> {
    const { sandboxes } = control.summary()
    return {
      Date: toHttpDate(control),
      [MOCK_HEADER]: `${MOCK_NAME}/${version}`,
      ...(sandboxes !== undefined && { [SANDBOXES_HEADER]: 'on' }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    }
  }

  return { answer, answerWithoutBody, refuse, findMisusedToken: (call) => findMisusedToken(call, token) }
}

function listPaths(routes: readonly NamedRow[]): string {
  return [...new Set(routes.map(([, { path }]) => CONTROL_PATH + path))].join(', ')
}

function matches({ path }: MethodRow, segments: readonly string[]): boolean {
  const names = path.split('/').slice(1)
  const isSame = (name: string, index: number) => (name === '{id}' ? segments[index] !== '' : name === segments[index])
  return names.length === segments.length && names.every(isSame)
}

/** The parameters of a call, each once; the method checks them. */
function readQuery(text: string, { isGlobal }: MethodRow): Record<string, unknown> & { sandbox?: string } {
  // Without a prototype, so that a parameter of the name __proto__ is one like any other.
  const values: ReturnType<typeof readQuery> = Object.create(null)
  for (const [name, sent] of parseQuery(text)) {
    if (isGlobal && name === 'sandbox') {
      throw new UsageError('sandbox: this route concerns the whole mock; leave the parameter out')
    }
    values[name] = sent.length > 1 ? sent : sent[0]
  }
  if (!Array.isArray(values.sandbox)) return values
  throw new UsageError({ kind: 'mismatch', path: 'sandbox', expected: 'one key', got: 'several' })
}
