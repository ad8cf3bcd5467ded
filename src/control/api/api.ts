// The control API over HTTP, as a function from a call to a reply. The order of the checks in
// `admit` decides which refusal a call gets. The request log has none of these calls, and no reply
// has CORS fields.
import { isBodiless, toValues } from '../../contract/address.ts'
import {
  ApiError,
  asRefusal,
  mismatch,
  misuse,
  toErrorText,
  UsageError,
} from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../../contract/limits.ts'
import type { Call, Reply } from '../../service/call.ts'
import { parseParameters } from '../../service/parse-input.ts'
import { bodyFields, commonFields } from '../../service/reply.ts'
import { decode, parseTarget, throwNotAllowed, toAllow } from '../../service/route.ts'
import { BODILESS_STATUSES } from '../../world/fault-outcome.ts'
import type { Control } from '../control.ts'
import type { EventStream } from '../event-streams.ts'
import type { Input, MethodRow } from '../method-row.ts'
import { extras, methods } from '../methods.ts'
import { CONTROL_PATH, HEADERS, MOCK_NAME } from '../protocol.ts'
import { checkBody, checkDirect, checkSite, checkToken, checkWrite } from './guard.ts'
import { createRunner, type RouteReply, type RouteRow, type RouteSettings } from './routes.ts'

export type ControlReply = Reply & { readonly stream?: EventStream }
export type ControlApi = ReturnType<typeof createControlApi>

export interface ControlApiSettings extends RouteSettings {
  readonly isOn: boolean
  /**
   * Whether `control` has all sandboxes, so that `?sandbox=*` means all of them; true by default.
   */
  readonly keepsAll?: boolean
  readonly token: string | undefined
  /** Where the host keeps the built console; without it, there is no console under `/__mock/`. */
  readonly readConsoleFile?: ReadConsoleFile
}

type ConsolePath = (typeof CONSOLE_PATHS)[number]
export type ReadConsoleFile = (
  path: ConsolePath,
) => Promise<{ readonly type: string; readonly body: string }>

const WHY_OFF =
  'The control API is off: the mock has control: false or --no-control, or, in a Worker, there is no CONTROL_TOKEN'
const CONSOLE = `${CONTROL_PATH.slice(1)}/`
const TO_CONSOLE = { status: 307, body: `{"console":"${CONSOLE}"}`, headers: { Location: CONSOLE } }
const CONSOLE_PATHS = ['/', '/console.js', '/console.css'] as const
/**
 * The console runs only its own script and style, talks only to the mock, and cannot be framed by
 * another page.
 */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
const PAGE_FIELDS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  // A page that opened the console, or that it opens, gets no hold on its window.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

export function createControlApi(control: Control, settings: ControlApiSettings) {
  const { isOn, keepsAll = true, token, mcp, readConsoleFile } = settings
  const runRoute = createRunner(control, settings)
  const all = (Object.entries({ ...methods, ...extras }) as RouteRow[]).filter(
    ([name]) => mcp || name !== 'mcp',
  )
  const paths = [...new Set(all.map(([, { path }]) => CONTROL_PATH + path))]

  /** Checks the head of a call; the result takes the call with its body. */
  function admit(call: Call): (whole: Call) => RouteReply | Promise<RouteReply> {
    if (!isOn) throw new ApiError(404, WHY_OFF)
    checkSite(call)
    if (token === undefined) checkDirect(call)
    const { path, query } = parseTarget(call.target)
    const segments = path.split('/').slice(2).map(decode)
    const isRead = isBodiless(call.method)
    // The console names its files by relative addresses, so that it works wherever the mock is
    // mounted.
    if (isRead && path === CONTROL_PATH) return () => TO_CONSOLE
    const file = CONSOLE_PATHS.find((one) => isRead && one === `/${segments.join('/')}`)
    if (file && readConsoleFile) return () => sendConsoleFile(file, readConsoleFile)
    if (token !== undefined) checkToken(call, token)
    const here = all.filter(([, row]) => matches(row, segments))
    if (here.length === 0)
      throw new ApiError(404, `Unknown path of the control API; available: ${paths.join(', ')}`)
    const allow = toAllow([...new Set(here.map(([, { method }]) => method))])
    if (call.method === 'OPTIONS') return () => ({ status: 204, headers: { Allow: allow } })
    const rows = here.filter(([, { method }]) => method === (isRead ? 'GET' : call.method))
    const [first] = rows
    if (!first) throwNotAllowed(call.method, path, allow)
    if (!isRead) checkWrite(call)
    return (whole) => {
      if (!isRead) checkBody(whole)
      const { sandbox, ...input } = readArgumentsOf(query, first[1])
      if (sandbox === '*' && !keepsAll)
        throw mismatch('sandbox', 'one key; this host keeps every sandbox apart')
      return runRoute(rows, { call: whole, id: segments.at(-1) as string, sandbox, input })
    }
  }

  function refuse(call: Call, error: unknown): Reply {
    const refusal: Omit<UsageError, 'name'> & Partial<ApiError> =
      error instanceof UsageError ? error : asRefusal(error)
    const { status, message, problems, headers = {} } = refusal
    const hasData = problems.some(({ kind, ...data }) =>
      Object.keys(data).some((name) => name !== 'text'),
    )
    const body = toErrorText(status, message, 'names', hasData ? problems : undefined)
    return completeReply(control, call, { status, body, headers })
  }

  /**
   * A refusal for the head, or for the problem that the host has found, or a function that answers
   * with the body.
   */
  function begin(
    call: Call,
    problem?: ApiError,
  ): Reply | ((body?: Uint8Array) => Promise<ControlReply>) {
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

export const fieldsOf = ({ clock }: Control) => commonFields(Date.parse(clock.get().now))

function completeReply(
  control: Control,
  { method }: Call,
  { status, body: text = '', headers, stream }: RouteReply,
) {
  const hasNone = BODILESS_STATUSES.includes(status) || stream !== undefined
  const fields = {
    ...fieldsOf(control),
    [HEADERS.mock]: `${MOCK_NAME}/${version}`,
    ...(control.summary().sandboxes !== undefined && { [HEADERS.sandboxes]: 'on' }),
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(!hasNone && bodyFields(text)),
    ...headers,
  }
  const isHead = method === 'HEAD'
  if (isHead) stream?.stop()
  return { status, headers: fields, body: isHead ? '' : text, ...(stream && !isHead && { stream }) }
}

async function sendConsoleFile(path: ConsolePath, readFile: ReadConsoleFile): Promise<RouteReply> {
  const { type, body } = await readFile(path)
  return { status: 200, body, headers: { 'Content-Type': type, ...PAGE_FIELDS } }
}

/**
 * Unlike the service, which keeps an encoded slash encoded, the control API takes any key or name
 * as an id.
 */
function matches({ path }: MethodRow, segments: readonly string[]): boolean {
  const names = path.split('/').slice(1)
  const isSame = (name: string, index: number) =>
    name === '{id}' ? segments[index] !== '' : name === segments[index]
  return names.length === segments.length && names.every(isSame)
}

function readArgumentsOf(text: string, { isGlobal }: MethodRow): Input & { sandbox?: string } {
  const sent = parseParameters(text)
  const [sandbox, ...more] = sent.get('sandbox') ?? []
  if (isGlobal && sandbox !== undefined)
    throw misuse('sandbox', 'this route concerns the whole mock; leave the parameter out')
  if (more.length > 0)
    throw new UsageError({ kind: 'mismatch', path: 'sandbox', expected: 'one key', got: 'several' })
  return toValues(sent)
}
