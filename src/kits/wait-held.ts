// Waits until a store holds responses, in this process or another.
import { contract, type OperationId } from '../contract/generated/contract.ts'
import { COUNT, readOptions, throwIfAny } from '../contract/options.ts'
import { count } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { printDuration } from '../control/rows/print-duration.ts'
import type { RequestRow } from '../world/row.ts'
import { expectedSchemas } from './match-request.ts'
import { type PendingCalls, pause, readTimeout, waitFor } from './pending.ts'

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

export function createWaitHeld(control: Holder, calls: PendingCalls): WaitHeld {
  return async (operation, given = {}) => {
    const options = readOptions<HeldOptions>(CALLER, optionSchemas, given)
    if (operation !== undefined) {
      throwIfAny(findViolations(operations, operation, 'operation'), CALLER)
    }
    const { count: wanted = 1 } = options
    const timeout = readTimeout(calls, options.timeout)
    const call = `${CALLER}(${operation ? `'${operation}'` : ''})`
    const found = await waitFor(calls, call, timeout, async (isOver) => {
      const held = await poll(control, operation, wanted, isOver)
      if (held.length >= wanted) return held
      const subject = operation === undefined ? 'response' : `${operation} response`
      const got = `got ${held.length} within ${printDuration(timeout)}`
      return new Error(`${call}: expected ${count(wanted, `held ${subject}`)}, ${got}`)
    })
    return found ?? []
  }
}

async function poll(
  control: Holder,
  operation: OperationId | undefined,
  wanted: number,
  isOver: () => boolean,
): Promise<RequestRow[]> {
  for (;;) {
    const rows = await control.held()
    const held = rows.filter((row) => operation === undefined || row.operation === operation)
    if (held.length >= wanted || isOver()) return held
    await pause()
  }
}
