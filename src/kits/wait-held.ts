// Waits until a store holds responses, in this process or another.
import { contract, type OperationId } from '../contract/generated/contract.ts'
import { COUNT, readOptions, throwIfAny } from '../contract/options.ts'
import { count } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { printDuration } from '../control/rows/print-duration.ts'
import type { RequestRow } from '../world/row.ts'
import { findCallSite, pointAt } from './call-site.ts'
import { expectedSchemas } from './match-request.ts'
import { DEFAULT_TIMEOUT_MS, type Inspection, pause } from './matchers.ts'

/** How many held responses to wait for, and how long. */
interface HeldOptions {
  /** At least this many. @default 1 */
  readonly count?: number | undefined
  /** Milliseconds until it rejects. @default the timeout of the store, or 1,000 */
  readonly timeout?: number | undefined
}

/** Resolves with the held requests, the oldest first, as soon as there are enough of them. */
export type WaitHeld = (operation?: OperationId, options?: HeldOptions) => Promise<RequestRow[]>

interface Holder {
  held(): readonly RequestRow[] | Promise<readonly RequestRow[]>
}

const CALLER = 'store.held'
const operations = { enum: Object.keys(contract.operations) }
const optionSchemas = { count: { ...COUNT, minimum: 1 }, timeout: expectedSchemas.timeout }

export function createWaitHeld(control: Holder, inspection: Inspection): WaitHeld {
  return async (operation, given = {}) => {
    const callSite = findCallSite()
    const options = readOptions<HeldOptions>(CALLER, optionSchemas, given)
    if (operation !== undefined) {
      throwIfAny(findViolations(operations, operation, 'operation'), CALLER)
    }
    const { count: wanted = 1, timeout = inspection.timeout ?? DEFAULT_TIMEOUT_MS } = options
    const call = `${CALLER}(${operation ? `'${operation}'` : ''})`
    const waiting = { call, callSite, isCancelled: false }
    inspection.pending.add(waiting)
    try {
      const held = await poll(control, operation, wanted, timeout, () => waiting.isCancelled)
      if (held.length >= wanted || waiting.isCancelled) return held
      const subject = operation === undefined ? 'response' : `${operation} response`
      const got = `got ${held.length} within ${printDuration(timeout)}`
      const text = `${call}: expected ${count(wanted, `held ${subject}`)}, ${got}`
      throw pointAt(callSite, new Error(text))
    } finally {
      inspection.pending.delete(waiting)
    }
  }
}

async function poll(
  control: Holder,
  operation: OperationId | undefined,
  wanted: number,
  timeout: number,
  isCancelled: () => boolean,
): Promise<RequestRow[]> {
  const endsAt = performance.now() + timeout
  for (;;) {
    const rows = await control.held()
    const held = rows.filter((row) => operation === undefined || row.operation === operation)
    const isOver = performance.now() >= endsAt || isCancelled()
    if (held.length >= wanted || isOver) return held
    await pause()
  }
}
