// One Durable Object: a mock with the state of one key, or with the shared state and the list of
// sandboxes. It starts with its first request, as it was left. A class, since the platform calls
// only the methods of one.
import { DurableObject } from 'cloudflare:workers'
import { ApiError } from '../../contract/errors.ts'
import { type ControlApi, type ControlReply, createControlApi } from '../../control/api/api.ts'
import { toReadable } from '../../control/event-streams.ts'
import { readRequestBody } from '../../mock/respond.ts'
import type { Call } from '../../service/call.ts'
import { createDoors, type DoorSettings, readConsoleFile } from '../front-door.ts'
import type { BoundSettings, SandboxObject } from './bindings.ts'
import { sendReply, toCall, toRefusal } from './carry.ts'
import { findSandbox } from './find-sandbox.ts'
import { createKeptMock, type KeptMock } from './kept-mock.ts'
import { createStorage, type ObjectState, type Storage } from './storage.ts'

export class BoundSandbox extends DurableObject implements SandboxObject {
  declare readonly ctx: ObjectState
  readonly #settings: BoundSettings
  readonly #storage: Storage
  #erasure = new AbortController()
  #awake: KeptMock | undefined
  /**
   * Created on first use: most sandboxes never need it, and it takes as much memory as the rest of
   * them.
   */
  #control: ControlApi | undefined

  constructor(state: ObjectState, bindings: unknown, settings: BoundSettings) {
    super(state, bindings)
    this.#settings = settings
    this.#storage = createStorage(state)
  }

  async fetch(request: Request): Promise<Response> {
    try {
      const call = toCall(request)
      const kept = await this.#wake(findSandbox(call, this.#settings))
      return await this.#answer(request, call, kept)
    } catch (error) {
      return toRefusal(error)
    }
  }

  async originText(): Promise<string> {
    const shared = await this.#wake(undefined)
    return shared.originText()
  }

  async enlist(key: string): Promise<void> {
    const shared = await this.#wake(undefined)
    shared.list.add(key)
  }

  async erase(): Promise<void> {
    this.#awake?.close()
    this.#erasure.abort()
    this.#erasure = new AbortController()
    this.#awake = undefined
    this.#control = undefined
    await this.ctx.storage.deleteAll()
  }

  async #wake(key: string | undefined): Promise<KeptMock> {
    if (this.#awake?.needsOrigin()) await this.#awake.renewOrigin()
    const start = async () => {
      this.#awake ??= await createKeptMock(key, this.#settings, this.#storage)
    }
    if (!this.#awake) await this.ctx.blockConcurrencyWhile(start)
    return this.#awake as KeptMock
  }

  async #answer(request: Request, call: Call, kept: KeptMock): Promise<Response> {
    const { token } = this.#settings
    const settings = { isOn: token !== undefined, token, hasFrontDoor: true }
    const openControl = () => this.#openControl(kept, settings)
    const door = createDoors(kept.mock, openControl, settings)(call)
    const begun = door.begin(call)
    if (typeof begun !== 'function') return sendReply(begun, request)
    const body = await readRequestBody(request, door.maxBytes).catch(() => {
      throw new ApiError(400, 'The body broke off before its end')
    })
    const reply: ControlReply = await begun(body)
    kept.save()
    if (door === this.#control) {
      kept.saveRows()
      await kept.list.settle()
    }
    await kept.enlist()
    if (!reply.stream) return sendReply(reply, request)
    return new Response(toReadable(reply.stream, this.#erasure.signal), reply)
  }

  #openControl(kept: KeptMock, settings: DoorSettings): ControlApi {
    const keepsAll = !this.#settings.options.sandbox
    this.#control ??= createControlApi(kept.mock.control, {
      ...settings,
      readConsoleFile,
      keepsAll,
    })
    return this.#control
  }
}
