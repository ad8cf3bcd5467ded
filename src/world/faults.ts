// Deliberate misbehaviour: which fault strikes which call. The service and the host carry it out.
import { freezeCopy } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import type { FaultBody, FaultResponse } from '../fault-body.ts'
import type { Int64, OperationId } from '../generated/contract.ts'
import { MAX_DELAY_MS, MAX_FAULTS } from '../limits.ts'
import type { Random } from '../random.ts'
import { createChangeLog } from './change-log.ts'

/** A time span: milliseconds, or a text such as `200ms`, `1.5s`, `2m`, `1d` or `PT30M`. */
export type Duration = number | string

/** A time to wait: a duration, or one between two, as a list or as a text such as `200-800`. */
export type Delay = Duration | readonly [shortest: Duration, longest: Duration]

/** A delay in milliseconds, or the shortest and the longest. */
export type DelayMs = number | readonly [shortest: number, longest: number]

/** Which requests a fault strikes, and how often. */
interface FaultConditions {
  /** An operation, or `*` for all of them. */
  readonly operation: OperationId | '*'
  /** Only requests for the animal with this id. */
  readonly petId?: Int64
  /** Apply at most this many times. */
  readonly times?: number
  /** Skip this many calls first. */
  readonly after?: number
  /** Strike with this probability, drawn from the state's own generator. */
  readonly rate?: number
  /** How many calls it has seen so far. */
  readonly seen?: number
  /** How often it was applied so far. */
  readonly applied?: number
  /** The id to replace or remove it by; by default the next number. */
  readonly id?: string
}

/** What a fault can do. */
interface Effects<Wait> {
  /** Answer with this error status; below 400 only with a `body`, and the operation still runs. */
  readonly status: number
  /** Send this in place of the body of the response. */
  readonly body: FaultBody
  /** Send Retry-After with this many seconds. */
  readonly retryAfter: number
  /** Answer with exactly this; the operation does not run. */
  readonly response: FaultResponse
  /** Cut the connection without an answer. */
  readonly drop: true
  /** Wait this long: `200` milliseconds, `1.5s`, or a time between two as in `200-800`. */
  readonly delay: Wait
}

/** These effects, perhaps a delay, and no others. */
type Only<Wait, Needed extends keyof Effects<Wait>, Optional extends keyof Effects<Wait> = never> = Pick<Effects<Wait>, Needed> &
  Partial<Pick<Effects<Wait>, Optional | 'delay'>> & {
    readonly [Other in Exclude<keyof Effects<Wait>, Needed | Optional | 'delay'>]?: undefined
  }

/** A fault has one outcome, perhaps with a delay; a delay alone passes the call on to the next fault. */
type Effect<Wait> =
  | Only<Wait, 'status', 'body' | 'retryAfter'>
  | Only<Wait, 'body'>
  | Only<Wait, 'response'>
  | Only<Wait, 'drop'>
  | Only<Wait, 'delay'>

/** One way to misbehave, as a scenario writes it. */
export type Fault = FaultConditions & Effect<Delay>

/** A fault whose delay has been read. */
export type TimedFault = FaultConditions & Effect<DelayMs>

/** A fault of a state: with its id, and its counters up to date. */
export type LiveFault = TimedFault & { readonly id: string; readonly seen: number; readonly applied: number }

/** What the faults do to one call. */
export interface Strike {
  /** The ids of the faults that were applied. */
  readonly faults: readonly string[]
  /** What they did, in words. */
  readonly struck?: readonly string[] | undefined
  readonly delay: number
  readonly drop: boolean
  readonly status?: number | undefined
  readonly retryAfter?: number | undefined
  readonly body?: FaultBody | undefined
  readonly response?: FaultResponse | undefined
}

/** A fault with its place among the others, which it keeps when it is replaced or comes back. */
interface Placed {
  readonly fault: TimedFault & { readonly id: string }
  readonly place: number
}

type Counts = Pick<LiveFault, 'seen' | 'applied'>
const UNCOUNTED: Counts = { seen: 0, applied: 0 }

/** Each fault is an item, and so are its counts. */
export function createFaults(initial: readonly TimedFault[], random: Random, startId = 0, changeLog = createChangeLog()) {
  /** By their ids, in the order in which they are tried. */
  const placed = new Map<string, Placed>()
  /** The highest so far. */
  let lastPlace = 0
  const counts = new Map<string, Counts>()
  const lastId = changeLog.cell('last-fault-id', startId)
  const show = ({ fault }: Placed): LiveFault => ({ ...fault, ...(counts.get(fault.id) ?? UNCOUNTED) })

  /** Ids that are given out later are above it. */
  function countFrom(id = ''): void {
    if (/^\d{1,15}$/.test(id)) lastId.set(Math.max(lastId.value, Number(id)))
  }

  function set(id: string, next: Placed | undefined): void {
    const before = placed.get(id)
    if (before === next) return
    if (next) countFrom(id)
    changeLog.note('fault', id, before, before && toJson(before.fault).length)
    if (!next) return void placed.delete(id)
    placed.set(id, next)
    // A Map has a new fault at its end, and another in the place of the one before it.
    if (before ? before.place !== next.place : next.place < lastPlace) sort()
    lastPlace = Math.max(lastPlace, next.place)
  }

  function sort(): void {
    const entries = [...placed].sort(([, one], [, other]) => one.place - other.place)
    placed.clear()
    for (const [id, one] of entries) placed.set(id, one)
  }

  /** Notes also that there were none: a fault that comes back must not get the counts of the one after it. */
  function setCounts(id: string, next: Counts | undefined): void {
    changeLog.note('count', id, counts.get(id))
    if (next) counts.set(id, next)
    else counts.delete(id)
  }

  changeLog.hold('fault', { get: (id) => placed.get(id), set })
  changeLog.hold('count', { get: (id) => counts.get(id), set: (id, next) => counts.get(id) !== next && setCounts(id, next) })

  /** Adds a frozen fault under its own id, in place of the one that has it, or under the next number. */
  const add = ({ seen = 0, applied = 0, ...fault }: TimedFault): LiveFault => {
    const old = fault.id === undefined ? undefined : placed.get(fault.id)
    if (!old && placed.size === MAX_FAULTS) throw new UsageError(`faults: expected at most ${MAX_FAULTS}`)
    if (fault.id === undefined) lastId.set(lastId.value + 1)
    const id = fault.id ?? String(lastId.value)
    const next = { fault: { ...fault, id }, place: old?.place ?? lastPlace + 1 }
    set(id, next)
    setCounts(id, seen === 0 && applied === 0 ? undefined : { seen, applied })
    return show(next)
  }
  const remove = (id: string): boolean => {
    if (!placed.has(id)) return false
    set(id, undefined)
    setCounts(id, undefined)
    return true
  }
  // A snapshot keeps the ids of its faults; new ones count on from the highest.
  for (const { id } of initial) countFrom(id)
  for (const fault of initial) add(fault)

  return {
    /** The highest number that was an id, also of faults that are gone: none is used again. */
    get lastId(): number {
      return lastId.value
    },
    add: (fault: TimedFault): LiveFault => add(freezeCopy(fault)),
    list: (): LiveFault[] => [...placed.values()].map(show),
    /** Whether there was one with that id. */
    remove,
    clear(): void {
      for (const id of placed.keys()) remove(id)
    },
    /** Lets the faults see a call; undefined if none applies. */
    strike(operation: OperationId, petId?: string): Strike | undefined {
      if (placed.size === 0) return undefined
      const ids: string[] = []
      let delay = 0
      // One after the other: a delay goes on to the next fault, any outcome is the answer, and the rest do not see the call.
      for (const { fault } of placed.values()) {
        if (fault.operation !== '*' && fault.operation !== operation) continue
        if (fault.petId !== undefined && String(fault.petId) !== petId) continue
        const { seen, applied } = counts.get(fault.id) ?? UNCOUNTED
        const isDue = seen >= (fault.after ?? 0) && applied < (fault.times ?? Number.POSITIVE_INFINITY)
        const strikes = isDue && (fault.rate === undefined || random.next() < fault.rate)
        setCounts(fault.id, { seen: seen + 1, applied: strikes ? applied + 1 : applied })
        if (!strikes) continue
        ids.push(fault.id)
        delay = Math.min(delay + drawDelay(fault.delay ?? 0, random), MAX_DELAY_MS)
        if (fault.drop) return { faults: ids, delay, drop: true }
        const { status, retryAfter, body, response } = fault
        const isOutcome = status !== undefined || body !== undefined || response !== undefined
        if (isOutcome) return { faults: ids, delay, drop: false, status, retryAfter, body, response }
      }
      return ids.length === 0 ? undefined : { faults: ids, delay, drop: false }
    },
  }
}

/** A delay in milliseconds; one between two bounds is drawn from the world's generator. */
export function drawDelay(delay: DelayMs, random: Random): number {
  if (typeof delay === 'number') return delay
  return delay[0] + Math.floor(random.next() * (delay[1] - delay[0] + 1))
}
