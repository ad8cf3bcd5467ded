// The control API over HTTP, as a function from a call to a reply. `admitControl` reads top to bottom, and its order is the precedence of
// the responses. Nothing here is logged as a request or carries a CORS field.
import { ApiError, BUG, toErrorText, UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import type { Call, Reply } from '../service/call.ts'
import { parseQuery } from '../service/parse-input.ts'
import { decode, parseTarget, toAllow } from '../service/route.ts'
import type { Control } from './control.ts'
import type { EventStream } from './event-stream.ts'
import { toHttpDate } from './front-door.ts'
import { checkBody, checkDirect, checkSite, checkToken, checkWrite, findMisusedToken } from './guard.ts'
import { CONTROL_PATH, MOCK_HEADER, MOCK_NAME, SANDBOXES_HEADER } from './methods.ts'
import { type ControlRoute, createRoutes, type McpRoute, type RouteOutcome, readSentBody } from './routes.ts'

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
  /** Why a call to the service is refused that carries the control token; undefined if it does not. */
  findMisusedToken(call: Call): ApiError | undefined
}

export interface ControlApiSettings {
  /** Whether the control API is available. */
  readonly isOn: boolean
  /** Why it is not. */
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

interface Admitted {
  readonly route: ControlRoute
  readonly id: string
  readonly query: string
}

/** A reply that needs no more work. */
interface Ready {
  readonly reply: Reply | Promise<Reply>
}

/** As seen from the path of the control API. */
const CONSOLE = `${CONTROL_PATH.slice(1)}/`
const CONSOLE_PATHS = ['/', '/console.js', '/console.css'] as const
/** The console runs only its own script and style, talks only to the mock, and cannot be framed by another page. */
const PAGE_FIELDS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
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

export function createControlApi(control: Control, settings: ControlApiSettings): ControlApi {
  const { isOn, whyOff = 'the mock was started with --no-control', keepsAll = true, schemes, token, whichToken } = settings
  let routes: readonly ControlRoute[] | undefined
  const encoder = new TextEncoder()

  async function answer(call: Call): Promise<ControlReply> {
    try {
      const admitted = admitControl(call)
      return 'reply' in admitted ? await admitted.reply : toReply(call, await run(call, admitted))
    } catch (error) {
      return toRefusal(call, error)
    }
  }

  function answerWithoutBody(call: Call): Reply | undefined {
    try {
      const admitted = admitControl(call)
      return 'reply' in admitted && !(admitted.reply instanceof Promise) ? admitted.reply : undefined
    } catch (error) {
      return toRefusal(call, error)
    }
  }

  /** Site, files of the console, token, target, path, OPTIONS, method, and what a write must bring. */
  function admitControl(call: Call): Admitted | Ready {
    if (!isOn) throw new ApiError(404, `The control API is off; ${whyOff}`)
    checkSite(call, schemes)
    if (token === undefined) checkDirect(call)
    const { path, query } = parseTarget(call.target)
    const segments = toSegments(path)
    const isRead = call.method === 'GET' || call.method === 'HEAD'
    // The console names its files by relative addresses, so that it works wherever the mock is mounted.
    if (isRead && path === CONTROL_PATH) return { reply: finish(call, 307, toJson({ console: CONSOLE }), { Location: CONSOLE }) }
    const consolePath = CONSOLE_PATHS.find((one) => isRead && one === `/${segments.join('/')}`)
    if (consolePath) return { reply: sendConsole(call, consolePath) }
    if (token !== undefined) checkToken(call, token, whichToken)
    // Made when the first call comes: the mock's start pays nothing for them.
    routes ??= createRoutes(control, settings.origin, settings.mcp)
    const here = routes.filter((route) => matches(route, segments))
    if (here.length === 0) throw new ApiError(404, `Unknown path of the control API; available: ${toPaths(routes).join(', ')}`)
    const allow = toAllow(here.map((route) => route.method))
    if (call.method === 'OPTIONS') return { reply: finish(call, 204, '', { Allow: allow }) }
    const method = isRead ? 'GET' : call.method
    const route = here.find((one) => one.method === method)
    if (!route) throw new ApiError(405, `${call.method} is not allowed on ${path}; allowed: ${allow}`, { headers: { Allow: allow } })
    if (!isRead) checkWrite(call)
    return { route, id: segments.at(-1) as string, query }
  }

  function run(call: Call, { route, id, query }: Admitted): RouteOutcome | Promise<RouteOutcome> {
    const isRead = route.method === 'GET'
    if (!isRead) checkBody(call, MAX_DOCUMENT_BYTES)
    const { sandbox, ...parameters } = readQuery(query, route)
    if (sandbox === '*' && !keepsAll) throw new ApiError(400, 'sandbox: expected one key; this host keeps every sandbox apart')
    const isAll = sandbox === '*' && route.hasAll
    const bytes = isRead || !call.body?.length ? undefined : call.body
    return route.run({
      state: sandbox !== undefined && !isAll ? control.sandbox(sandbox) : control,
      id,
      sandbox,
      query: isAll ? { ...parameters, sandbox } : parameters,
      body: () => bytes && readSentBody(bytes),
      call,
    })
  }

  function toReply(call: Call, { status, value, text, headers: more, stream }: RouteOutcome): ControlReply {
    if (!stream) {
      return finish(call, status, text ?? (value === undefined ? '' : toJson(value)), more)
    }
    // A handler that compresses would hold events back.
    const headers = { ...toCommonHeaders(), 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' }
    const reply: ControlReply = { status, headers, body: '' }
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

  function toRefusal(call: Call, error: unknown): Reply {
    if (error instanceof ApiError) return refuse(call, error)
    if (error instanceof UsageError) return finishError(call, error)
    console.error(error)
    return refuse(call, BUG)
  }

  function refuse(call: Call, error: ApiError): Reply {
    return finishError(call, error, error.headers)
  }

  function finishError(call: Call, { status, message, problems }: ApiError | UsageError, headers: ApiError['headers'] = {}): Reply {
    // A problem in plain words says what the message says.
    const shown = problems.some(({ kind }) => kind !== 'text') ? problems : undefined
    return finish(call, status, toErrorText(status, message, 'names', shown), headers)
  }

  function finish(call: Call, status: number, body: string, more: Readonly<Record<string, string>> = {}): Reply {
    const content = status === 204 ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(encoder.encode(body).length) }
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

function toPaths(routes: readonly ControlRoute[]): readonly string[] {
  return [...new Set(routes.map(({ path }) => CONTROL_PATH + path))]
}

/** The segments below the path of the control API. */
function toSegments(path: string): string[] {
  return path.split('/').slice(2).map(decode)
}

function matches({ path }: ControlRoute, segments: readonly string[]): boolean {
  const names = path.split('/').slice(1)
  return (
    names.length === segments.length && names.every((name, index) => (name === '{id}' ? segments[index] !== '' : name === segments[index]))
  )
}

/** The parameters of a call, each once; the method checks them. */
function readQuery(text: string, { isGlobal }: ControlRoute): Record<string, string | readonly string[]> & { sandbox?: string } {
  // Without a prototype, so that a parameter of the name __proto__ is one like any other.
  const values: Record<string, string | readonly string[]> = Object.create(null)
  for (const [name, sent] of parseQuery(text)) {
    if (isGlobal && name === 'sandbox') throw new UsageError('sandbox: this route concerns the whole mock; leave the parameter out')
    values[name] = sent.length > 1 ? sent : (sent[0] as string)
  }
  if (Array.isArray(values.sandbox)) throw new UsageError({ kind: 'mismatch', path: 'sandbox', expected: 'one key', got: 'several' })
  return values as ReturnType<typeof readQuery>
}
