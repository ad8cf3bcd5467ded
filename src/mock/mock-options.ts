// The options of createMock: a scenario over the one that it starts from, and what no state holds.
import { mismatch, UsageError } from '../contract/errors.ts'
import { MAX_LOG_ROWS, MOST_LOG_ROWS } from '../contract/limits.ts'
import {
  BOOLEAN,
  CHECKED_LATER,
  COUNT,
  type OptionSchemas,
  readOptions,
  throwIfAny,
} from '../contract/options.ts'
import { objectOf, type Schema } from '../contract/schema.ts'
import { isPromise } from '../contract/values.ts'
import { checkScenario, findConflicts } from '../scenario/check-scenario.ts'
import { documentFields } from '../scenario/document.ts'
import { defaultScenario } from '../scenario/generated/default-scenario.ts'
import { changeScenario, normalizeScenario } from '../scenario/normalize-scenario.ts'
import { corsOriginSchema, playerSchema } from '../scenario/settings/access.ts'
import type { TimedFault } from '../world/faults.ts'
import type { GivenScenario, ReadScenario, Scenario } from '../world/scenario.ts'
import { createOrigin, type Origin } from '../world/state.ts'
import type { StateStorage } from './keep-state.ts'

/** Never valid: editors and the compiler show it to a caller who passes a name. */
type NotAName = "a scenario, not its name: scenarios['…'] from animal-store-mock/scenarios"

export interface OwnOptions {
  /** Whether every API key gets a sandbox, its own state. @default false */
  readonly sandbox?: boolean | undefined
  /**
   * The most requests that the log keeps, in 16 MiB: 0 to 100,000. Changes before the oldest go
   * too.
   * @default { rows: 1000 }
   */
  readonly requestLog?: { readonly rows?: number | undefined } | undefined
  /**
   * Keeps the state across page reloads: `sessionStorage` or `localStorage`. Excludes `sandbox`.
   * @default none
   */
  readonly storage?: StateStorage | undefined
  /**
   * Origins whose pages may read responses, besides loopback ones; `*` allows every origin except
   * `null`.
   * @default none
   */
  readonly corsOrigins?: readonly string[] | undefined
  /**
   * The page that opens links to recordings, such as `https://mock.example.com/__mock/play/`.
   * @default that of the site
   */
  readonly player?: string | undefined
}

/**
 * How a mock starts. Fields override those of `scenario`; `faults` come first, and `assume` changes
 * single choices.
 */
export interface MockOptions extends Scenario, OwnOptions {
  /** The scenario to start from, such as `scenarios['sold-out']`. @default scenarios.default */
  readonly scenario?: GivenScenario | NotAName | undefined
}

export type MockSettings = OwnOptions & { readonly origin: Origin }

const { $schema, extends: _, generate, ...fields } = documentFields
export const ROWS: Schema = { ...COUNT, maximum: MOST_LOG_ROWS }
export const startSchemas: OptionSchemas<Scenario & { scenario?: unknown }> = {
  scenario: CHECKED_LATER,
  ...fields,
}

export const mockSchemas: OptionSchemas<MockOptions> = {
  ...startSchemas,
  sandbox: BOOLEAN,
  requestLog: objectOf([], { rows: ROWS }),
  storage: CHECKED_LATER,
  corsOrigins: { type: 'array', items: corsOriginSchema },
  player: playerSchema,
}

export function readMockOptions<T extends OwnOptions>(
  caller: string,
  schemas: OptionSchemas<T>,
  given: unknown,
): T {
  const options = readOptions<T>(caller, schemas, given)
  const { storage } = options
  if (storage === undefined) return options
  if (typeof storage?.getItem !== 'function' || typeof storage.setItem !== 'function')
    throw mismatch('storage', 'a storage such as sessionStorage', { caller })
  const text = 'storage and sandbox cannot be combined; one state is kept'
  if (options.sandbox) throw new UsageError({ kind: 'text', caller, text })
  return options
}

export function openOptions(caller: string, given: unknown): MockSettings {
  const options = readMockOptions<MockOptions>(caller, mockSchemas, given)
  const start = openStart(options, caller, (scenario) => checkScenario(scenario, caller))
  return { ...options, origin: createOrigin(start) }
}

/** Room for all rows of a recording. */
export function chooseLogSize(recording: string): { rows: number } {
  const rows = Math.max(MAX_LOG_ROWS, recording.split('\n').length)
  return { rows: Math.min(rows, MOST_LOG_ROWS) }
}

type Start = ReadScenario | Promise<ReadScenario>

/**
 * The scenario of the checked options, or the default one, with the fields that the options change.
 */
export function openStart<T extends Start>(
  given: { scenario?: unknown },
  caller: string,
  open: (given: unknown) => T,
) {
  const changes = readChanges(given, caller)
  const change = (scenario: ReadScenario) => changeStart(scenario, changes, caller)
  if (given.scenario === undefined) return change(defaultScenario)
  const opened = open(given.scenario)
  return isPromise(opened) ? (opened.then(change) as T) : change(opened as ReadScenario)
}

function readChanges(given: object, caller: string): ReadScenario {
  const entries = Object.entries(given).filter(([name]) => Object.hasOwn(fields, name))
  const changes: Scenario = Object.fromEntries(entries)
  throwIfAny(findConflicts(changes), caller)
  return normalizeScenario(changes)
}

function changeStart(scenario: ReadScenario, changes: ReadScenario, caller: string): ReadScenario {
  const { nextId } = changes
  const changed = changeScenario(scenario, addFaults(scenario, changes))
  if (nextId !== undefined) throwIfAny(findConflicts({ nextId }, changed), caller)
  return changed
}

/** Unlike in a document, faults are added, each in place of the one with its id. */
function addFaults(scenario: ReadScenario, changes: ReadScenario): ReadScenario {
  const { faults } = changes
  if (!faults) return changes
  const replaced = new Set(faults.map(({ id }) => id))
  const isKept = ({ id }: TimedFault) => id === undefined || !replaced.has(id)
  return { ...changes, faults: [...faults, ...(scenario.faults ?? []).filter(isKept)] }
}
