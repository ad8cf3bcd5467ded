// The live state that a scenario is loaded into. It remembers; it knows nothing of HTTP.
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { toPet } from '../contract/pet.ts'
import type { AssumptionChoices, AssumptionId, Int64, NewPet, Pet } from '../generated/contract.ts'
import { drawFrom } from '../random.ts'
import type { Surprise } from '../surprise/setting.ts'
import { createCatalogue, createMemory, FullError, type Memory, type PetChange } from './catalogue.ts'
import type { ChangeRow } from './change.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { createClock, passTime } from './clock.ts'
import { createFaults, type DelayMs, drawDelay } from './faults.ts'
import type { LogEntry } from './log-entry.ts'
import type { RequestLogs } from './request-log.ts'
import { createStart, type Start, type State, toSettings } from './start.ts'

export type World = ReturnType<typeof createWorld>

/** A world's settings: everything but its animals and its request log. Its next id is one above the highest int64 once there is none left. */
export interface SavedSettings extends ReturnType<typeof toSettings> {
  readonly lastFaultId: number
  readonly lastEntryId: number
  readonly clockWasTurned: boolean
}

/** A world as a host keeps it, for one that goes on from there. */
export interface SavedWorld {
  readonly settings: SavedSettings
  /** Every change of an animal since the start, in sequence; of several changes of one animal the last is enough. */
  readonly pets: readonly PetChange[]
  readonly requestLog: readonly (LogEntry | ChangeRow)[]
  /** The time since then, in milliseconds. */
  readonly awayMs: number
}

/** What a world takes from outside; the request logs and the memory are those of its mock. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly realTime: () => number
  /** Milliseconds that never jump, for clocks that have been set; real time by default. */
  readonly steadyTime?: (() => number) | undefined
  readonly requestLogs: RequestLogs
  readonly memory?: Memory | undefined
}

/** A world at its start, or as it was saved after that; with a key, that of a sandbox. */
export function createWorld(start: Start, surroundings: Surroundings, saved?: SavedWorld, key?: string) {
  const { realTime, steadyTime, requestLogs, memory = createMemory() } = surroundings
  const from = saved ? createStart(saved.settings) : start
  const changeLog = createChangeLog()
  const catalogue = createCatalogue(start.shelf, memory, changeLog)
  const clockStart = saved ? passTime(from.clock, saved.awayMs) : from.clock
  const clock = createClock(realTime, clockStart, steadyTime, saved?.settings.clockWasTurned, changeLog)
  const random = drawFrom(changeLog.cell('random', from.random))
  const faults = createFaults(from.faults, random, saved?.settings.lastFaultId, changeLog)
  const calls = createCalls(from.surprise?.calls, changeLog)
  const nextId = changeLog.cell('next-id', from.nextId)
  const latency = changeLog.cell('latency', from.latency)
  let choices: Readonly<AssumptionChoices> = from.choices
  changeLog.hold('choice', { get: (id) => choices[id as AssumptionId], set: choose })
  changeLog.hold('pet', { get: catalogue.find, set: putBack })
  for (const change of saved?.pets ?? []) catalogue.restore(change)
  // What came before is not a change, so the log starts here.
  changeLog.forget(changeLog.revision)
  const requestLog = requestLogs.create(from.apiKeys, key, changeLog)
  if (saved) requestLog.restore(saved.requestLog, saved.settings.lastEntryId)

  /** Ids that are given out later are above it. */
  function countFrom(id: Int64): void {
    if (BigInt(id) >= nextId.value) nextId.set(BigInt(id) + 1n)
  }

  function putBack(id: string, text: string | undefined): void {
    catalogue.restore({ id, text })
    if (text !== undefined) countFrom(BigInt(id))
  }

  function choose(id: string, choice: string): void {
    const before = choices[id as AssumptionId]
    if (before === choice) return
    changeLog.note('choice', id, before)
    choices = { ...choices, [id]: choice }
  }

  return {
    /** The name of the scenario that it started from. */
    scenario: from.name,
    /** The change log. */
    changeLog,
    catalogue,
    clock,
    faults,
    requestLog,
    calibrated: from.calibrated,
    /** The current choices for what the spec leaves open. */
    get choices(): Readonly<AssumptionChoices> {
      return choices
    },
    set choices(next) {
      for (const [id, choice] of Object.entries(next)) choose(id, choice)
    },
    apiKeys: new Set(from.apiKeys) as ReadonlySet<string>,
    get latency(): DelayMs | undefined {
      return latency.value
    },
    set latency(next) {
      latency.set(next)
    },
    /** Which unusual responses it gives; none by default. */
    surprise: from.surprise,
    /** Counts a call of a target such as `listPets?status=sold`, and returns how many there were. */
    countCall: calls.count,
    /** The latency of the next response, in milliseconds. */
    drawLatency(): number {
      return this.latency === undefined ? 0 : drawDelay(this.latency, random)
    },
    /** Stores an animal under the next id; returns its text. */
    store(pet: NewPet): string {
      const id = nextId.value
      if (!isInt64(id)) throw new FullError('No ids left: the last int64 has been given out')
      const text = catalogue.put(toPet(normalizeInt64(id), pet))
      nextId.set(id + 1n)
      return text
    },
    /** Puts an animal under its own id, new or not; returns its text. */
    put(pet: Pet): string {
      const text = catalogue.put(pet)
      countFrom(pet.id)
      return text
    },
    /** The whole world as a scenario; loading it restores the same world. */
    state({ pets: hasPets = true }: { readonly pets?: boolean } = {}): State {
      const { name, nextId: next, lastFaultId: _, lastEntryId: __, clockWasTurned: ___, ...settings } = this.settings()
      return { name, ...(hasPets ? { pets: catalogue.pets() } : {}), nextId: normalizeInt64(next), ...settings }
    },
    /** Everything but the animals and the request log. */
    settings(): SavedSettings {
      return {
        ...toSettings({
          ...from,
          ...(from.surprise && { surprise: { ...withoutCalls(from.surprise), ...calls.saved() } }),
          nextId: nextId.value,
          clock: clock.setting(),
          choices,
          latency: latency.value,
          faults: faults.list(),
          random: random.state(),
        }),
        lastFaultId: faults.lastId,
        lastEntryId: requestLog.lastId,
        clockWasTurned: clock.wasTurned,
      }
    },
  }
}

/** A copy of a world as it was at a revision, to look at. Its clock has gone on. */
export function lookBack(world: World, start: Start, surroundings: Surroundings, revision: number): World {
  const { changeLog, catalogue, faults } = world
  const saved = { settings: world.settings(), pets: catalogue.saved(), requestLog: [], awayMs: 0 }
  const copy = createWorld(start, { ...surroundings, memory: createMemory() }, saved)
  // With their places, which decide the order of those that come back.
  for (const { id } of faults.list()) copy.changeLog.set(`fault ${id}`, changeLog.get(`fault ${id}`))
  const changed = changeLog.between(revision)
  for (const item of changed.keys()) {
    // The counts of a fault outlast it.
    const count = item.replace(/^fault /, 'count ')
    if (count !== item) copy.changeLog.set(count, changeLog.get(count))
  }
  for (const [item, value] of changed) copy.changeLog.set(item, value)
  return copy
}

function withoutCalls({ calls: _, ...surprise }: Surprise): Surprise {
  return surprise
}

/** Bounds the counts; beyond it the oldest starts again. */
const MAX_TARGETS = 10_000

/** How often each target was called, which decides the surprises of a response. Each count is an item. */
function createCalls(initial: Readonly<Record<string, number>> = {}, changeLog: ChangeLog) {
  const calls = new Map(Object.entries(initial))
  function set(target: string, count: number | undefined): void {
    if (calls.get(target) === count) return
    changeLog.note('calls', target, calls.get(target))
    if (count === undefined) calls.delete(target)
    else calls.set(target, count)
  }
  changeLog.hold('calls', { get: (target) => calls.get(target), set })
  return {
    /** Counts a call, and returns how many there were. */
    count(target: string): number {
      const nth = (calls.get(target) ?? 0) + 1
      if (nth === 1 && calls.size === MAX_TARGETS) set(calls.keys().next().value as string, undefined)
      set(target, nth)
      return nth
    },
    saved: () => (calls.size === 0 ? {} : { calls: Object.fromEntries(calls) }),
  }
}
