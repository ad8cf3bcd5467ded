// One Durable Object: a mock with the world of one key, or with the shared one, that is kept in the object's storage. It sleeps until its
// first request, and wakes as it was left. The shared object also holds the list of sandboxes.
import { ApiError } from '../../contract/errors.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { findMisusedToken } from '../../control/control-token.ts'
import { answerFrontDoor, isFrontDoor } from '../../control/front-door.ts'
import { MAX_BODY_BYTES } from '../../limits.ts'
import { wait } from '../../mock/fetch.ts'
import type { Call, Reply } from '../../service/call.ts'
import type { Settings } from './bindings.ts'
import { readWholeBody, toCall, toDropped, toRefusal, toResponse } from './carry.ts'
import { createWorkerControl, type WorkerControl } from './control.ts'
import { createKeep } from './keep.ts'
import { createKeptMock, type KeptMock } from './kept-mock.ts'
import type { ObjectState, Sql, WorldObject } from './platform.ts'
import { findKey, SHARED } from './world-name.ts'

/** What is there once an object is awake. */
interface Awake {
  readonly kept: KeptMock
  /** Made on first use: most worlds are never looked at, and it takes as much memory as the rest of them. */
  readonly control: () => WorkerControl
}

export function createWorldObject(state: ObjectState, settings: Settings): WorldObject {
  const { worlds, isToken } = settings
  const toObject = (name: string) => worlds.get(worlds.idFromName(name))
  const shared = () => toObject(SHARED)
  const keep = createKeep(failFast(state))
  const sync = () => state.storage.sync()
  let awake: Awake | undefined

  /** `key` is the one that the object is named after. */
  async function wake(key: string | undefined): Promise<Awake> {
    if (awake?.kept.needsBase()) await awake.kept.renewBase()
    if (!awake) {
      await state.blockConcurrencyWhile(async () => {
        const kept = await createKeptMock({ key, settings, keep, sync, shared })
        let control: WorkerControl | undefined
        awake ??= {
          kept,
          control() {
            control ??= createWorkerControl({ kept, keep, settings, toObject, shared })
            return control
          },
        }
      })
    }
    return awake as Awake
  }

  async function answer(request: Request, call: Call, { kept, control }: Awake): Promise<Response> {
    if (isControlTarget(call.target)) return control().answer(request, call)
    if (isFrontDoor(call)) return toResponse(answerFrontDoor(call, toFrontDoor(request, kept)))
    const misuse = kept.key === undefined ? findMisusedToken(call, isToken) : undefined
    if (misuse) return send(kept.mock.refuse(call, misuse), request)
    if (kept.isClosed()) return shared().turnAway(toSendable(request, call))
    const reply = kept.answer(hasNoBody(call) ? call : await withBody(request, call))
    for (const done of [kept.written(), kept.enlist()]) if (done) await done
    return send(reply, request)
  }

  function toFrontDoor({ url }: Request, { mock }: KeptMock) {
    return {
      origin: () => new URL(url).origin,
      isControlOn: isToken !== undefined,
      date: () => new Date(mock.control.clock.get().now).toUTCString(),
    }
  }

  return {
    async fetch(request) {
      try {
        const call = toCall(request)
        return await answer(request, call, awake && !awake.kept.needsBase() ? awake : await wake(findKey(call, settings)))
      } catch (error) {
        if (error instanceof ApiError) return toRefusal(error.status, error.message)
        console.error(error)
        return toRefusal(500, 'Bug in the mock; see its log', { 'X-Mock-Bug': '1' })
      }
    },
    async base() {
      return (await wake(undefined)).kept.base()
    },
    async enlist(key) {
      const { kept } = await wake(undefined)
      if (keep.keys.add(key)) kept.tellOfSandbox(key)
    },
    count: async () => keep.keys.count(),
    async turnAway(request) {
      const { kept } = await wake(undefined)
      const call = toCall(request)
      const reply = kept.turnAway(hasNoBody(call) ? call : await withBody(request, call))
      await kept.written()
      return send(reply, request)
    },
    async erase() {
      awake?.kept.close()
      awake?.control().close()
      awake = undefined
      await state.storage.deleteAll()
    },
  }
}

async function withBody(request: Request, call: Call): Promise<Call> {
  return { ...call, body: await readWholeBody(request, call, MAX_BODY_BYTES) }
}

/** By the method: the platform makes a stream to say whether there is one. */
function hasNoBody({ method }: Call): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The request without a body that nobody reads: one object cannot send it to another. */
function toSendable(request: Request, call: Call): Request {
  const { url, method, headers, body } = request
  return hasNoBody(call) && body ? new Request(url, { method, headers }) : request
}

/** Waits and drops as the reply says, and reports how it ended. */
function send(reply: Reply, request: Request): Promise<Response> | Response {
  // Only then is the signal asked for: the platform makes one for each request that asks.
  if (reply.delay !== undefined) return sendLater(reply, wait(reply.delay, request.signal))
  reply.settle?.('sent')
  return reply.drop ? toDropped() : toResponse(reply)
}

async function sendLater(reply: Reply, waited: Promise<void>): Promise<Response> {
  try {
    await waited
  } catch {
    reply.settle?.('aborted')
    return toDropped()
  }
  reply.settle?.('sent')
  return reply.drop ? toDropped() : toResponse(reply)
}

/** An object that cannot write what it says must not go on: it is given up, and starts again from what it has written. */
function failFast({ storage, abort }: ObjectState): Sql {
  return {
    exec(query, ...values) {
      try {
        return storage.sql.exec(query, ...values)
      } catch (error) {
        abort(`The storage failed: ${(error as Error).message}`)
        throw error
      }
    },
  }
}
