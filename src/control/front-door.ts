// The response at `/`, outside the service: tools that wait for a server see that it is up, and a browser is led to the
// console. Neither this nor a browser's request for an icon is logged.
import { contract } from '../generated/contract.ts'
import type { Call, Reply } from '../service/call.ts'
import { toHttpDate } from './api.ts'
import type { Control } from './control.ts'
import { CONTROL_PATH } from './methods.ts'

export interface FrontDoorSettings {
  /** Where the server is, by the Host of the request; HTTP/1.0 has none. */
  readonly origin: (host: string | undefined) => string
  readonly isControlOn: boolean
  readonly control: Pick<Control, 'clock'>
}

const ICON_PATH = '/favicon.ico'
const CONSOLE_PAGE = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${CONTROL_PATH}/">
<title>animal-store-mock</title>
<p><a href="${CONTROL_PATH}/">Console</a>
`

/** Whether the call is for the server itself. */
export function isFrontDoor({ method, target }: Call): boolean {
  return (method === 'GET' || method === 'HEAD') && (target === '/' || target === ICON_PATH)
}

export function answerFrontDoor({ method, target, header }: Call, { origin, isControlOn, control }: FrontDoorSettings): Reply {
  const common = { Date: toHttpDate(control), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  if (target === ICON_PATH) return { status: 204, headers: common, body: '' }
  const isBrowser = isControlOn && header('accept')?.includes('text/html')
  const here = origin(header('host'))
  const controls = { health: `${here + CONTROL_PATH}/health`, console: `${here + CONTROL_PATH}/` }
  const body = isBrowser ? CONSOLE_PAGE : JSON.stringify({ api: here + contract.basePath, ...(isControlOn && controls) })
  const headers = {
    'Content-Type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Length': String(body.length),
    ...common,
    ...(isBrowser && { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" }),
    Vary: 'Accept',
  }
  return { status: 200, headers, body: method === 'HEAD' ? '' : body }
}
