// The matcher `toHaveReceived` as a function, for runners without an `expect` to extend, such as node:test.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import type { OperationId } from '../generated/contract.ts'
import { integerBetween, type OptionRules, readOptions } from '../mock/options.ts'
import { atCallSite } from './call-site.ts'
import { type ExpectedRequest, expectedRules } from './match-request.ts'
import { type Inspection, judgeReceived, MAX_TIMEOUT_MS } from './matchers.ts'

/** A control, of this process or from `connect`, or what has one: a mock, or the store of a kit. */
export type RequestSource = { readonly control: RequestSource } | Receiver

interface Receiver {
  requests(filter: { readonly waiting: true }): readonly LoggedRequest[] | Promise<readonly LoggedRequest[]>
}

/** What `assertReceived` expects. */
export interface ReceivedOptions extends ExpectedRequest {
  /** How long to wait for the request, in milliseconds; 1,000 by default. */
  readonly timeout?: number
}

const rules: OptionRules<ReceivedOptions> = { ...expectedRules, timeout: integerBetween(0, MAX_TIMEOUT_MS) }

/**
 * Rejects unless the mock has received a matching request, or gets one within the timeout. `times: 0` asserts that it gets none.
 *
 * @example
 * await assertReceived(mock, 'createPet', { body: { name: 'Rex' }, times: 1 })
 */
export async function assertReceived(source: RequestSource, operation: OperationId, options: ReceivedOptions = {}): Promise<void> {
  await atCallSite(() => {
    const { timeout, ...expected } = readOptions<ReceivedOptions>('assertReceived', rules, options)
    return judgeReceived({ isFunction: true }, 'assertReceived', toInspection(source, timeout), operation, expected)
  })
}

function toInspection(source: unknown, timeout: number | undefined): Inspection {
  const control = isObject(source) && isObject(source.control) ? source.control : source
  if (!isObject(control) || typeof control.requests !== 'function') {
    throw new UsageError(`assertReceived: expected a mock, a control or a store, got ${describeValue(source)}`)
  }
  const { requests } = control as unknown as Receiver
  return { requests: () => requests({ waiting: true }), pending: new Set(), timeout, hint: '' }
}
