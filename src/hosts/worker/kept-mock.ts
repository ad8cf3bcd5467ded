// A mock whose one world is kept: it starts from the storage or from its base scenario, and writes down every change before
// any response can tell of it. The journal follows within a second.
import { ApiError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { ChangeEvent } from '../../control/control.ts'
import { createEngine, type Mock } from '../../mock/mock.ts'
import { checkKey } from '../../service/authenticate.ts'
import type { Call, Reply } from '../../service/call.ts'
import { toBaseScenario } from '../../world/situation.ts'
import type { Settings } from './bindings.ts'
import type { Keep } from './keep.ts'
import type { WorldObject } from './platform.ts'
import { createWriteGroup } from './write-group.ts'

export interface KeptMock {
  /** The key of the sandbox; undefined for the shared world. */
  readonly key: string | undefined
  readonly mock: Mock
  /** Answers a call to the service. */
  answer(call: Call): Reply
  /** Answers a call whose key the sandbox of that key refuses. */
  turnAway(call: Call): Reply
  /** Whether the sandbox refuses its own key. */
  isClosed(): boolean
  /** Whether it is a sandbox that does not exist yet, which starts from whatever the shared world starts from by then. */
  needsBase(): boolean
  /** Asks for that. */
  renewBase(): Promise<void>
  /** Takes note of how many sandboxes the list has, for summaries. */
  noteSandboxes(count: number): void
  /** Puts the sandbox on the list, once it exists; undefined if that is done. */
  enlist(): Promise<void> | undefined
  /** Settles when everything that the world has told of is written; undefined if it is. */
  written(): Promise<void> | undefined
  /** The scenario that the world starts from, as JSON. */
  base(): string
  /** Tells listeners that a sandbox came or went. */
  tellOfSandbox(key: string): void
  /** Writes nothing more. */
  close(): void
}

interface KeptMockSettings {
  readonly key: string | undefined
  readonly settings: Settings
  readonly keep: Keep
  /** Settles when everything that was written is on the disk. */
  sync(): Promise<void>
  readonly shared: () => WorldObject
}

/** The journal of the last second may be lost with the process; nothing else is. */
const JOURNAL_INTERVAL_MS = 1_000

export async function createKeptMock({ key, settings, keep, sync, shared }: KeptMockSettings): Promise<KeptMock> {
  const stored = keep.read()
  let start = settings.toStart(stored?.base ?? (key === undefined ? settings.base : await shared().base()))
  let isKept = stored !== undefined
  let isListed = stored?.isListed ?? false
  /** Whether it is written that the sandbox is listed. */
  let isNoted = isListed
  let isClosed = false
  let isTurningAway = false
  let sandboxes = 0
  /** The entries of the journal that are not written yet: they are made when they are written, and by then many are forgotten. */
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const group = createWriteGroup((changes) => !isClosed && keep.pets(changes), sync)
  const { mock, worlds, events } = createEngine(
    { ...settings.options, scenario: { pets: [] } },
    {
      onPetChange(change) {
        if (isClosed) return
        // The first one together with its world.
        if (isKept) group.add(change)
        else {
          ensureKept()
          keep.pets([change])
        }
      },
      onChange({ sandbox, what }) {
        if (!isClosed && sandbox === (key ?? null) && what !== 'sandboxes') keepChange(what)
      },
      onExchange(id, sandbox) {
        if (!isClosed && (sandbox === key || !settings.hasSandboxes)) noteEntry(id)
      },
      refusesKey: () => isTurningAway,
      // A sandbox that this very call creates is put on the list after it.
      countSandboxes: () => sandboxes + Number(isUnlisted()),
    },
  )
  worlds.resume(start.situation, undefined)
  if (stored) worlds.resume(start.situation, stored.left, key)
  /** What calls to the service change beside animals, as it was last written. */
  let counters = toCounters()

  function base(): string {
    const situation = worlds.situation(key)
    if (situation !== start.situation) start = { situation, base: toJson(toBaseScenario(situation)) }
    return start.base
  }

  function ensureKept(): void {
    if (isKept || isClosed) return
    keep.start(base(), worlds.peek(key).rest())
    isKept = true
  }

  function toCounters(): string {
    const { faults, random } = worlds.peek(key).rest()
    return toJson([faults, random])
  }

  /** Faults count calls, and they and a latency between two bounds draw numbers. */
  function keepCounters(): void {
    const { faults, latency } = worlds.peek(key)
    if (faults.list().length === 0 && typeof latency !== 'object') return
    const now = toCounters()
    if (now === counters) return
    counters = now
    ensureKept()
    group.flush()
    keep.rest(worlds.peek(key).rest())
  }

  function keepChange(what: ChangeEvent['what']): void {
    const rest = worlds.peek(key).rest()
    group.flush()
    if (what === 'load' || !isKept) keep.start(base(), rest)
    else if (what === 'reset') keep.reset(rest)
    else if (what === 'requests') keep.clearJournal(rest)
    else keep.rest(rest)
    isKept = true
    counters = toCounters()
    if (['load', 'reset', 'requests'].includes(what)) unsaved = new Set()
  }

  function noteEntry(id: number): void {
    if (settings.options.journal?.entries === 0) return
    unsaved.add(id)
    timer ??= setTimeout(keepJournal, JOURNAL_INTERVAL_MS)
  }

  function keepJournal(): void {
    timer = undefined
    if (isClosed || unsaved.size === 0) return
    ensureKept()
    group.flush()
    if (isListed && !isNoted) keep.listed()
    isNoted = isListed
    const { journal } = worlds.peek(key)
    keep.journal(journal.entries({}, unsaved), journal.oldestId ?? Number.MAX_SAFE_INTEGER)
    unsaved = new Set()
  }

  function answer(call: Call): Reply {
    const reply = mock.answer(call)
    if (key !== undefined) ensureKept()
    keepCounters()
    return reply
  }

  function isUnlisted(): boolean {
    return key !== undefined && isKept && !isListed
  }

  return {
    key,
    mock,
    answer,
    turnAway(call) {
      isTurningAway = true
      try {
        return answer(call)
      } finally {
        isTurningAway = false
      }
    },
    isClosed() {
      if (key === undefined) return false
      try {
        checkKey(key, worlds.peek(key))
        return false
      } catch (error) {
        if (error instanceof ApiError) return true
        throw error
      }
    },
    needsBase: () => key !== undefined && !isKept,
    async renewBase() {
      const base = await shared().base()
      if (isKept || base === start.base) return
      start = settings.toStart(base)
      worlds.resume(start.situation, undefined)
    },
    noteSandboxes(count) {
      sandboxes = count
    },
    enlist() {
      if (!isUnlisted() || isClosed || key === undefined) return undefined
      return shared()
        .enlist(key)
        .then(() => {
          // Written with the journal; whoever does not find it written asks again, which changes nothing.
          isListed = true
        })
    },
    written: group.written,
    base,
    tellOfSandbox: (sandbox) => events.publish({ type: 'change', sandbox, what: 'sandboxes' }),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
