// Deliberate misbehaviour: which fault strikes which call. The service and the host carry it out.
import { mismatch } from '../contract/errors.ts'
import type { Int64, OperationId } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { HOLD_MS, MAX_DELAY_MS, MAX_FAULTS } from '../contract/limits.ts'
import { createRandom, type Random } from '../contract/random.ts'
import { sum } from '../contract/values.ts'
import { meets, type RequestCondition, type SeenCall } from './fault-condition.ts'
import {
  type FaultBody,
  type FaultResponse,
  hasOutcome,
  isUsedUp,
  type OutcomeName,
} from './fault-outcome.ts'

/** A time span: milliseconds, or a text such as `200ms`, `1.5s`, `2m`, `1d` or `PT30M`. */
export type Duration = number | string

/** A time to wait: a duration, or one between two, as a list or as a text such as `200-800`. */
export type Delay = Duration | readonly [shortest: Duration, longest: Duration]

/** Bytes a second: a number, or a text such as `2kB/s` or `500B/s`. */
export type Speed = number | string

/** A delay in milliseconds, or the shortest and the longest. */
export type DelayMs = number | readonly [shortest: number, longest: number]

export interface FaultCounts {
  /** How many calls it has seen so far. @default 0 */
  readonly seen: number
  /** How often it was applied so far. @default 0 */
  readonly applied: number
}

interface FaultConditions extends Partial<FaultCounts> {
  /** An operation, or `*` for all of them. */
  readonly operation: OperationId | '*'
  /** Only requests for the animal with this id. @default any */
  readonly petId?: Int64 | undefined
  /** Only requests with this query, body, header field or API key. @default any */
  readonly when?: RequestCondition | undefined
  /** Apply at most this many times. @default no limit */
  readonly times?: number | undefined
  /**
   * Let this many calls through first. Calls that an earlier fault answers do not count. @default 0
   */
  readonly after?: number | undefined
  /** Apply with this probability. @default 1 */
  readonly rate?: number | undefined
  /** Use this id to replace or remove the fault. @default the next number */
  readonly id?: string | undefined
}

interface Effects {
  /**
   * Send this status. Below 400 only with `body`: then the operation runs, and its error keeps its
   * status. @default none
   */
  readonly status: number
  /** Send this in place of the body of the response. @default none */
  readonly body: FaultBody
  /** Send Retry-After with these seconds; needs an error `status`. @default none */
  readonly retryAfter: number
  /** Send exactly this; the operation does not run. @default none */
  readonly response: FaultResponse
  /** Close the connection before the operation runs. @default none */
  readonly drop: true
  /** Run the operation; its response is lost. @default none */
  readonly lost: true
  /** Drop with a TCP reset. @default none */
  readonly rst: true
  /** Hold the response until you release it. After 60 s, or `5m`, it is sent. @default none */
  readonly hold: true | Duration
  /** Send the body at this speed, such as `2kB/s`. @default none */
  readonly slow: Speed
  /** Wait this long: `200` milliseconds, `1.5s`, or `200-800`. @default none */
  readonly delay: Delay
}

type Pace = 'delay' | 'slow'

type Only<Needed extends OutcomeName | Pace, Optional extends keyof Effects = never> = Pick<
  Effects,
  Needed
> & {
  readonly [Name in Exclude<keyof Effects, Needed>]?:
    | (Name extends Optional | Pace ? Effects[Name] : never)
    | undefined
}

/** A release ends every delay, so a hold has none. */
type HoldOnly = Omit<Only<'hold'>, Pace> & {
  readonly delay?: undefined
  readonly slow?: undefined
}

/**
 * A fault has one outcome, perhaps with a delay or a speed; these alone pass the call on to the
 * next fault.
 */
type Effect =
  | Only<'status', 'body' | 'retryAfter'>
  | Only<'body'>
  | Only<'response'>
  | Only<'drop'>
  | Only<'lost'>
  | Only<'rst'>
  | HoldOnly
  | Only<'slow'>
  | Only<'delay'>

/** One way to misbehave, as a scenario writes it. */
export type Fault = FaultConditions & Effect

export type TimedFault = Fault & {
  readonly delay?: DelayMs | undefined
  readonly slow?: number | undefined
  readonly hold?: true | number | undefined
}

/** A fault of a state: with its id, and its counters up to date. */
export type LiveFault = TimedFault & FaultCounts & { readonly id: string }

type Effected = {
  readonly [Name in Exclude<keyof Effects, 'drop' | 'delay' | 'slow'>]?: Effects[Name] | undefined
}
export interface Strike extends Effected {
  readonly faults: readonly string[]
  readonly struck?: readonly string[] | undefined
  readonly delay: number
  /** Bytes a second: those of the slowest. */
  readonly slow?: number | undefined
  readonly drop: boolean
  /** Milliseconds after which the response is sent even if it is not released. */
  readonly hold?: number | undefined
}

/** A fault as it was defined, never copied or changed, and its counts beside it. */
export interface CountedFault extends FaultCounts {
  readonly fault: TimedFault & { readonly id: string }
}

export interface Faults {
  readonly faults: readonly CountedFault[]
  /**
   * The highest number that was the id of a fault, also of one that is gone: none is used again.
   */
  readonly lastFaultId: number
}

/** Frozen faults. A snapshot keeps their ids; new ones count on from the highest. */
export function startFaults(initial: readonly TimedFault[]): Faults {
  const lastFaultId = Math.max(0, ...initial.map(({ id }) => numberOf(id)))
  let started: Faults = { faults: [], lastFaultId }
  for (const fault of initial) started = addFault(started, fault).state
  return started
}

/**
 * Adds a frozen fault under its own id, in place of the one that has it, or under the next number
 * at the end.
 */
export function addFault<T extends Faults>(
  state: T,
  { seen = 0, applied = 0, ...fault }: TimedFault,
) {
  const { faults, lastFaultId } = state
  const number = fault.id === undefined ? lastFaultId + 1 : numberOf(fault.id)
  const id = fault.id ?? String(number)
  const added: CountedFault = { fault: { ...fault, id }, seen, applied }
  const index = faults.findIndex((one) => one.fault.id === id)
  const next = index < 0 ? [...faults, added] : faults.with(index, added)
  return {
    state: { ...state, faults: checkFaultLimit(next), lastFaultId: Math.max(lastFaultId, number) },
    added,
  }
}

export function checkFaultLimit(faults: readonly CountedFault[]): readonly CountedFault[] {
  if (faults.length > MAX_FAULTS) throw mismatch('faults', `at most ${MAX_FAULTS}`)
  return faults
}

/** A fault as a scenario keeps it: with its counts, once it has some. */
export function saveFault({ fault, seen, applied }: CountedFault): TimedFault {
  const saved: { seen?: number; applied?: number } = {}
  if (seen > 0) saved.seen = seen
  if (applied > 0) saved.applied = applied
  return { ...fault, ...saved }
}

const numberOf = (id = ''): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

export function showFault({ fault, seen, applied }: CountedFault): LiveFault {
  return {
    ...fault,
    seen,
    applied,
  }
}

/** What faults take that neither of the other lists has. */
export function sizeOfOwnFaults(
  own: readonly CountedFault[],
  base: readonly CountedFault[],
  origin: readonly CountedFault[],
): number {
  if (own === base) return 0
  // A request changes counts alone.
  const moved = own.filter(({ fault }, index) => fault !== base[index]?.fault)
  if (moved.length === 0) return 0
  const known = new Set([...base, ...origin].map(({ fault }) => fault))
  const added = moved.filter(({ fault }) => !known.has(fault))
  return sum(added.map(({ fault }) => sizeOfFault(fault)))
}

export function sizeOfFault({ response, when }: TimedFault): number {
  let characters = 0
  if (response !== undefined) characters += toJson(response).length
  if (when !== undefined) characters += toJson(when).length
  return 2 * characters
}

/**
 * Lets the faults see a call; undefined if none is for it. `seed` is where the random generator
 * stands.
 */
export function strikeWith(faults: readonly CountedFault[], seed: number, call: SeenCall) {
  const random = createRandom(seed)
  const counted = faults.slice()
  const ids: string[] = []
  let delay = 0
  let slow: number | undefined
  let strike: Strike | undefined
  let isSeen = false
  // In turn: a delay or a speed goes on to the next fault, any outcome is the answer, and the rest
  // do not see the call.
  for (const [index, one] of faults.entries()) {
    const { fault, seen, applied } = one
    if (!isFor(fault, call)) continue
    isSeen = true
    const isDue = seen >= (fault.after ?? 0) && !isUsedUp({ ...fault, applied })
    const strikes = isDue && (fault.rate === undefined || random.next() < fault.rate)
    counted[index] = { fault, seen: seen + 1, applied: strikes ? applied + 1 : applied }
    if (!strikes) continue
    ids.push(fault.id)
    delay = Math.min(delay + drawDelay(fault.delay ?? 0, random), MAX_DELAY_MS)
    if (fault.slow !== undefined) slow = Math.min(fault.slow, slow ?? fault.slow)
    if (!hasOutcome(fault)) continue
    const { drop = false, lost, rst, status, retryAfter, body, response, hold } = fault
    strike = { faults: ids, delay, slow, drop, lost, rst, status, retryAfter, body, response }
    if (hold) strike = { ...strike, hold: hold === true ? HOLD_MS : hold }
    break
  }
  if (!isSeen) return undefined
  if (!strike && ids.length > 0) strike = { faults: ids, delay, slow, drop: false }
  return { faults: counted, random: random.state(), strike }
}

function isFor(fault: TimedFault, call: SeenCall): boolean {
  const { operation, petId, when } = fault
  if (operation !== '*' && operation !== call.operation) return false
  if (petId !== undefined && String(petId) !== call.petId) return false
  return when === undefined || meets(call, when)
}

export function drawDelay(delay: DelayMs, random: Random): number {
  if (typeof delay === 'number') return delay
  const [shortest, longest] = delay
  return shortest + Math.floor(random.next() * (longest - shortest + 1))
}
