// Deliberate misbehaviour: which fault strikes which call. The service and the host carry it out.
import { UsageError } from '../contract/errors.ts'
import type { FaultBody } from '../fault-body.ts'
import type { Int64, OperationId } from '../generated/contract.ts'
import { MAX_DELAY_MS, MAX_FAULTS } from '../limits.ts'
import type { Random } from '../random.ts'

/** Milliseconds, or the shortest and the longest time. */
export type Delay = number | readonly [min: number, max: number]

/** One way to misbehave, as a scenario writes it. */
export interface Fault {
  /** An operation, or `*` for all of them. */
  readonly operation: OperationId | '*'
  /** Only requests for the animal with this id. */
  readonly petId?: Int64
  /** Answer with this error status; below 400 only with a `body`, and the operation still runs. */
  readonly status?: number
  /** Send this in place of the body of the response. */
  readonly body?: FaultBody
  /** Wait this many milliseconds, or a time between two. */
  readonly delay?: Delay
  /** Cut the connection without an answer. */
  readonly drop?: boolean
  /** Apply at most this many times. */
  readonly times?: number
  /** Skip this many calls first. */
  readonly after?: number
  /** Strike with this probability, drawn from the state's own generator. */
  readonly rate?: number
  /** Send Retry-After with this many seconds. */
  readonly retryAfter?: number
  /** How many calls it has seen so far. */
  readonly seen?: number
  /** How often it was applied so far. */
  readonly applied?: number
  /** The id to replace or remove it by; by default the next number. */
  readonly id?: string
}

/** A fault of a state: with its id, and its counters up to date. */
export type LiveFault = Fault & { readonly id: string; readonly seen: number; readonly applied: number }

/** What the faults do to one call. */
export interface Strike {
  /** The ids of the faults that were applied. */
  readonly faults: readonly string[]
  readonly delay: number
  readonly drop: boolean
  readonly status?: number | undefined
  readonly retryAfter?: number | undefined
  readonly body?: FaultBody | undefined
}

export function createFaults(initial: readonly Fault[], random: Random, startId = 0) {
  let faults: { -readonly [Key in keyof LiveFault]: LiveFault[Key] }[] = []
  let lastId = startId
  const countFrom = (id = '') => {
    if (/^\d{1,15}$/.test(id)) lastId = Math.max(lastId, Number(id))
  }
  /** Adds a fault under its own id, in place of the one that has it, or under the next number. */
  const add = (given: Fault): LiveFault => {
    const fault = freezeFault(given)
    const place = faults.findIndex(({ id }) => id === fault.id)
    if (place < 0 && faults.length === MAX_FAULTS) throw new UsageError(`faults: expected at most ${MAX_FAULTS}`)
    countFrom(fault.id)
    const live = { ...fault, id: fault.id ?? String(++lastId), seen: fault.seen ?? 0, applied: fault.applied ?? 0 }
    if (place < 0) faults.push(live)
    else faults[place] = live
    return { ...live }
  }
  // A snapshot keeps the ids of its faults; new ones count on from the highest.
  for (const { id } of initial) countFrom(id)
  for (const fault of initial) add(fault)

  return {
    /** The highest number that was an id, also of faults that are gone: none is used again. */
    get lastId(): number {
      return lastId
    },
    add,
    list: (): LiveFault[] => faults.map((fault) => ({ ...fault })),
    /** Whether there was one with that id. */
    remove(id: string): boolean {
      const before = faults.length
      faults = faults.filter((fault) => fault.id !== id)
      return faults.length < before
    },
    clear(): void {
      faults = []
    },
    /** Lets the faults see a call; undefined if none applies. */
    strike(operation: OperationId, petId?: string): Strike | undefined {
      if (faults.length === 0) return undefined
      const applied: string[] = []
      let delay = 0
      // One after the other: a delay goes on to the next fault, a status, a body or a drop is the answer, and the rest do not see the call.
      for (const fault of faults) {
        if (fault.operation !== '*' && fault.operation !== operation) continue
        if (fault.petId !== undefined && String(fault.petId) !== petId) continue
        fault.seen++
        if (fault.seen <= (fault.after ?? 0) || fault.applied >= (fault.times ?? Number.POSITIVE_INFINITY)) continue
        if (fault.rate !== undefined && random.next() >= fault.rate) continue
        fault.applied++
        applied.push(fault.id)
        delay = Math.min(delay + drawDelay(fault.delay ?? 0, random), MAX_DELAY_MS)
        if (fault.drop) return { faults: applied, delay, drop: true }
        const { status, retryAfter, body } = fault
        if (status !== undefined || body !== undefined) return { faults: applied, delay, drop: false, status, retryAfter, body }
      }
      return { faults: applied, delay, drop: false }
    },
  }
}

/** A delay in milliseconds; one between two bounds is drawn from the world's generator. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === 'number') return delay
  return delay[0] + Math.floor(random.next() * (delay[1] - delay[0] + 1))
}

/** A frozen copy that can be handed out; a clone by the platform would fail on a Proxy. */
export function freezeFault(fault: Fault): Fault {
  const own = { ...fault }
  return Object.freeze(own.delay === undefined ? own : { ...own, delay: freezeDelay(own.delay) })
}

/** A copy that can be handed out. */
export function freezeDelay(delay: Delay): Delay {
  return typeof delay === 'number' ? delay : Object.freeze([delay[0], delay[1]] as const)
}
