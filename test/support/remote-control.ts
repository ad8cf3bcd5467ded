// The control of a mock in another process, as the synchronous methods that it is in this one: each
// is a request of the control API.

import { UsageError } from '../../src/contract/errors.ts'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { bindMethods } from '../../src/control/bind-methods.ts'
import { requestFor } from '../../src/control/client/control-request.ts'
import type { Control, StateControl } from '../../src/control/control.ts'
import type { AnsweredAtOnce } from './ask-at-once.ts'

/** Asks the control API; `target` is below `/__mock`. */
type Ask = (method: string, target: string, body: string | undefined) => AnsweredAtOnce

export function createRemoteControl(ask: Ask): Control {
  const toMethods = (key?: string) =>
    bindMethods((name, input) => {
      const { route, target, body } = requestFor(name, input(), key)
      const { method, of } = route
      const { status, text } = ask(method, target, body === undefined ? undefined : toJson(body))
      if (of && method === 'DELETE' && (status === 204 || status === 404)) return status === 204
      if (of && method === 'GET' && status === 404) return undefined
      if (status >= 400) {
        const { message, problems } = parseJson(text) as unknown as {
          message: string
          problems?: readonly Problem[]
        }
        throw new UsageError(problems ?? message.split('\n'))
      }
      return text === '' ? undefined : parseJson(text)
    }) as StateControl

  return {
    ...(toMethods() as Control),
    sandbox(key) {
      const control = toMethods(key)
      // Refuses a key, or the absence of sandboxes, at once.
      control.clock.get()
      return control
    },
    subscribe() {
      throw new Error('Events come over HTTP: listen to /__mock/events')
    },
  }
}
