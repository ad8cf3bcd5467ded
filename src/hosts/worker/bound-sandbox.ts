// One Durable Object: a mock with the state of one key, or with the shared state and the list of sandboxes. It starts with
// its first request, as it was left. A class, since the platform calls only the methods of one.
import { DurableObject } from 'cloudflare:workers'
import { ApiError, BUG } from '../../contract/errors.ts'
import { type ControlApi, createControlApi } from '../../control/api.ts'
import { findMisusedToken, isControlTarget } from '../../control/guard.ts'
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES, MIN_TOKEN_CHARACTERS } from '../../limits.ts'
import { carryOut, readRequestBody, toResponse } from '../../mock/fetch.ts'
import type { Call, Reply } from '../../service/call.ts'
import { answerFrontDoor } from '../front-door.ts'
import type { BoundSettings, SandboxObject } from './bindings.ts'
import { findKey, SHARED_NAME, toCall, toDropped, toRefusal, toStream } from './carry.ts'
import { createKeptMock, type KeptMock } from './kept-mock.ts'
import { createStorage, type ObjectState, type Storage } from './storage.ts'

export class BoundSandbox extends DurableObject implements SandboxObject {
  declare readonly ctx: ObjectState
  readonly #settings: BoundSettings
  readonly #storage: Storage
  readonly #streams = new Set<() => void>()
  #awake: KeptMock | undefined
  /** Created on first use: most sandboxes never need it, and it takes as much memory as the rest of them. */
  #control: ControlApi | undefined

  constructor(state: ObjectState, bindings: unknown, settings: BoundSettings) {
    super(state, bindings)
    this.#settings = settings
    this.#storage = createStorage(state)
  }

  async fetch(request: Request): Promise<Response> {
    try {
      const call = toCall(request)
      return await this.#answer(request, call, await this.#wake(findKey(call, this.#settings)))
    } catch (error) {
      if (!(error instanceof ApiError)) console.error(error)
      const { status, message, headers } = error instanceof ApiError ? error : BUG
      return toRefusal(status, message, headers)
    }
  }

  async originText(): Promise<string> {
    return (await this.#wake(undefined)).originText()
  }

  async enlist(key: string): Promise<void> {
    const { list } = await this.#wake(undefined)
    list.add(key)
  }

  async erase(): Promise<void> {
    this.#awake?.close()
    for (const end of [...this.#streams]) end()
    this.#awake = undefined
    this.#control = undefined
    await this.ctx.storage.deleteAll()
  }

  async #wake(key: string | undefined): Promise<KeptMock> {
    const shared = () => this.#settings.toObject(SHARED_NAME)
    if (this.#awake?.needsOrigin()) await this.#awake.renewOrigin()
    if (!this.#awake) {
      await this.ctx.blockConcurrencyWhile(async () => {
        this.#awake ??= await createKeptMock(key, this.#settings, this.#storage, shared)
      })
    }
    return this.#awake as KeptMock
  }

  async #answer(request: Request, call: Call, kept: KeptMock): Promise<Response> {
    const { token } = this.#settings
    const { key, mock } = kept
    if (isControlTarget(call.target)) return this.#answerControl(request, call, kept)
    const misuse = key === undefined ? findMisusedToken(call, token) : undefined
    if (misuse) return sendReply(mock.refuse(call, misuse), request)
    const welcome = answerFrontDoor(call, () => new URL(request.url).origin, token !== undefined, mock.control)
    if (welcome) return toResponse(welcome)
    const body = await readWhole(request, MAX_BODY_BYTES)
    const reply = mock.answer({ ...call, body })
    kept.save()
    await kept.enlist()
    return sendReply(reply, request)
  }

  async #answerControl(request: Request, call: Call, kept: KeptMock): Promise<Response> {
    const { token } = this.#settings
    this.#control ??= createControlApi(kept.mock.control, {
      isOn: token !== undefined,
      whyOff: `bind CONTROL_TOKEN, a secret of at least ${MIN_TOKEN_CHARACTERS} characters, to turn it on`,
      token,
      whichToken: 'which is bound as CONTROL_TOKEN',
      // Behind a TLS proxy the worker itself sees http.
      schemes: ['https', 'http'],
      keepsAll: !this.#settings.options.sandbox,
    })
    const early = request.body ? this.#control.findRefusal(call) : undefined
    if (early) return toResponse(early)
    const body = await readWhole(request, MAX_DOCUMENT_BYTES)
    const reply = await this.#control.answer({ ...call, body })
    kept.save()
    kept.saveRows()
    await kept.list.settle()
    await kept.enlist()
    return reply.stream ? toStream(reply, this.#streams) : toResponse(reply)
  }
}

function readWhole(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  return readRequestBody(request, maxBytes).catch(() => {
    throw new ApiError(400, 'The body broke off before its end')
  })
}

async function sendReply(reply: Reply, request: Request): Promise<Response> {
  // The platform makes a signal for each request that asks for one.
  const signal = reply.delay === undefined ? undefined : request.signal
  const hasLeft = await carryOut(reply, signal).catch(() => true)
  return hasLeft || reply.drop ? toDropped() : toResponse(reply)
}
