// The matchers, the same for every runner. They read the journal of a store, here or in another process, and wait for the request to
// come; a failure shows the nearest requests and what is different about them.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { integerBetween, type OptionRules, readOptions } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { describeRequest, toTitle } from './describe-request.ts'
import { type ExpectedRequest, expectedRules, type Match, matchRequest, show } from './match-request.ts'

export type { ExpectedRequest } from './match-request.ts'

type Entries = readonly JournalEntry[]

/** What matchers need of a store. Found by a registered symbol, since the package may be in a process twice. */
export interface Inspection {
  /** The requests so far, those whose response is still held back among them. */
  requests(): Entries | Promise<Entries>
  /** The matchers that have not ended, where the kit tells a test that has: one of them was not awaited. */
  readonly pending?: Set<PendingMatcher>
  /** How long to wait for a request, in milliseconds. */
  readonly timeout: number
  /** What to know where no request came: which address is the store's, and what came past it. */
  hint(): string | Promise<string>
}

export interface PendingMatcher {
  /** As it stands in the test. */
  readonly call: string
  /** Its test is over: it ends without a failure, which nobody would take. */
  isCancelled: boolean
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
  explain(within: string): string[]
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
    return judge(this, name, args, store, (entries, isNot) => judgeReceived(entries, isNot, operation, expected))
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
    const steps = [...given].map((step: ExpectedStep) => {
      const { operation, ...expected } =
        typeof step === 'string' ? { operation: step } : readOptions<Exclude<ExpectedStep, string>>(name, stepRules, step)
      checkOperation(name, operation)
      return { operation, expected }
    })
    return judge(this, name, show(given), store, (entries, isNot) => judgeOrder(entries, isNot, steps))
  },
}

/** Watches the journal until the verdict is what the test wants, or the time is up. */
async function judge(
  { isNot = false }: MatcherContext,
  name: string,
  args: string,
  store: unknown,
  look: (entries: Entries, isNot: boolean) => Verdict,
) {
  const inspect = isObject(store) ? (store as { [INSPECTION]?: Inspection })[INSPECTION] : undefined
  if (!inspect) throw new UsageError(`${name}: expected the store of a kit such as mockStore(), got ${describeValue(store)}`)
  const { timeout, pending } = inspect
  const own: PendingMatcher = { call: `expect(store)${isNot ? '.not' : ''}.${name}(${args})`, isCancelled: false }
  let isOver = timeout === 0
  const timer = setTimeout(() => {
    isOver = true
  }, timeout)
  let entries: Entries
  let verdict: Verdict
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
  pending?.add(own)
  try {
    // Events of what has just happened are delivered first.
    await Promise.resolve()
    for (let held = 0; ; held = verdict.pass === isNot ? 0 : held + 1) {
      entries = await inspect.requests()
      verdict = look(entries, isNot)
      if (isOver || verdict.isFinal || held === QUIET_POLLS) break
      await pause()
      if (own.isCancelled) break
    }
    // A test that did not await it ends meanwhile, and says so; a failure that nobody takes would end the whole run.
    if (verdict.pass === isNot) await pause()
  } finally {
    clearTimeout(timer)
    pending?.delete(own)
  }
  const within = timeout === 0 ? '' : ` within ${timeout < 1000 ? `${timeout} ms` : `${timeout / 1000} s`}`
  const hint = entries.length === 0 && verdict.pass === isNot ? await inspect.hint() : ''
  const explain = () => (entries.length === 0 ? [`Received no requests${within}.`, hint] : verdict.explain(within))
  const message = () => [own.call, '', ...explain(), ...describeWaiting(entries)].join('\n')
  return { pass: own.isCancelled ? !isNot : verdict.pass, message }
}

function judgeReceived(entries: Entries, isNot: boolean, operation: OperationId, { times, ...expected }: ExpectedRequests): Verdict {
  const nearest = entries
    .filter((entry) => entry.operation === operation)
    .map((entry) => ({ entry, ...matchRequest(entry, expected) }))
    .sort((one, other) => one.differences.length - other.differences.length || one.doubts.length - other.doubts.length)
  const matching = nearest.filter((one) => isMatch(one))
  const count = matching.length
  /** Neither form passes on a request that nobody can judge. */
  const open = nearest.filter((one) => isMatch(one, true) && !isMatch(one))
  const most = count + (isNot ? open.length : 0)
  const describe = (some: typeof nearest) =>
    some.slice(0, MAX_SHOWN).flatMap((one) => describeRequest(one.entry, [...one.differences, ...one.doubts]))
  return {
    pass: times === undefined ? most > 0 : count <= times && times <= most && (isNot || open.length === 0),
    isFinal: count > (times ?? 0),
    explain(within) {
      if (open.length > 0 && count <= (times ?? 0)) return [`Cannot tell whether ${operation} was received as expected:`, ...describe(open)]
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

function judgeOrder(entries: Entries, isNot: boolean, steps: readonly { operation: OperationId; expected: ExpectedRequest }[]): Verdict {
  const fits = (entry: JournalEntry, { operation, expected }: (typeof steps)[number]) =>
    entry.operation === operation && isMatch(matchRequest(entry, expected), isNot)
  const matched: JournalEntry[] = []
  let rest = entries
  for (const step of steps) {
    const index = rest.findIndex((entry) => fits(entry, step))
    if (index < 0) break
    matched.push(rest[index] as JournalEntry)
    rest = rest.slice(index + 1)
  }
  const done = matched.length
  const missing = steps[done]
  return {
    pass: missing === undefined,
    isFinal: missing === undefined,
    explain(within) {
      if (!missing) return ['Received these requests in this order:', ...showAll(matched)]
      const { operation, expected } = missing
      const what = Object.keys(expected).length === 0 ? operation : `${operation} ${show(expected)}`
      const came = `did not come${done === 0 ? '' : ` after step ${done}`}${within}`
      const early = entries.find((entry) => !matched.includes(entry) && !rest.includes(entry) && fits(entry, missing))
      const before = early && matched.findIndex(({ id }) => id > early.id) + 1
      const instead = rest.length > 0 ? ' What came instead:' : early ? '' : ' Nothing else came.'
      const shown = rest.slice(0, MAX_SHOWN).flatMap((entry) => {
        const { differences, doubts } = matchRequest(entry, expected)
        return describeRequest(entry, entry.operation === operation ? [...differences, ...doubts] : [])
      })
      const tooEarly = early ? [`${operation} came before step ${before}:`, ...describeRequest(early)] : []
      return [`Step ${done + 1} of ${steps.length}, ${what}, ${came}.${instead}`, ...shown, ...tooEarly]
    },
  }
}

function isMatch({ differences, doubts }: Match, isInDoubt = false): boolean {
  return differences.length === 0 && (isInDoubt || doubts.length === 0)
}

function describeWaiting(entries: Entries): string[] {
  const waiting = entries.filter(({ outcome }) => outcome === 'waiting')
  if (waiting.length === 0) return []
  const names = waiting.slice(0, MAX_SHOWN).map(toTitle).join(', ') + (waiting.length > MAX_SHOWN ? ', …' : '')
  return [`${waiting.length === 1 ? '1 request is' : `${waiting.length} requests are`} still held back: ${names}`]
}

function showAll(entries: Entries): string[] {
  return entries.flatMap((entry) => describeRequest(entry))
}

function checkOperation(matcher: string, operation: unknown): void {
  const known = Object.keys(contract.operations)
  if (typeof operation === 'string' && known.includes(operation)) return
  throw new UsageError(`${matcher}: expected an operation (${list(known, 'or')}), got ${describeValue(operation)}`)
}
