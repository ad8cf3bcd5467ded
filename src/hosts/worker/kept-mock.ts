// A mock whose one state is stored: it starts from the storage or from its base scenario, and writes every change before a response can
// show it. The request log follows within a second.
import { toJson } from '../../contract/int64-json.ts'
import type { ChangeEvent } from '../../control/control.ts'
import { createEngine, type Mock } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { toBaseScenario } from '../../world/start.ts'
import type { Settings } from './bindings.ts'
import type { Keep } from './keep.ts'
import type { SandboxObject } from './platform.ts'

export interface KeptMock {
  /** The key of the sandbox; undefined for the shared state. */
  readonly key: string | undefined
  readonly mock: Mock
  /** Answers a call to the service. */
  answer(call: Call): Reply
  /** Whether it is a sandbox that does not exist yet, and so starts from the base of the shared state at that time. */
  needsBase(): boolean
  /** Asks for that base. */
  renewBase(): Promise<void>
  /** Puts the sandbox on the list, once it exists. */
  enlist(): Promise<void> | undefined
  /** The scenario that the state starts from, as JSON. */
  base(): string
  /** Reports to listeners that a sandbox came or went. */
  reportSandbox(key: string): void
  /** Writes nothing more. */
  close(): void
}

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000
/** What a change deletes. */
const DELETED: { readonly [What in ChangeEvent['what']]?: Parameters<Keep['clear']>[0] } = {
  load: ['base', 'pets', 'requests'],
  reset: ['pets', 'requests'],
  requests: ['requests'],
}

export async function createKeptMock(
  key: string | undefined,
  settings: Settings,
  keep: Keep,
  shared: () => SandboxObject,
): Promise<KeptMock> {
  const stored = keep.read()
  let from = settings.readBase(stored?.base ?? (key === undefined ? settings.base : await shared().base()))
  let isKept = stored !== undefined
  /** Since it woke up. Enlisting twice is harmless. */
  let isListed = key === undefined
  let isClosed = false
  /** The ids of requests that are not written yet. */
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const { mock, worlds, events } = createEngine(
    { ...settings.options, scenario: { pets: [] } },
    {
      onPetChange: (change) => save(() => keep.pet(change)),
      onChange({ sandbox, what }) {
        // The shared object also reports the sandboxes of other objects.
        if (what === 'sandboxes' && sandbox !== key) return
        save(() => keepChange(what))
        if (DELETED[what]) unsaved = new Set()
      },
      onExchange: noteRequest,
      countSandboxes: key === undefined ? keep.keys.count : () => 1,
    },
  )
  worlds.resume(from.start, undefined)
  if (stored) worlds.resume(from.start, stored.saved, key)

  function base(): string {
    const start = worlds.start(key)
    if (start !== from.start) from = { start, text: toJson(toBaseScenario(start)) }
    return from.text
  }

  function save(write: () => void): void {
    if (isClosed) return
    if (!isKept) keepChange('load')
    isKept = true
    write()
  }

  function keepChange(what: ChangeEvent['what']): void {
    const deleted = DELETED[what]
    if (deleted) keep.clear(deleted)
    if (what === 'load') keep.base(base())
    keep.settings(worlds.peek(key).settings())
  }

  function noteRequest(id: number): void {
    // A key that is refused makes no sandbox.
    if (needsBase() || settings.options.requestLog?.entries === 0) return
    unsaved.add(id)
    timer ??= setTimeout(keepRequests, LOG_INTERVAL_MS)
  }

  function keepRequests(): void {
    timer = undefined
    if (unsaved.size === 0) return
    const ids = unsaved
    const { requestLog } = worlds.peek(key)
    save(() => keep.requests(requestLog.entries({}, ids), requestLog.oldestId ?? Number.MAX_SAFE_INTEGER))
    unsaved = new Set()
  }

  function needsBase(): boolean {
    return key !== undefined && !isKept
  }

  return {
    key,
    mock,
    answer(call) {
      const reply = mock.answer(call)
      const { faults, latency } = worlds.peek(key)
      // Faults count calls, and they and a latency between two bounds draw numbers.
      if (!needsBase() && (faults.list().length > 0 || typeof latency === 'object')) save(() => keepChange('faults'))
      return reply
    },
    needsBase,
    async renewBase() {
      const newBase = await shared().base()
      if (isKept || newBase === from.text) return
      from = settings.readBase(newBase)
      worlds.resume(from.start, undefined)
    },
    enlist() {
      if (key === undefined || !isKept || isListed || isClosed) return undefined
      return shared()
        .enlist(key)
        .then(() => {
          isListed = true
        })
    },
    base,
    reportSandbox: (sandbox) => events.publish({ type: 'change', sandbox, what: 'sandboxes' }),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
