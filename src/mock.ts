// The composition root: builds a world from the options and wires the service and the control around it.

import { type Control, createControl } from './control/control.ts'
import { createWorlds } from './control/worlds.ts'
import { createFetch } from './fetch.ts'
import type { AssumptionChoices, Pet } from './generated/contract.ts'
import { defaultScenario } from './generated/default-scenario.ts'
import { createService, type Service } from './service/answer.ts'
import { createCors } from './service/cors.ts'
import type { Fault } from './world/faults.ts'
import { parseScenario, type Scenario } from './world/scenario.ts'

/** How a mock starts. What is given here stands before what the scenario says. */
export interface MockOptions {
  /** The situation to start from; by default fifty animals of every status. */
  readonly scenario?: Scenario
  readonly pets?: readonly Pet[]
  /** Only these keys are valid. */
  readonly apiKeys?: readonly string[]
  /** Where the mock's clock starts. */
  readonly now?: string
  readonly frozen?: boolean
  readonly assume?: Partial<AssumptionChoices>
  readonly faults?: readonly Fault[]
  /** Every API key gets a world of its own. */
  readonly sandbox?: boolean
  /** How many exchanges are kept. */
  readonly journal?: { readonly entries?: number }
  /** Origins whose pages may read the answers, beside loopback ones; `*` for all. */
  readonly corsOrigins?: readonly string[]
}

/** A running mock: a stateful Animal Store, and the tester's hold on it. */
export interface Mock extends Service {
  /** Answers a standard Request; rejects with a TypeError, as a failed fetch does, where the connection would drop. */
  fetch(request: Request): Promise<Response>
  readonly control: Control
}

/**
 * A mock of its own, sharing nothing with any other.
 *
 * @example
 * const mock = createMock({ apiKeys: ['test-key'] })
 * const response = await mock.fetch(new Request('http://localhost/v1/pets', { headers: { authorization: 'Bearer test-key' } }))
 */
export function createMock(options: MockOptions = {}): Mock {
  const situation = parseScenario(toScenario(options))
  const worlds = createWorlds(situation, options.sandbox === true, { realTime: Date.now, journalEntries: options.journal?.entries })
  const { control, onExchange } = createControl(worlds)
  const service = createService({
    worldOf: worlds.of,
    peekWorld: worlds.peek,
    cors: createCors(options.corsOrigins),
    elapsed: () => performance.now(),
    onExchange,
    onBug: (error) => console.error(error),
  })
  return { ...service, fetch: createFetch(service), control }
}

export function toScenario({ scenario = defaultScenario, pets, apiKeys, now, frozen, assume, faults }: MockOptions): Scenario {
  const { nextId, ...rest } = scenario
  return {
    ...rest,
    // Other animals bring their own ids, so the scenario's next one need not hold for them.
    ...(pets ? { pets } : { pets: scenario.pets ?? [], ...(nextId === undefined ? {} : { nextId }) }),
    ...(apiKeys ? { apiKeys } : {}),
    ...(now === undefined ? {} : { now }),
    ...(frozen === undefined ? {} : { frozen }),
    ...(assume ? { assume: { ...scenario.assume, ...assume } } : {}),
    ...(faults ? { faults: [...(scenario.faults ?? []), ...faults] } : {}),
  }
}
