// What a server does with a call before it reads the body: which API it is for, what refuses it, what it gets at `/`.
import { isBodiless } from '../contract/address.ts'
import type { ControlApi, ControlApiSettings } from '../control/api.ts'
import { findMisusedToken } from '../control/guard.ts'
import { CONTROL_PATH, isControlTarget } from '../control/methods.ts'
import { addressOf } from '../control/routes.ts'
import { contract } from '../generated/contract.ts'
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../limits.ts'
import type { Mock } from '../mock/mock.ts'
import type { Call, Reply } from '../service/call.ts'
import { bodyFields, commonFields } from '../service/reply.ts'

const ICON_PATH = '/favicon.ico'
const CONSOLE_LINK = `<!doctype html>
<meta http-equiv="refresh" content="0; url=${CONTROL_PATH}/">
<title>animal-store-mock</title>
<p><a href="${CONTROL_PATH}/">Console</a>
`

/** Without a front door, `/` belongs to another server. */
export type DoorSettings = Pick<ControlApiSettings, 'isOn' | 'token' | 'schemes'> & { readonly hasFrontDoor?: boolean }

/** The door of the API that a call is for. That of the control is made when it is first needed. */
export function createDoors(mock: Mock, openControl: () => ControlApi, { isOn, token, hasFrontDoor }: DoorSettings) {
  // Each API checks its size again, since not every host has a door. A member of `Mock` for it would be public.
  return (call: Call) => {
    if (!isControlTarget(call.target)) return { api: mock, maxBytes: MAX_BODY_BYTES, findEarly }
    const api = openControl()
    return { api, maxBytes: MAX_DOCUMENT_BYTES, findEarly: api.findRefusal }
  }

  /** The reply that does not depend on the body, if there is one; `problem` is what the host has found. */
  function findEarly(call: Call, problem = token ? findMisusedToken(call, token) : undefined): Reply | undefined {
    return problem ? mock.refuse(call, problem) : welcome(call)
  }

  /** Tools that wait for a server see that it is up, and a browser is led to the console. Neither is logged. */
  function welcome(call: Call): Reply | undefined {
    const { method, target, header } = call
    if (!hasFrontDoor || !isBodiless(method) || (target !== '/' && target !== ICON_PATH)) return undefined
    const common = commonFields(Date.parse(mock.control.clock.get().now))
    if (target === ICON_PATH) return { status: 204, headers: common, body: '' }
    const here = addressOf(call)
    const addresses = { health: `${here + CONTROL_PATH}/health`, console: `${here + CONTROL_PATH}/` }
    const isBrowser = isOn && header('accept')?.includes('text/html')
    const body = isBrowser ? CONSOLE_LINK : JSON.stringify({ api: here + contract.basePath, ...(isOn && addresses) })
    const type = isBrowser ? 'text/html; charset=utf-8' : undefined
    const headers = { ...bodyFields(body, type), ...common, Vary: 'Accept' }
    return { status: 200, headers, body: method === 'HEAD' ? '' : body }
  }
}
