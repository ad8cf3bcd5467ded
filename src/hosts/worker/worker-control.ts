// The control API of one object.
import { type ControlReply, createControlApi } from '../../control/api.ts'
import { MAX_DOCUMENT_BYTES } from '../../limits.ts'
import type { Call } from '../../service/call.ts'
import type { Settings } from './bindings.ts'
import { readWholeBody, toResponse, toStream } from './carry.ts'
import type { KeptMock } from './kept-mock.ts'

export interface WorkerControl {
  answer(request: Request, call: Call): Promise<Response>
  /** Ends the event streams. */
  close(): void
}

export function createWorkerControl(kept: KeptMock, { token }: Settings): WorkerControl {
  const streams = new Set<() => void>()
  const api = createControlApi(kept.mock.control, {
    isOn: token !== undefined,
    whyOff: 'bind CONTROL_TOKEN, a secret of at least 16 characters, to turn it on',
    token,
    whichToken: 'which is bound as CONTROL_TOKEN',
    // Behind a TLS proxy the worker itself sees http.
    schemes: ['https', 'http'],
    origin: () => '',
    hasAll: false,
  })

  function openStream(reply: ControlReply): Response {
    const { response, end } = toStream(reply, () => void streams.delete(end))
    streams.add(end)
    return response
  }

  return {
    async answer(request, call) {
      const early = request.body ? api.answerWithoutBody(call) : undefined
      if (early) return toResponse(early)
      const body = await readWholeBody(request, MAX_DOCUMENT_BYTES)
      const reply = await api.answer({ ...call, body })
      kept.save()
      await Promise.all(kept.removals.splice(0))
      await kept.enlist()
      return reply.stream ? openStream(reply) : toResponse(reply)
    },
    close() {
      for (const end of [...streams]) end()
    },
  }
}
