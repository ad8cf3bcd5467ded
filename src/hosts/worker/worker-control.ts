// The control API of one object. The shared object also lists and removes sandboxes.
import { type ControlReply, createControlApi } from '../../control/control-api.ts'
import { MAX_DOCUMENT_BYTES } from '../../limits.ts'
import type { Call } from '../../service/call.ts'
import type { Settings } from './bindings.ts'
import { readWholeBody, toResponse, toStream } from './carry.ts'
import type { Keep } from './keep.ts'
import type { KeptMock } from './kept-mock.ts'

export interface WorkerControl {
  answer(request: Request, call: Call): Promise<Response>
  /** Ends the event streams. */
  close(): void
}

export function createWorkerControl(kept: KeptMock, keep: Keep, { token, toObject }: Settings): WorkerControl {
  const streams = new Set<() => void>()
  /** What the response has to wait for. */
  const removals: Promise<void>[] = []

  /** Its storage first: a key on the list without storage can be removed again, storage without a key on the list cannot. */
  async function erase(key: string): Promise<void> {
    await toObject(key).erase()
    keep.keys.remove(key)
    kept.reportSandbox(key)
  }

  const control = {
    ...kept.mock.control,
    sandboxes: () => keep.keys.all(),
    removeSandbox(key: string) {
      const isThere = keep.keys.has(key)
      if (isThere) removals.push(erase(key))
      return isThere
    },
  }
  const api = createControlApi(control, {
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
      await Promise.all(removals.splice(0))
      await kept.enlist()
      return reply.stream ? openStream(reply) : toResponse(reply)
    },
    close() {
      for (const end of [...streams]) end()
    },
  }
}
