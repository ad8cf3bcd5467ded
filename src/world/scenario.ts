// A situation as data: the scenario document, its check, and the ready-made start of a world that comes of it.

import { UsageError } from '../contract/errors.ts'
import { petSchema } from '../contract/pet.ts'
import { findViolations, type Schema, toSentences, type Violation } from '../contract/schema.ts'
import { type AssumptionChoices, assumptions, contract, type Int64, type OperationId, type Pet } from '../generated/contract.ts'
import { MAX_DELAY_MS } from '../limits.ts'
import { createShelf, type Shelf } from './catalogue.ts'
import { type ClockSetting, parseInstant } from './clock.ts'
import { copyDelay, type Delay, type Fault } from './faults.ts'

/** A whole situation: what the mock starts from, and what `state()` gives back. */
export interface Scenario {
  readonly name?: string
  readonly description?: string
  /** The animals, in any order; their ids are their order of creation. */
  readonly pets?: readonly Pet[]
  /** The id of the next animal; by default one above the highest. */
  readonly nextId?: Int64
  /** Only these keys are valid. */
  readonly apiKeys?: readonly string[]
  /** Where the clock starts. */
  readonly now?: string
  readonly frozen?: boolean
  readonly assume?: Partial<AssumptionChoices>
  readonly faults?: readonly Fault[]
  /** How many milliseconds later every response of the service comes: a number, or the shortest and the longest. */
  readonly latency?: Delay
  /** Where the world's random generator stands. */
  readonly random?: number
}

/** A scenario that has been checked, indexed and can be started from any number of times. */
export interface Situation {
  readonly name: string
  readonly description: string
  readonly shelf: Shelf
  readonly nextId: bigint
  readonly apiKeys: readonly string[]
  readonly clock: ClockSetting
  readonly choices: AssumptionChoices
  readonly faults: readonly Fault[]
  readonly latency: Delay | undefined
  readonly random: number
}

const count: Schema = { type: 'integer', minimum: 0 }
const milliseconds: Schema = { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS }

/** Milliseconds, or the shortest and the longest time. */
const delaySchema: Schema = {
  oneOf: [milliseconds, { type: 'array', items: milliseconds, minItems: 2, maxItems: 2, title: 'a list of the shortest and the longest' }],
}

export const faultSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation'],
  properties: {
    operation: { enum: [...(Object.keys(contract.operations) as OperationId[]), '*'] },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    delay: delaySchema,
    drop: { type: 'boolean' },
    times: count,
    after: count,
    rate: { type: 'number', minimum: 0, maximum: 1 },
    retryAfter: count,
    id: { type: 'string', minLength: 1 },
    seen: count,
    struck: count,
  },
}

export const apiKeySchema: Schema = { type: 'string', pattern: '^[A-Za-z0-9._~+/-]+=*$', title: 'a bearer token (RFC 6750)' }

export const assumeSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(assumptions.map(({ id, choices }) => [id, { enum: choices.map((choice) => choice.id) }])),
}

/** The scenario document as the engine takes it: `extends` and `generate` have been worked in by whoever read the file. */
export const scenarioSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    pets: { type: 'array', items: { ...petSchema, additionalProperties: false } },
    nextId: { type: 'integer', format: 'int64' },
    apiKeys: { type: 'array', items: apiKeySchema, minItems: 1 },
    now: { type: 'string' },
    frozen: { type: 'boolean' },
    assume: assumeSchema,
    faults: { type: 'array', items: faultSchema },
    latency: delaySchema,
    random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  },
}

const defaultChoices = Object.fromEntries(assumptions.map(({ id, default: choice }) => [id, choice])) as unknown as AssumptionChoices

/** Checks a scenario as a whole and makes it ready to start from; every problem is named, none is passed over. */
export function parseScenario(scenario: Scenario): Situation {
  const problems = findProblems(scenario)
  if (problems.length > 0) throw new UsageError(toSentences(problems))
  const pets = inIdOrder(scenario.pets ?? [])
  return {
    name: scenario.name ?? 'unnamed',
    description: scenario.description ?? '',
    shelf: createShelf(pets),
    nextId: BigInt(scenario.nextId ?? BigInt(pets.at(-1)?.id ?? 0) + 1n),
    apiKeys: [...(scenario.apiKeys ?? [])],
    clock: {
      ...(scenario.now === undefined ? {} : { now: scenario.now }),
      ...(scenario.frozen === undefined ? {} : { frozen: scenario.frozen }),
    },
    choices: toChoices(scenario),
    faults: structuredClone(scenario.faults ?? []),
    latency: scenario.latency === undefined ? undefined : copyDelay(scenario.latency),
    random: scenario.random ?? 0,
  }
}

/** Listed keys are an answer to `valid-keys`, so naming some chooses it, unless the scenario says otherwise itself. */
function toChoices({ assume = {}, apiKeys }: Scenario): AssumptionChoices {
  return layChoices(layChoices(defaultChoices, apiKeys ? { 'valid-keys': 'listed' } : {}), assume)
}

/** The choices with some of them made anew; one that is there but undefined was not made. */
export function layChoices(choices: AssumptionChoices, anew: Partial<AssumptionChoices>): AssumptionChoices {
  const made = Object.entries(anew).filter(([, choice]) => choice !== undefined)
  return { ...choices, ...Object.fromEntries(made) }
}

function inIdOrder(pets: readonly Pet[]): readonly Pet[] {
  return isAscending(pets) ? pets : pets.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

function isAscending(pets: readonly Pet[]): boolean {
  return pets.every((pet, index) => index === 0 || (pets[index - 1] as Pet).id < pet.id)
}

/** What the schema finds, and then what only the whole can show. */
export function findProblems(scenario: Scenario): Violation[] {
  const problems = findViolations(scenarioSchema, scenario)
  if (problems.length > 0) return problems
  problems.push(...findIdProblems(scenario.pets ?? [], scenario.nextId))
  if (scenario.now !== undefined && !isInstant(scenario.now)) {
    problems.push({ path: 'now', expected: 'a date like 2030-12-06 or 2030-12-06T08:30:00Z', got: JSON.stringify(scenario.now) })
  }
  problems.push(...findDelayProblems(scenario.latency, 'latency'))
  for (const [index, fault] of (scenario.faults ?? []).entries()) problems.push(...findFaultProblems(fault, `faults[${index}]`))
  return problems
}

function findIdProblems(pets: readonly Pet[], nextId: Int64 | undefined): Violation[] {
  const problems: Violation[] = []
  // In ascending order no id comes twice, and a million need not be remembered.
  const indexOfId = isAscending(pets) ? undefined : new Map<Int64, number>()
  for (const [index, { id }] of pets.entries()) {
    const twin = indexOfId?.get(id)
    if (twin !== undefined)
      problems.push({ path: `pets[${index}].id`, expected: 'an id of its own', got: `${id}, which pets[${twin}] has` })
    indexOfId?.set(id, index)
    if (nextId !== undefined && id >= nextId) {
      problems.push({ path: 'nextId', expected: `an id above all others (pets[${index}] has ${id})`, got: String(nextId) })
    }
  }
  return problems
}

/** A fault must do something, and one thing only. */
export function findFaultProblems(fault: Fault, path: string): Violation[] {
  const problems: Violation[] = []
  if (fault.status === undefined && fault.delay === undefined && !fault.drop) {
    problems.push({ path, expected: 'a status, a delay or drop: true', got: 'none of them' })
  }
  if (fault.status !== undefined && fault.drop) problems.push({ path, expected: 'a status or drop: true', got: 'both' })
  return [...problems, ...findDelayProblems(fault.delay, `${path}.delay`)]
}

/** The ends of a range must be in order. */
function findDelayProblems(delay: Delay | undefined, path: string): Violation[] {
  if (typeof delay !== 'object' || delay[0] <= delay[1]) return []
  return [{ path, expected: 'the shorter time first', got: delay.join(', ') }]
}

function isInstant(text: string): boolean {
  try {
    parseInstant(text)
    return true
  } catch {
    return false
  }
}
