// The composition root: builds a world from the options and wires the service and the control around it.
import { describeValue, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { ChangeEvent, Control, MockEvent } from '../control/control.ts'
import { createControl } from '../control/create-control.ts'
import { createEvents, type Events } from '../control/events.ts'
import { createTally } from '../coverage/tally.ts'
import type { WorldSource } from '../service/admit.ts'
import { createService, type Service } from '../service/answer.ts'
import type { Call, Reply } from '../service/call.ts'
import { createCors } from '../service/cors.ts'
import { type Progress, release } from '../service/progress.ts'
import type { PetChange } from '../world/catalogue.ts'
import { createSteadyTime } from '../world/clock.ts'
import { createJournals } from '../world/journal.ts'
import { createWorlds, type Worlds } from '../world/worlds.ts'
import { createFetch } from './fetch.ts'
import { keepInStorage } from './keep-state.ts'
import { describeOverride } from './log-override.ts'
import { type MockOptions, readMockOptions, toSituation } from './mock-options.ts'

export type { MockOptions } from './mock-options.ts'

/** A running mock: a stateful Animal Store, and the tester's control of it. */
export interface Mock extends Service {
  /** For hosts: keeps a secret of theirs out of the journal, events and logs, wherever a client sends it. */
  hide(secret: string): void
  /**
   * Answers as the platform's `fetch`, whatever the origin of the address: a string, URL or Request, with init. Rejects with a TypeError
   * where the connection drops, and with the signal's reason when aborted.
   *
   * @example
   * const response = await mock.fetch('http://localhost/v1/pets', { headers: { authorization: 'Bearer any-key' } })
   */
  readonly fetch: typeof globalThis.fetch
  /** Everything a tester can do: reset, load, faults, clock, journal, sandboxes, events. */
  readonly control: Control
}

/**
 * Creates a mock that shares nothing with any other.
 *
 * @example
 * const mock = createMock({ apiKeys: ['test-key'] })
 * const response = await mock.fetch('http://localhost/v1/pets', { headers: { authorization: 'Bearer test-key' } })
 */
export function createMock(given: MockOptions = {}): Mock {
  return createEngine(given).mock
}

/** A mock and its parts, for a host that stores its states. */
export interface Engine {
  readonly mock: Mock
  readonly worlds: Worlds
  readonly events: Events<MockEvent>
  /** Logs a response that did not come from the mock. */
  override(call: Call, reply: Reply): void
}

/** Callbacks for such a host, whose mocks have one sandbox each or none. Cheaper than events: nothing is built for them. */
export interface EngineWatch {
  onPetChange(change: PetChange): void
  /** Any other change, when it is whole. */
  onChange(event: ChangeEvent): void
  /** A request has this id in the log. */
  onExchange(id: number): void
  /** How many sandboxes there are, with those of other mocks. */
  countSandboxes(): number
}

export function createEngine(given: MockOptions, watch?: EngineWatch): Engine {
  const options = readMockOptions(given)
  // Looked up at each call, so that a test that replaces the system time moves the mock's clock, also after the mock was made.
  const realTime = () => Date.now()
  const journals = createJournals(options.journal)
  const worlds = createWorlds(toSituation(options), options.sandbox === true, {
    realTime,
    steadyTime: createSteadyTime(),
    journals,
    onPetChange: watch?.onPetChange,
  })
  const events = createEvents<MockEvent>(watch && ((event) => event.type === 'change' && watch.onChange(event)))
  const tally = createTally()
  /** The only sandbox also gets the requests whose key it refuses. */
  const home = () => (watch ? worlds.keys()[0] : undefined)
  const { control, onExchange, onBegin } = createControl(worlds, events, tally.coverage, watch?.countSandboxes)
  const source: WorldSource = { worldOf: (key = home()) => worlds.of(key), keysOf: worlds.peek }
  const settle = (progress: Progress) => {
    tally.count(progress)
    onExchange(progress)
    watch?.onExchange(progress.id)
  }
  const service = createService({
    ...source,
    cors: createCors(options.corsOrigins && [...options.corsOrigins]),
    elapsed: () => performance.now(),
    realTime,
    onExchange: settle,
    onBegin,
    onBug: (error) => console.error(error),
  })
  const answer: Service['answer'] = (call) => {
    const problem = findCallProblem(isObject(call) ? call : {})
    if (problem !== undefined) throw new UsageError(`answer: ${problem}`)
    return service.answer(call)
  }
  if (options.storage) keepInStorage(options.storage, worlds, control)
  const override: Engine['override'] = (call, reply) => {
    const progress = describeOverride(call, reply, source)
    progress.world.journal.add(progress)
    settle(progress)
    release(progress)
  }
  return { mock: { ...service, answer, hide: journals.hide, fetch: createFetch({ answer }), control }, worlds, events, override }
}

/** A caller of `answer` may pass anything. */
function findCallProblem({ method, target, header, body }: { readonly [Field in keyof Call]?: unknown }): string | undefined {
  if (typeof method !== 'string') return `method must be a string, got ${describeValue(method)}`
  if (typeof target !== 'string') return `target must be a path with query, got ${describeValue(target)}`
  if (typeof header !== 'function') return `header must be a function from a lower-case name to a value, got ${describeValue(header)}`
  // By its tag too, since a test environment such as jsdom has another Uint8Array.
  const isBytes = body === undefined || body instanceof Uint8Array || Object.prototype.toString.call(body) === '[object Uint8Array]'
  return isBytes ? undefined : `body must be a Uint8Array, got ${describeValue(body)}`
}
