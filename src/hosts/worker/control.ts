// The control API of one object. The shared object also lists and removes sandboxes.
import { ApiError } from '../../contract/errors.ts'
import { type ControlReply, createControlApi } from '../../control/control-api.ts'
import { MAX_DOCUMENT_BYTES } from '../../limits.ts'
import type { Call } from '../../service/call.ts'
import type { Settings } from './bindings.ts'
import { readWholeBody, toResponse, toStream } from './carry.ts'
import type { Keep } from './keep.ts'
import type { KeptMock } from './kept-mock.ts'
import type { SandboxObject } from './platform.ts'

export interface WorkerControl {
  answer(request: Request, call: Call): Promise<Response>
  /** Ends the event streams. */
  close(): void
}

interface WorkerControlSettings {
  readonly kept: KeptMock
  readonly keep: Keep
  readonly settings: Settings
  toObject(name: string): SandboxObject
  shared(): SandboxObject
}

export function createWorkerControl({ kept, keep, settings, toObject, shared }: WorkerControlSettings): WorkerControl {
  const { isToken } = settings
  const streams = new Set<() => void>()
  /** Removals that the response has to wait for. */
  let pending: Promise<void> = Promise.resolve()

  /** Its storage first: a key on the list without storage can be removed again, storage without a key on the list cannot. */
  async function erase(key: string): Promise<void> {
    await toObject(key)
      .erase()
      .catch((error: unknown) => {
        console.error(error)
        throw new ApiError(500, 'The sandbox cannot be removed: its storage does not work; see the log')
      })
    keep.keys.remove(key)
    kept.reportSandbox(key)
  }

  const control = {
    ...kept.mock.control,
    sandboxes: () => keep.keys.all(),
    removeSandbox(key: string) {
      const isThere = keep.keys.has(key)
      if (isThere) pending = pending.then(() => erase(key))
      return isThere
    },
  }
  const api = createControlApi(control, {
    isOn: isToken !== undefined,
    whyOff: 'bind CONTROL_TOKEN, a secret of at least 16 characters, to turn it on',
    isToken,
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
      const body = await readWholeBody(request, call, MAX_DOCUMENT_BYTES)
      await kept.enlist()
      kept.noteSandboxes(kept.key === undefined ? keep.keys.count() : await shared().count())
      const reply = await api.answer({ ...call, body })
      await pending.finally(() => {
        pending = Promise.resolve()
      })
      await kept.enlist()
      return reply.stream ? openStream(reply) : toResponse(reply)
    },
    close() {
      for (const end of [...streams]) end()
    },
  }
}
