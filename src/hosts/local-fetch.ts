// The control of a mock in the same page, as the `fetch` that a client of the control takes.
import type { ControlApi } from '../control/api/api.ts'
import type { ControlFetch } from '../control/client/send.ts'
import { toReadable } from '../control/event-streams.ts'
import { CONTROL_PATH } from '../control/protocol.ts'
import { toResponse } from '../mock/respond.ts'
import { toCall } from '../service/call.ts'

export function createLocalFetch(answer: ControlApi['answer']): ControlFetch {
  return async (url, { method, headers, body, signal }) => {
    const target = url.slice(url.indexOf(CONTROL_PATH))
    const reply = await answer(toCall({ method, target, headers, body }))
    if (!reply.stream) return toResponse(reply)
    return new Response(toReadable(reply.stream, signal), reply)
  }
}
