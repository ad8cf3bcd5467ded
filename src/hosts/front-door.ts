// What a server answers at `/` and to a browser's request for an icon. Neither is logged.
import type { Control } from '../control/control.ts'
import { CONTROL_PATH } from '../control/methods.ts'
import { contract } from '../generated/contract.ts'
import type { Call, Reply } from '../service/call.ts'
import { byteLength, commonFields } from '../service/reply.ts'

const ICON_PATH = '/favicon.ico'
const CONSOLE_LINK = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${CONTROL_PATH}/">
<title>animal-store-mock</title>
<p><a href="${CONTROL_PATH}/">Console</a>
`

/** Tools that wait for a server see that it is up, and a browser is led to the console. Undefined for other calls. */
export function answerFrontDoor(call: Call, origin: () => string, isControlOn: boolean, control: Control): Reply | undefined {
  const { method, target, header } = call
  if ((method !== 'GET' && method !== 'HEAD') || (target !== '/' && target !== ICON_PATH)) return undefined
  const common = commonFields(Date.parse(control.clock.get().now))
  if (target === ICON_PATH) return { status: 204, headers: common, body: '' }
  const here = origin()
  const isBrowser = isControlOn && header('accept')?.includes('text/html')
  const addresses = { health: `${here + CONTROL_PATH}/health`, console: `${here + CONTROL_PATH}/` }
  const body = isBrowser ? CONSOLE_LINK : JSON.stringify({ api: here + contract.basePath, ...(isControlOn && addresses) })
  const headers = {
    'Content-Type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Length': String(byteLength(body)),
    ...common,
    ...(isBrowser && { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" }),
    Vary: 'Accept',
  }
  return { status: 200, headers, body: method === 'HEAD' ? '' : body }
}
