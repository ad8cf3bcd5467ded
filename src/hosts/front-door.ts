// What a server does with a call before it reads the body: it finds the API that the call is for,
// refuses the call, or answers `/`.
import { isBodiless } from '../contract/address.ts'
import type { ApiError } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import {
  type ControlApi,
  type ControlApiSettings,
  type ControlReply,
  fieldsOf,
} from '../control/api/api.ts'
import type { ReadConsoleFile } from '../control/api/console-route.ts'
import { findMisusedToken } from '../control/api/guard.ts'
import { addressOf } from '../control/api/routes.ts'
import { CONTROL_PATH, isControlTarget } from '../control/protocol.ts'
import type { Mock } from '../mock/mock.ts'
import type { Call, Reply } from '../service/call.ts'
import { bodyFields, HTML_TYPE } from '../service/reply.ts'

const ICON_PATH = '/favicon.ico'
const CONSOLE_LINK = `<!doctype html>
<meta http-equiv="refresh" content="0; url=${CONTROL_PATH}/">
<title>animal-store-mock</title>
<p><a href="${CONTROL_PATH}/">Console</a>
`

/** Without a front door, `/` belongs to another server. */
export type DoorSettings = Pick<ControlApiSettings, 'isOn' | 'token'> & {
  readonly hasFrontDoor?: boolean
}

/**
 * An API as a server needs it: `begin` gives a reply that does not depend on the body, or takes the
 * body.
 */
interface Door {
  readonly maxBytes: number
  refuse(call: Call, error: ApiError): Reply
  begin(
    call: Call,
    problem?: ApiError,
  ): Reply | ((body?: Uint8Array) => Reply | Promise<ControlReply>)
}

/** The built console. It is loaded when a browser first asks for it, which makes a start faster. */
export const readConsoleFile: ReadConsoleFile = async (path) =>
  (await import('./generated/console.ts')).files[path]

/** Finds the API that a call is for. Each API checks the size of the body again. */
export function createDoors(mock: Mock, openControl: () => ControlApi, settings: DoorSettings) {
  const service: Door = {
    maxBytes: MAX_BODY_BYTES,
    refuse: mock.refuse,
    begin(call, problem) {
      const error = problem ?? findMisusedToken(call, settings.token)
      if (error) return mock.refuse(call, error)
      const early = settings.hasFrontDoor ? welcome(mock, call, settings.isOn) : undefined
      return early ?? ((body) => mock.answer(body ? { ...call, body } : call))
    },
  }
  return (call: Call): Door => (isControlTarget(call.target) ? openControl() : service)
}

/**
 * Answers `/` and the icon that browsers ask for. Tools that wait for a server see that it is up,
 * and a browser is led to the console. Neither is logged.
 */
function welcome(mock: Mock, call: Call, hasConsole: boolean): Reply | undefined {
  const { method, target } = call
  if (!isBodiless(method) || (target !== '/' && target !== ICON_PATH)) return undefined
  const common = fieldsOf(mock.control)
  if (target === ICON_PATH) return { status: 204, headers: common, body: '' }
  const isBrowser = hasConsole && call.headers.accept?.includes('text/html')
  const body = isBrowser ? CONSOLE_LINK : describeDoors(call, hasConsole)
  const type = isBrowser ? HTML_TYPE : undefined
  const headers = { ...bodyFields(body, type), ...common, Vary: 'Accept' }
  return { status: 200, headers, body: method === 'HEAD' ? '' : body }
}

function describeDoors(call: Call, hasConsole: boolean): string {
  const here = addressOf(call)
  const api = here + contract.basePath
  if (!hasConsole) return JSON.stringify({ api })
  const control = here + CONTROL_PATH
  return JSON.stringify({ api, health: `${control}/health`, console: `${control}/` })
}
