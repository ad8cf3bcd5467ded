// The matchers, the same for every runner. They read the journal of a store, here or in another process, and wait for the request to
// come; a failure shows the nearest requests and what is different about them.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { integerBetween, type OptionRules, readOptions } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import type { JournalEntry } from '../world/journal.ts'
import { describeRequest } from './describe-request.ts'
import { type ExpectedRequest, expectedRules, findDifferences, show } from './match-request.ts'
import { clearTimeout, setTimeout } from './real-timers.ts'

/** What matchers need of a store. Found by a registered symbol, since the package may be in a process twice. */
export interface Inspection {
  requests(): readonly JournalEntry[] | Promise<readonly JournalEntry[]>
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
  lines(isNot: boolean, within: string, hint: string): string[]
}

interface MatcherContext {
  readonly isNot?: boolean
}

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
      lines: (isNot, within, hint) =>
        isNot
          ? [`Received no requests${within}.`, hint]
          : [`Expected no requests, received ${entries.length}:`, ...showAll(entries.slice(0, MAX_SHOWN))],
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
async function judge(
  { isNot = false }: MatcherContext,
  name: string,
  args: string,
  store: unknown,
  look: (entries: readonly JournalEntry[]) => Verdict,
) {
  const inspect = isObject(store) ? (store as { [INSPECTION]?: Inspection })[INSPECTION] : undefined
  if (!inspect) throw new UsageError(`${name}: expected the store of a kit such as mockStore(), got ${describeValue(store)}`)
  const { timeout, hint } = inspect
  let isOver = timeout === 0
  const timer = setTimeout(() => {
    isOver = true
  }, timeout)
  let verdict: Verdict
  try {
    verdict = look(await inspect.requests())
    for (let held = 0; !isOver && !verdict.isFinal && held < QUIET_POLLS; ) {
      await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
      verdict = look(await inspect.requests())
      held = verdict.pass === isNot ? 0 : held + 1
    }
  } finally {
    clearTimeout(timer)
  }
  const within = timeout === 0 ? '' : ` within ${timeout < 1000 ? `${timeout} ms` : `${timeout / 1000} s`}`
  const head = `expect(store)${isNot ? '.not' : ''}.${name}(${args})`
  return { pass: verdict.pass, message: () => [head, '', ...verdict.lines(isNot, within, hint)].join('\n') }
}

function judgeReceived(entries: readonly JournalEntry[], operation: OperationId, { times, ...expected }: ExpectedRequests): Verdict {
  const candidates = entries
    .filter((entry) => entry.operation === operation)
    .map((entry) => ({ entry, differences: findDifferences(entry, expected) }))
    .sort((one, other) => one.differences.length - other.differences.length)
  const matching = candidates.filter(({ differences }) => differences.length === 0)
  const count = matching.length
  const showNearest = (some: typeof candidates) =>
    some.slice(0, MAX_SHOWN).flatMap(({ entry, differences }) => describeRequest(entry, differences))
  return {
    pass: times === undefined ? count > 0 : count === times,
    isFinal: count > (times ?? 0),
    lines(isNot, within, hint) {
      if (isNot && times !== undefined) return [`Expected any number of matching requests but ${times}:`, ...showNearest(matching)]
      if (isNot || times === 0) return [`Expected no matching request, received ${count}:`, ...showNearest(matching)]
      if (entries.length === 0) return [`Received no requests${within}.`, hint]
      if (candidates.length === 0)
        return [`Received no ${operation} request${within}. What came instead:`, ...showAll(entries.slice(-MAX_SHOWN))]
      const expectedCount = `Expected ${times} matching ${times === 1 ? 'request' : 'requests'}, received ${count}`
      if (count > 0)
        return count > (times ?? 0)
          ? [`${expectedCount}:`, ...showNearest(matching)]
          : [`${expectedCount}${within}. The nearest:`, ...showNearest(candidates)]
      const none =
        candidates.length === 1
          ? `The ${operation} request does not match`
          : `None of the ${candidates.length} ${operation} requests matches. The nearest`
      return [`${none}:`, ...showNearest(candidates)]
    },
  }
}

function judgeOrder(entries: readonly JournalEntry[], steps: readonly { operation: OperationId; expected: ExpectedRequest }[]): Verdict {
  const matched: number[] = []
  entries.forEach((entry, index) => {
    const step = steps[matched.length]
    if (step && entry.operation === step.operation && findDifferences(entry, step.expected).length === 0) matched.push(index)
  })
  const missing = steps[matched.length]
  const done = matched.length
  return {
    pass: missing === undefined,
    isFinal: missing === undefined,
    lines(isNot, within, hint) {
      if (!missing)
        return [isNot ? 'Received these requests in this order:' : '', ...showAll(matched.map((index) => entries[index] as JournalEntry))]
      if (entries.length === 0) return [`Received no requests${within}.`, hint]
      const rest = entries.slice((matched.at(-1) ?? -1) + 1)
      const what = `${missing.operation}${Object.keys(missing.expected).length === 0 ? '' : ` ${show(missing.expected)}`}`
      const after = done === 0 ? '' : ` after step ${done}`
      const shown = rest
        .slice(0, MAX_SHOWN)
        .flatMap((entry) => describeRequest(entry, entry.operation === missing.operation ? findDifferences(entry, missing.expected) : []))
      return [
        `Step ${done + 1} of ${steps.length}, ${what}, did not come${after}${within}. ${rest.length === 0 ? 'Nothing else came.' : 'What came instead:'}`,
        ...shown,
      ]
    },
  }
}

function showAll(entries: readonly JournalEntry[]): string[] {
  return entries.flatMap((entry) => describeRequest(entry))
}

function checkOperation(matcher: string, operation: unknown): void {
  const known = Object.keys(contract.operations)
  if (typeof operation === 'string' && known.includes(operation)) return
  throw new UsageError(`${matcher}: expected an operation (${list(known, 'or')}), got ${describeValue(operation)}`)
}
