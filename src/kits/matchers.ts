// The matchers, the same for every runner. They read the journal of a store, in this process or another, and wait for the request to
// come. A failure shows the nearest requests and how they differ.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import { type OptionRules, oneOf, readOptions } from '../mock/options.ts'
import { atCallSite, failAt, findCallSite } from './call-site.ts'
import { describeRequest } from './describe-request.ts'
import { type Expectation, type ExpectedRequest, expectedRules, findDifferences, show } from './match-request.ts'

export type { ExpectedRequest } from './match-request.ts'

type Entries = readonly LoggedRequest[]

/** What matchers need of a store. Found by a registered symbol, since the package may be in a process twice. */
export interface Inspection {
  /** The requests so far, including those whose response is still delayed. */
  requests(): Entries | Promise<Entries>
  /** The matchers that have not ended. One that is left when the test ends was not awaited. */
  readonly pending: Set<PendingMatcher>
  /** How long to wait for a request, in milliseconds. */
  readonly timeout: number | undefined
  /** What helps where no request came: which address the store answers. */
  readonly hint: string
}

export interface PendingMatcher {
  /** As it is written in the test. */
  readonly call: string
  readonly callSite: string
  /** Its test is over, so it ends without a failure. */
  isCancelled: boolean
}

export const INSPECTION = Symbol.for('animal-store-mock.store')

/** The matchers of a store, as `expect` has them. All of them must be awaited. */
export interface StoreMatchers<Result = Promise<void>> {
  /**
   * The store has received a request for the operation that matches, or gets one within the timeout.
   *
   * @example
   * await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
   */
  toHaveReceived(operation: OperationId, expected?: ExpectedRequest): Result
  /** The store has received no request at all. */
  toHaveReceivedNothing(): Result
}

/** What the journal says so far; final if no further request can change it. */
interface Verdict {
  readonly pass: boolean
  readonly isFinal: boolean
  /** Why it is not what the test expects, if there were any requests. */
  explain(within: string): string[]
}

type Look = (entries: Entries, isNot: boolean) => Verdict
type MatcherContext = { readonly isNot?: boolean; readonly isFunction?: true }

// The platform's own timers, taken once at load, so that fake timers of a test do not stop a matcher. In Node from its module, since a
// runner can be set to fake the globals from the start.
const builtIn: unknown = globalThis.process?.getBuiltinModule?.('node:timers')
const { setTimeout, clearTimeout } = (builtIn ?? globalThis) as Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>

const POLL_MS = 5
/** How often in a row a verdict must hold that a late request could still change, such as `times: 1`. */
const QUIET_POLLS = 4
const MAX_SHOWN = 3
const DEFAULT_TIMEOUT_MS = 1_000
export const MAX_TIMEOUT_MS = 60_000
const operationRules: OptionRules<Pick<Expectation, 'operation'>> = { operation: oneOf(Object.keys(contract.operations)) }

export const storeMatchers = {
  toHaveReceived(this: MatcherContext, store: unknown, operation: OperationId, given?: ExpectedRequest) {
    return atCallSite(() => judgeReceived(this, 'toHaveReceived', readInspection('toHaveReceived', store), operation, given))
  },

  toHaveReceivedNothing(this: MatcherContext, store: unknown) {
    const name = 'toHaveReceivedNothing'
    const look: Look = (entries) => ({
      pass: entries.length === 0,
      isFinal: entries.length > 0,
      explain: () => [
        `Received ${entries.length} ${entries.length === 1 ? 'request' : 'requests'}:`,
        ...entries.slice(0, MAX_SHOWN).flatMap((entry) => describeRequest(entry)),
      ],
    })
    return atCallSite(() => judge(this, `${writeExpect(this)}.${name}()`, readInspection(name, store), look))
  },
}

/** Checks the arguments of a matcher, then waits for the request. */
export function judgeReceived(
  context: MatcherContext,
  name: string,
  inspection: Inspection,
  operation: OperationId,
  given?: ExpectedRequest,
) {
  // A missing operation is wrong, and not just absent.
  readOptions<Pick<Expectation, 'operation'>>(name, operationRules, { operation: operation ?? null } as never)
  const expected: Expectation = { ...readOptions<ExpectedRequest>(name, expectedRules, given), operation }
  const args = given === undefined ? show(operation) : `${show(operation)}, ${show(given)}`
  const call = context.isFunction ? `${name}(mock, ${args})` : `${writeExpect(context)}.${name}(${args})`
  return judge(context, call, inspection, (entries, isNot) => compareReceived(entries, isNot, expected))
}

function writeExpect({ isNot }: MatcherContext): string {
  return `expect(store)${isNot ? '.not' : ''}`
}

function readInspection(name: string, store: unknown): Inspection {
  const inspection = isObject(store) ? (store as { [INSPECTION]?: Inspection })[INSPECTION] : undefined
  if (!inspection) throw new UsageError(`${name}: expected the store of a kit such as mockStore(), got ${describeValue(store)}`)
  return inspection
}

/** Watches the journal until the verdict is what the test expects, or the time is up. The failure points at the line of the test. */
async function judge({ isNot = false }: MatcherContext, call: string, inspection: Inspection, look: Look) {
  const { pending, timeout = DEFAULT_TIMEOUT_MS } = inspection
  const own = { call, callSite: findCallSite(), isCancelled: false }
  const done = { pass: !isNot, message: () => call }
  let isOver = timeout === 0
  const timer = setTimeout(() => {
    isOver = true
  }, timeout)
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
  pending.add(own)
  try {
    let entries = await inspection.requests()
    let verdict = look(entries, isNot)
    for (let quiet = 0; !verdict.isFinal && quiet < QUIET_POLLS && !isOver && !own.isCancelled; ) {
      await pause()
      entries = await inspection.requests()
      verdict = look(entries, isNot)
      quiet = verdict.pass === isNot ? 0 : quiet + 1
    }
    if (verdict.pass !== isNot) return done
    // A test that did not await the matcher ends during this pause, and reports it.
    await pause()
    const within = timeout === 0 ? '' : ` within ${timeout < 1000 ? `${timeout} ms` : `${timeout / 1000} s`}`
    const explanation = entries.length > 0 ? verdict.explain(within) : [`Received no requests${within}.`, inspection.hint]
    throw failAt(own.callSite, [call, '', ...explanation].join('\n').trimEnd())
  } catch (error) {
    // Its test is over, so the failure would be an unhandled rejection.
    if (own.isCancelled) return done
    throw error
  } finally {
    clearTimeout(timer)
    pending.delete(own)
  }
}

/** Ends the matchers of a test that is over, and returns the failure of the first: it was not awaited. */
export function cancelPending(pending: Set<PendingMatcher>): Error | undefined {
  const [first] = pending
  for (const matcher of pending) matcher.isCancelled = true
  pending.clear()
  return first && failAt(first.callSite, `A matcher was not awaited; write: await ${first.call}`)
}

function compareReceived(entries: Entries, isNot: boolean, { times, ...expected }: Expectation): Verdict {
  const { status, ...others } = expected
  const compared = entries.map((entry) => ({ entry, differences: findDifferences(entry, expected) }))
  const nearest = compared.sort((one, other) => one.differences.length - other.differences.length)
  const matching = nearest.filter(({ differences }) => differences.length === 0)
  const count = matching.length
  /** Neither form passes before the status is known. */
  const mayMatch = (entry: LoggedRequest) => entry.outcome === 'waiting' && findDifferences(entry, others).length === 0
  const isOpen = status !== undefined && count <= (times ?? 0) && entries.some(mayMatch)
  return {
    pass: isOpen ? isNot : times === undefined ? count > 0 : count === times,
    isFinal: count > (times ?? 0),
    explain(within) {
      const isTooMany = count > (times ?? 0)
      const title = `Received ${count || 'no'} matching ${others.operation} ${count === 1 ? 'request' : 'requests'}${isTooMany ? '' : within}`
      const own = nearest.filter(({ entry }) => entry.operation === others.operation)
      const shown = (isTooMany ? matching : own.length > 0 ? own : nearest).slice(0, MAX_SHOWN)
      const reason = isOpen ? '; a response is still delayed' : ''
      return [
        `${title}${reason}${isTooMany ? ':' : '. The nearest:'}`,
        ...shown.flatMap((one) => describeRequest(one.entry, one.differences)),
      ]
    },
  }
}
