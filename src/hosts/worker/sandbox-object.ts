// One Durable Object: a mock with the sandbox of one key, or with the shared state, kept in the object's storage. It
// starts with its first request, as it was left. The shared object also has the list of sandboxes.
import { ApiError, BUG } from '../../contract/errors.ts'
import { answerFrontDoor, type ControlApi, createControlApi, isFrontDoor } from '../../control/api.ts'
import { findMisusedToken, isControlTarget } from '../../control/guard.ts'
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../../limits.ts'
import { carryOut, readBody, toResponse } from '../../mock/fetch.ts'
import type { Call, Reply } from '../../service/call.ts'
import type { BoundSettings } from './bindings.ts'
import { findKey, SHARED, toCall, toDropped, toRefusal, toStream } from './carry.ts'
import { createKeep, createKeptMock, type KeptMock } from './kept-mock.ts'
import type { ObjectState, SandboxObject, Sql } from './platform.ts'

export function createSandboxObject(state: ObjectState, settings: BoundSettings): SandboxObject {
  const { toObject, token } = settings
  const shared = () => toObject(SHARED)
  const keep = createKeep(failFast(state))
  let awake: KeptMock | undefined
  /** Created on first use: most sandboxes never need it, and it takes as much memory as the rest of them. */
  let control: ControlApi | undefined
  const streams = new Set<() => void>()

  async function wake(key: string | undefined): Promise<KeptMock> {
    if (awake?.needsBase()) await awake.renewBase()
    if (!awake) {
      await state.blockConcurrencyWhile(async () => {
        awake ??= await createKeptMock(key, settings, keep, shared)
      })
    }
    return awake as KeptMock
  }

  async function answer(request: Request, call: Call, kept: KeptMock): Promise<Response> {
    if (isControlTarget(call.target)) return answerControl(request, call, kept)
    if (isFrontDoor(call)) {
      const { origin } = new URL(request.url)
      return toResponse(answerFrontDoor(call, origin, token !== undefined, kept.mock.control))
    }
    const misuse = kept.key === undefined ? findMisusedToken(call, token) : undefined
    if (misuse) return send(kept.mock.refuse(call, misuse), request)
    const reply = kept.answer({ ...call, body: await readWhole(request, MAX_BODY_BYTES) })
    await kept.enlist()
    return send(reply, request)
  }

  async function answerControl(request: Request, call: Call, kept: KeptMock): Promise<Response> {
    control ??= createControlApi(kept.mock.control, {
      isOn: token !== undefined,
      whyOff: 'bind CONTROL_TOKEN, a secret of at least 16 characters, to turn it on',
      token,
      whichToken: 'which is bound as CONTROL_TOKEN',
      // Behind a TLS proxy the worker itself sees http.
      schemes: ['https', 'http'],
      origin: () => '',
      keepsAll: false,
    })
    const early = request.body ? control.findRefusal(call) : undefined
    if (early) return toResponse(early)
    const body = await readWhole(request, MAX_DOCUMENT_BYTES)
    const reply = await control.answer({ ...call, body })
    kept.save()
    await Promise.all(kept.removals.splice(0))
    await kept.enlist()
    return reply.stream ? toStream(reply, streams) : toResponse(reply)
  }

  return {
    async fetch(request) {
      try {
        const call = toCall(request)
        return await answer(request, call, awake && !awake.needsBase() ? awake : await wake(findKey(call, settings)))
      } catch (error) {
        if (!(error instanceof ApiError)) console.error(error)
        const { status, message, headers } = error instanceof ApiError ? error : BUG
        return toRefusal(status, message, headers)
      }
    },
    async base() {
      return (await wake(undefined)).base()
    },
    async enlist(key) {
      const kept = await wake(undefined)
      if (keep.keys.has(key)) return
      keep.keys.add(key)
      kept.reportSandbox(key)
    },
    async erase() {
      awake?.close()
      for (const end of [...streams]) end()
      awake = undefined
      control = undefined
      await state.storage.deleteAll()
    },
  }
}

function readWhole(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  return readBody(request, maxBytes).catch(() => {
    throw new ApiError(400, 'The body broke off before its end')
  })
}

async function send(reply: Reply, request: Request): Promise<Response> {
  // The platform makes a signal for each request that asks for one.
  const isSent = await carryOut(reply, reply.delay === undefined ? undefined : request.signal).then(
    () => true,
    () => false,
  )
  return isSent && !reply.drop ? toResponse(reply) : toDropped()
}

/** An object whose storage fails must not go on: it ends, and starts again from what it has written. */
function failFast(state: ObjectState): Sql {
  return {
    exec(query, ...values) {
      try {
        return state.storage.sql.exec(query, ...values)
      } catch (error) {
        // Not taken out of its object: the platform's methods need their `this`.
        state.abort(`The storage failed: ${(error as Error).message}`)
        throw error
      }
    },
  }
}
