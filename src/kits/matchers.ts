// The matchers of every runner. They wait for a request in the log of a store, in this process or
// another.
import { mismatch, UsageError } from '../contract/errors.ts'
import { contract, type OperationId } from '../contract/generated/contract.ts'
import { readOptions, throwIfAny } from '../contract/options.ts'
import { count } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { describeKey, describeValue, isObject } from '../contract/values.ts'
import { describeRequest } from '../control/text/describe-request.ts'
import { printDuration } from '../control/text/row-line.ts'
import type { RequestRow } from '../world/row.ts'
import {
  type Expectation,
  type ExpectedRequest,
  expectedSchemas,
  findDifferences,
  showValue,
} from './match-request.ts'

export type { ExpectedRequest } from './match-request.ts'
export const INSPECTION = Symbol.for('animal-store-mock.store')

/**
 * What matchers need of a store. Found by a registered symbol, since the package may be in a
 * process twice.
 */
export interface Inspection extends Receiver {
  /**
   * The matchers that have not ended. One that is left when the test ends was not awaited, and is
   * cancelled.
   */
  readonly pending: Set<{ readonly call: string; readonly callSite: string; isCancelled: boolean }>
  readonly timeout?: number | undefined
  hint(): string | Promise<string>
}

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

// Taken once at load, so that a test's fake timers do not stop a matcher. A runner may fake the
// globals from the start.
const builtIn: unknown = globalThis.process?.getBuiltinModule?.('node:timers')
const { setTimeout, clearTimeout } = (builtIn ?? globalThis) as Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout'
>
const POLL_MS = 5
/** How often in a row a verdict must hold that a late request could change, such as `times: 1`. */
const QUIET_POLLS = 4
const MAX_SHOWN = 3
const DEFAULT_TIMEOUT_MS = 1_000
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
    if (isNot && expected.times !== undefined)
      throw new UsageError(`${name}: times and .not cannot be combined`)
    const inspection = findInspection(store)
    // Only a store sees that a matcher was not awaited.
    if (!inspection)
      throw new UsageError(
        `${name}: expected a store, got ${describeValue(store)}; ${OTHER_MATCHER}`,
      )
    const call = `expect(store)${isNot ? '.not' : ''}.${name}(${writeArguments(operation, request)})`
    const wait = waitFor(isNot ? { ...expected, times: 0 } : expected, inspection, call)
    return wait.then(() => ({ pass: !isNot, message: () => call }))
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
  const isReceiver = isObject(control) && typeof control.requests === 'function'
  if (!isReceiver)
    throw mismatch('', 'a store, a mock or a control', { got: source, caller: 'assertReceived' })
  const { requests } = control as unknown as Receiver
  const inspection = findInspection(source) ?? { requests, pending: new Set(), hint: () => '' }
  await waitFor(expected, inspection, `assertReceived(mock, ${writeArguments(operation, request)})`)
}

const findInspection = (store: unknown) =>
  (store as { [INSPECTION]?: Inspection } | null | undefined)?.[INSPECTION]

function readExpected(
  name: string,
  operation?: OperationId,
  request?: ExpectedRequest,
): Expectation {
  const known = { enum: Object.keys(contract.operations) }
  if (operation !== undefined) throwIfAny(findViolations(known, operation, 'operation'), name)
  return { ...readOptions<ExpectedRequest>(name, expectedSchemas, request), operation }
}

function writeArguments(operation?: OperationId, request?: ExpectedRequest): string {
  const shown =
    request?.apiKey === undefined ? request : { ...request, apiKey: describeKey(request.apiKey) }
  return [operation, shown].flatMap((arg) => (arg === undefined ? [] : showValue(arg))).join(', ')
}

async function waitFor(
  expected: Expectation,
  { requests, pending, hint, ...store }: Inspection,
  call: string,
) {
  const { apiKey, timeout = store.timeout ?? DEFAULT_TIMEOUT_MS } = expected
  const own = { call, callSite: findCallSite(), isCancelled: false }
  const quietPolls =
    expected.times === 0 && expected.timeout !== undefined ? Number.POSITIVE_INFINITY : QUIET_POLLS
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), timeout)
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
  const look = async () => {
    const rows = await requests({ waiting: true })
    const keyed = apiKey === undefined ? rows : await requests({ waiting: true, apiKey })
    return matchAll(rows, expected, new Set(keyed.map(({ id }) => id)))
  }
  pending.add(own)
  try {
    let verdict = await look()
    const isOver = () => verdict.isFinal || timeout === 0 || ended.signal.aborted || own.isCancelled
    for (let quiet = 0; quiet < quietPolls && !isOver(); ) {
      await pause()
      verdict = await look()
      quiet = verdict.pass ? quiet + 1 : 0
    }
    if (verdict.pass) return
    // A test that did not await the matcher ends during this pause, and reports it.
    await pause()
    const within = timeout === 0 ? '' : ` within ${printDuration(timeout)}`
    throw pointAt(
      own.callSite,
      new Error([call, '', ...verdict.explain(within, await hint())].join('\n').trimEnd()),
    )
  } catch (error) {
    // The failure of a test that is over would be an unhandled rejection.
    if (!own.isCancelled) throw error instanceof UsageError ? pointAt(own.callSite, error) : error
  } finally {
    clearTimeout(timer)
    pending.delete(own)
  }
}

const HOME =
  /[^\s(]*[\\/](?:dist|src[\\/]kits)[\\/]/.exec(new Error().stack ?? '')?.[0] ?? 'node_modules'

/**
 * Where a test calls a kit: of a stack, the frames of the test, without those of this package and
 * of the runner.
 */
export function findCallSite(stack = new Error().stack ?? ''): string {
  const isOfTest = (frame: string) =>
    !frame.includes(HOME) && !/node_modules|node:|\(<anonymous>\)/.test(frame)
  return stack.split('\n').slice(1).filter(isOfTest).join('\n')
}

/**
 * Lets an error point at the call site. Without one it has no stack, since a runner would show our
 * code.
 */
export const pointAt = (callSite: string, error: Error): Error =>
  Object.assign(error, { stack: `${error.name}: ${error.message}\n${callSite}`.trimEnd() })

function matchAll(rows: readonly RequestRow[], expected: Expectation, keyed: ReadonlySet<number>) {
  const { status, ...others } = expected
  const { operation, times } = others
  const compare = (row: RequestRow, wanted = expected) =>
    findDifferences(row, wanted, keyed.has(row.id))
  const compared = rows.map((row) => ({ row, differences: compare(row) }))
  const nearest = compared.sort((one, other) => one.differences.length - other.differences.length)
  const found = nearest.filter(({ differences }) => differences.length === 0).length
  const isTooMany = times !== undefined && found > times
  // The status of a delayed response is not known yet.
  const waiting = status === undefined ? [] : rows.filter(({ outcome }) => outcome === 'waiting')
  const isOpen = waiting.some((row) => compare(row, others).length === 0)
  return {
    pass: times === undefined ? found > 0 : found === times && !isOpen,
    isFinal: times === undefined ? found > 0 : isTooMany,
    explain(within: string, hint: string): string[] {
      if (rows.length === 0) return [`Received ${count(0, 'request')}${within}.`, hint]
      const wanted = times ? ` (expected ${times})` : ''
      const title = `Received ${count(found, operation ? `matching ${operation} request` : 'request')}${wanted}`
      const far = nearest.slice(found)
      const own = far.filter(({ row }) => row.operation === operation)
      const show = (some: typeof nearest) =>
        some
          .slice(0, MAX_SHOWN)
          .flatMap(({ row, differences }) => describeRequest(row, differences))
      const matching = show(nearest.slice(0, found))
      if (isTooMany) return [`${title}:`, ...matching]
      const start = `${title}${within}${isOpen ? '; a response is still delayed' : ''}`
      const near = far.length > 0 ? ['The nearest:', ...show(own.length > 0 ? own : far)] : []
      return found > 0
        ? [`${start}:`, ...matching, ...near]
        : [`${start}. ${near[0]}`, ...near.slice(1)]
    },
  }
}

export function cancelPending({ pending }: Inspection): Error | undefined {
  const [first] = pending
  for (const matcher of pending) matcher.isCancelled = true
  pending.clear()
  return (
    first &&
    pointAt(first.callSite, new Error(`A matcher was not awaited; write: await ${first.call}`))
  )
}
