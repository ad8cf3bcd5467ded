// The matchers of every runner. They wait for a request in the log of a store, in this process or
// another.
import { mismatch, UsageError } from '../contract/errors.ts'
import { contract, type OperationId } from '../contract/generated/contract.ts'
import { readOptions, throwIfAny } from '../contract/options.ts'
import { findViolations } from '../contract/schema.ts'
import { describeKey, describeValue, isObject } from '../contract/values.ts'
import { findCountProblems } from '../control/method-inputs.ts'
import { printDuration } from '../control/rows/print-duration.ts'
import { explainVerdict, judge, type Verdict } from '../control/rows/verdict.ts'
import type { RequestRow } from '../world/row.ts'
import { type ExpectedRequest, expectedSchemas, matchPattern, showValue } from './match-request.ts'
import { type PendingCalls, pause, readTimeout, waitFor } from './pending.ts'

export type { ExpectedRequest } from './match-request.ts'
export const INSPECTION = Symbol.for('animal-store-mock.store')

/**
 * What matchers need of a store. Found by a registered symbol, since the package may be in a
 * process twice.
 */
export interface Inspection extends Receiver, PendingCalls {
  hint(): string | Promise<string>
}

type Expectation = ExpectedRequest & { readonly operation?: OperationId | undefined }

/** The matcher of a store, as `expect` has it. It must be awaited. */
export interface StoreMatchers {
  /**
   * The store has received a request that matches, or gets one within the timeout; without an
   * operation, any request.
   *
   * @example
   * await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
   */
  toHaveReceived(operation?: OperationId, expected?: ExpectedRequest): Promise<void>
}

/** A control, of this process or from `connect`, or what has one: a mock, or the store of a kit. */
export type RequestSource = Receiver | { readonly control: Receiver }
interface Receiver {
  /**
   * The requests so far, also those whose response is delayed. Only the mock can compare whole
   * keys.
   */
  requests(filter: {
    waiting: true
    apiKey?: string
  }): readonly RequestRow[] | Promise<readonly RequestRow[]>
}

/** How often in a row a verdict must hold that a late request could change, such as `times: 1`. */
const QUIET_POLLS = 4
const OTHER_MATCHER = 'assertReceived takes mocks and controls'

export const storeMatchers = {
  toHaveReceived(
    this: { isNot?: boolean },
    store: unknown,
    operation?: OperationId,
    request?: ExpectedRequest,
  ) {
    const { isNot = false } = this
    const name = 'toHaveReceived'
    const expected = readExpected(name, operation, request)
    const counts = ['times', 'atLeast', 'atMost'] as const
    const counted = counts.find((field) => expected[field] !== undefined)
    if (isNot && counted !== undefined)
      throw new UsageError(`${name}: ${counted} and .not cannot be combined`)
    const inspection = findInspection(store)
    // Only a store sees that a matcher was not awaited.
    if (!inspection)
      throw new UsageError(
        `${name}: expected a store, got ${describeValue(store)}; ${OTHER_MATCHER}`,
      )
    const subject = isNot ? 'expect(store).not' : 'expect(store)'
    const call = `${subject}.${name}(${showArguments(operation, request)})`
    const wanted = isNot ? { ...expected, times: 0 } : expected
    return expectRequests(wanted, inspection, call).then(() => ({
      pass: !isNot,
      message: () => call,
    }))
  },
}

/**
 * The matcher `toHaveReceived` as a function, for runners without an `expect` to extend, such as
 * node:test. Rejects unless the mock has received a matching request, or gets one within the
 * timeout. With `times: 0` it must get none.
 *
 * @example
 * await assertReceived(mock, 'createPet', { body: { name: 'Rex' }, times: 1 })
 */
export async function assertReceived(
  source: RequestSource,
  operation?: OperationId,
  request?: ExpectedRequest,
) {
  const expected = readExpected('assertReceived', operation, request)
  const control: unknown = isObject(source) && 'control' in source ? source.control : source
  if (!isReceiver(control))
    throw mismatch('', 'a store, a mock or a control', { got: source, caller: 'assertReceived' })
  const { requests } = control
  const inspection = findInspection(source) ?? { requests, pending: new Set(), hint: () => '' }
  const call = `assertReceived(mock, ${showArguments(operation, request)})`
  await expectRequests(expected, inspection, call)
}

const isReceiver = (value: unknown): value is Receiver =>
  isObject(value) && typeof value.requests === 'function'

const findInspection = (store: unknown) =>
  (store as { [INSPECTION]?: Inspection } | null | undefined)?.[INSPECTION]

function readExpected(
  caller: string,
  operation?: OperationId,
  request?: ExpectedRequest,
): Expectation {
  const known = { enum: Object.keys(contract.operations) }
  if (operation !== undefined) throwIfAny(findViolations(known, operation, 'operation'), caller)
  const options = readOptions<ExpectedRequest>(caller, expectedSchemas, request)
  throwIfAny(findCountProblems({ ...options }), caller)
  return { ...options, operation }
}

function showArguments(operation?: OperationId, request?: ExpectedRequest): string {
  const shown: string[] = []
  if (operation !== undefined) shown.push(showValue(operation))
  if (request !== undefined) shown.push(showValue(hideKey(request)))
  return shown.join(', ')
}

const hideKey = (request: ExpectedRequest): ExpectedRequest =>
  request.apiKey === undefined ? request : { ...request, apiKey: describeKey(request.apiKey) }

/** Rejects unless the requests are as expected in time. */
async function expectRequests(
  expected: Expectation,
  inspection: Inspection,
  call: string,
): Promise<void> {
  const timeout = readTimeout(inspection, expected.timeout)
  await waitFor(inspection, call, timeout, async (isOver) => {
    const verdict = await findVerdict(expected, inspection, isOver)
    if (verdict.pass) return undefined
    // A test that did not await the matcher ends during this pause, and reports it.
    await pause()
    const within = timeout === 0 ? '' : ` within ${printDuration(timeout)}`
    const lines = [call, '', ...explainVerdict(verdict, within, showValue)]
    if (isEmpty(verdict)) lines.push(await inspection.hint())
    return new Error(lines.join('\n').trimEnd())
  })
}

/** Judges the requests again and again, until the verdict is final or has held for some polls. */
async function findVerdict(
  expected: Expectation,
  inspection: Inspection,
  isOver: () => boolean,
): Promise<Verdict> {
  // A test that names a timeout for `times: 0` wants to wait for all of it.
  const waitsToEnd = expected.times === 0 && expected.timeout !== undefined
  let verdict = await judgeRequests(expected, inspection)
  let quietPolls = 0
  while (!verdict.isFinal && !isOver() && (waitsToEnd || quietPolls < QUIET_POLLS)) {
    await pause()
    verdict = await judgeRequests(expected, inspection)
    quietPolls = verdict.pass ? quietPolls + 1 : 0
  }
  return verdict
}

async function judgeRequests(expected: Expectation, inspection: Inspection): Promise<Verdict> {
  const { apiKey } = expected
  const rows = await inspection.requests({ waiting: true })
  const keyed = apiKey === undefined ? rows : await inspection.requests({ waiting: true, apiKey })
  return judge(rows, expected, keyed, matchPattern)
}

/** The mock has received nothing at all, so that the app may call another address. */
function isEmpty({ matching, others }: Verdict): boolean {
  return matching.length + others.length === 0
}
