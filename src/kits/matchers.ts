// The matchers, the same for every runner. They read the journal of a store, here or in another process, and wait for the request to
// come; a failure shows the nearest requests and what is different about them.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { integerBetween, type OptionRules, readOptions } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { describeRequest } from './describe-request.ts'
import { type ExpectedRequest, expectedRules, findDifferences, show } from './match-request.ts'

export type { ExpectedRequest } from './match-request.ts'

type Entries = readonly JournalEntry[]

/** What matchers need of a store. Found by a registered symbol, since the package may be in a process twice. */
export interface Inspection {
  requests(): Entries | Promise<Entries>
  /** How long to wait for a request, in milliseconds. */
  readonly timeout: number
  /** What to know where no request came: which address is the store's. */
  readonly hint: string
}

export const INSPECTION = Symbol.for('animal-store-mock.store')

/** What `toHaveReceived` expects; `times` for exactly so many. */
export interface ExpectedRequests extends ExpectedRequest {
  /** How many requests must match, neither more nor fewer; by default one or more. */
  readonly times?: number
}

/** One step of `toHaveReceivedInOrder`. */
export type ExpectedStep = OperationId | (ExpectedRequest & { readonly operation: OperationId })

/** The matchers of a store, as `expect` has them. All of them must be awaited. */
export interface StoreMatchers<Result = Promise<void>> {
  /**
   * The store has received a request for the operation that matches, or gets one within the timeout.
   *
   * @example
   * await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
   */
  toHaveReceived(operation: OperationId, expected?: ExpectedRequests): Result
  /** The store has received no request at all. */
  toHaveReceivedNothing(): Result
  /** The store has received these requests, one after the other; others may come between them. */
  toHaveReceivedInOrder(steps: readonly ExpectedStep[]): Result
}

/** What is known from the journal so far; final if no further request can change it. */
interface Verdict {
  readonly pass: boolean
  readonly isFinal: boolean
  /** Why it is not what the test wants, if there were any requests. */
  explain(isNot: boolean, within: string): string[]
}

type MatcherContext = { readonly isNot?: boolean }

// The platform's own timers, taken once at load: a test's fake timers must not stop a matcher that waits. In Node from its module,
// since a runner can be set to fake the globals from the start.
const builtIn: unknown = globalThis.process?.getBuiltinModule?.('node:timers')
const { setTimeout, clearTimeout } = (builtIn ?? globalThis) as Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>

const POLL_MS = 5
/** How often in a row a verdict must hold that a late request could still change, such as `times: 1`. */
const QUIET_POLLS = 4
const MAX_SHOWN = 3
const timesRules: OptionRules<ExpectedRequests> = { ...expectedRules, times: integerBetween(0, Number.MAX_SAFE_INTEGER) }
const stepRules = { ...expectedRules, operation: { expected: 'an operation', fits: () => true } }

export const storeMatchers = {
  toHaveReceived(this: MatcherContext, store: unknown, operation: OperationId, given?: ExpectedRequests) {
    const name = 'toHaveReceived'
    checkOperation(name, operation)
    const expected = readOptions<ExpectedRequests>(name, timesRules, given)
    const args = given === undefined ? show(operation) : `${show(operation)}, ${show(given)}`
    return judge(this, name, args, store, (entries) => judgeReceived(entries, operation, expected))
  },

  toHaveReceivedNothing(this: MatcherContext, store: unknown) {
    return judge(this, 'toHaveReceivedNothing', '', store, (entries) => ({
      pass: entries.length === 0,
      isFinal: entries.length > 0,
      explain: () => [`Expected no requests, received ${entries.length}:`, ...showAll(entries.slice(0, MAX_SHOWN))],
    }))
  },

  toHaveReceivedInOrder(this: MatcherContext, store: unknown, given: readonly ExpectedStep[]) {
    const name = 'toHaveReceivedInOrder'
    if (!Array.isArray(given) || given.length === 0) {
      throw new UsageError(`${name}: expected a list of operations or { operation, query, body, status }, got ${describeValue(given)}`)
    }
    const steps = given.map((step: ExpectedStep) => {
      const { operation, ...expected } =
        typeof step === 'string' ? { operation: step } : readOptions<Exclude<ExpectedStep, string>>(name, stepRules, step)
      checkOperation(name, operation)
      return { operation, expected }
    })
    return judge(this, name, show(given), store, (entries) => judgeOrder(entries, steps))
  },
}

/** Watches the journal until the verdict is what the test wants, or the time is up. */
async function judge({ isNot = false }: MatcherContext, name: string, args: string, store: unknown, look: (entries: Entries) => Verdict) {
  const inspect = isObject(store) ? (store as { [INSPECTION]?: Inspection })[INSPECTION] : undefined
  if (!inspect) throw new UsageError(`${name}: expected the store of a kit such as mockStore(), got ${describeValue(store)}`)
  const { timeout, hint } = inspect
  let isOver = timeout === 0
  const timer = setTimeout(() => {
    isOver = true
  }, timeout)
  let entries: Entries
  let verdict: Verdict
  try {
    for (let held = 0; ; held = verdict.pass === isNot ? 0 : held + 1) {
      entries = await inspect.requests()
      verdict = look(entries)
      if (isOver || verdict.isFinal || held === QUIET_POLLS) break
      await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
    }
  } finally {
    clearTimeout(timer)
  }
  const within = timeout === 0 ? '' : ` within ${timeout < 1000 ? `${timeout} ms` : `${timeout / 1000} s`}`
  const head = `expect(store)${isNot ? '.not' : ''}.${name}(${args})`
  const explain = () => (entries.length === 0 ? [`Received no requests${within}.`, hint] : verdict.explain(isNot, within))
  return { pass: verdict.pass, message: () => [head, '', ...explain()].join('\n') }
}

function judgeReceived(entries: Entries, operation: OperationId, { times, ...expected }: ExpectedRequests): Verdict {
  const nearest = entries
    .filter((entry) => entry.operation === operation)
    .map((entry) => ({ entry, differences: findDifferences(entry, expected) }))
    .sort((one, other) => one.differences.length - other.differences.length)
  const matching = nearest.filter(({ differences }) => differences.length === 0)
  const count = matching.length
  const describe = (some: typeof nearest) => some.slice(0, MAX_SHOWN).flatMap((one) => describeRequest(one.entry, one.differences))
  return {
    pass: times === undefined ? count > 0 : count === times,
    isFinal: count > (times ?? 0),
    explain(isNot, within) {
      if (isNot && times !== undefined) return [`Expected any number of matching requests but ${times}:`, ...describe(matching)]
      if (isNot || times === 0) return [`Expected no matching request, received ${count}:`, ...describe(matching)]
      const others = showAll(entries.slice(-MAX_SHOWN))
      if (nearest.length === 0) return [`Received no ${operation} request${within}. What came instead:`, ...others]
      const counts = `Expected ${times} matching ${times === 1 ? 'request' : 'requests'}, received ${count}`
      if (count > (times ?? 0)) return [`${counts}:`, ...describe(matching)]
      if (count > 0) return [`${counts}${within}. The nearest:`, ...describe(nearest)]
      if (nearest.length === 1) return [`The ${operation} request does not match:`, ...describe(nearest)]
      return [`None of the ${nearest.length} ${operation} requests matches. The nearest:`, ...describe(nearest)]
    },
  }
}

function judgeOrder(entries: Entries, steps: readonly { operation: OperationId; expected: ExpectedRequest }[]): Verdict {
  const matched: JournalEntry[] = []
  let rest = entries
  for (const { operation, expected } of steps) {
    const index = rest.findIndex((entry) => entry.operation === operation && findDifferences(entry, expected).length === 0)
    if (index < 0) break
    matched.push(rest[index] as JournalEntry)
    rest = rest.slice(index + 1)
  }
  const done = matched.length
  const missing = steps[done]
  return {
    pass: missing === undefined,
    isFinal: missing === undefined,
    explain(_, within) {
      if (!missing) return ['Received these requests in this order:', ...showAll(matched)]
      const { operation, expected } = missing
      const what = Object.keys(expected).length === 0 ? operation : `${operation} ${show(expected)}`
      const came = `did not come${done === 0 ? '' : ` after step ${done}`}${within}`
      const instead = rest.length === 0 ? 'Nothing else came.' : 'What came instead:'
      const shown = rest
        .slice(0, MAX_SHOWN)
        .flatMap((entry) => describeRequest(entry, entry.operation === operation ? findDifferences(entry, expected) : []))
      return [`Step ${done + 1} of ${steps.length}, ${what}, ${came}. ${instead}`, ...shown]
    },
  }
}

function showAll(entries: Entries): string[] {
  return entries.flatMap((entry) => describeRequest(entry))
}

function checkOperation(matcher: string, operation: unknown): void {
  const known = Object.keys(contract.operations)
  if (typeof operation === 'string' && known.includes(operation)) return
  throw new UsageError(`${matcher}: expected an operation (${list(known, 'or')}), got ${describeValue(operation)}`)
}
