// The settings of a deployment: what its bindings say, read with the rules and the messages of the command line.
import { isPlainObject } from '../../contract/describe-value.ts'
import { isUsageError, UsageError } from '../../contract/errors.ts'
import { parseJson, toJson } from '../../contract/int64-json.ts'
import { list } from '../../contract/schema.ts'
import { parseControlToken } from '../../control/control-token.ts'
import { type MockOptions, readMockOptions, toScenario } from '../../mock/mock-options.ts'
import { parseAssume, parseFail, parseInteger, parseLatency, parseSwitch, splitList } from '../../mock/parse-settings.ts'
import { parseScenario } from '../../scenario/check.ts'
import { findShipped } from '../../scenario/document.ts'
import { scenarios } from '../../scenarios.ts'
import { createSituation, type Scenario, type Situation, toBaseScenario } from '../../world/situation.ts'
import type { Namespace } from './platform.ts'

/** A scenario to start from, as JSON and ready to use. */
interface Start {
  readonly base: string
  readonly situation: Situation
}

export interface Settings {
  readonly worlds: Namespace
  /** Options of every world, the scenario aside. */
  readonly options: MockOptions
  /** The scenario that the shared world starts from. */
  readonly base: string
  /** Whether every key has a world of its own. */
  readonly hasSandboxes: boolean
  /** Whether this is the token of the control API; without one it is off. */
  readonly isToken: ((sent: string) => boolean) | undefined
  /** The situation of a scenario that was checked before. */
  toStart(base: string): Start
}

type Bindings = Readonly<Record<string, unknown>>

/** Names that are close to one of ours: as on the command line, where they are written once for each value. */
const NEAR = { API_KEY: 'API_KEYS', CORS_ORIGIN: 'CORS_ORIGINS' }

/** Reads the bindings; a UsageError names every one that is wrong. */
export function readBindings(bindings: Bindings): Settings {
  const problems: string[] = []

  /** The value of a binding, if it is there and right. */
  function read<T>(name: string, parse: (value: string) => T): T | undefined {
    const value = bindings[name]
    if (isAbsent(value)) return undefined
    return attempt(name, () => {
      if (typeof value === 'object') throw new UsageError('expected a text')
      return parse(String(value))
    })
  }

  /** The same for several values: a list, or a text with commas or spaces between them. */
  function readList<T>(name: string, parse: (value: string) => T): T[] | undefined {
    const value = bindings[name]
    if (isAbsent(value)) return undefined
    return attempt(name, () => (Array.isArray(value) ? value.map(String) : splitList(String(value))).map(parse))
  }

  function attempt<T>(name: string | undefined, run: () => T): T | undefined {
    try {
      return run()
    } catch (error) {
      if (!isUsageError(error)) throw error
      problems.push(...error.problems.map((problem) => (name === undefined ? problem : `${name}: ${problem}`)))
      return undefined
    }
  }

  for (const [name, meant] of Object.entries(NEAR)) if (name in bindings) problems.push(`${name}: did you mean ${meant}?`)
  const scenario = attempt('SCENARIO', () => readScenario(bindings.SCENARIO))
  const apiKeys = readList('API_KEYS', String)
  const assume = readList('ASSUME', parseAssume)
  const faults = readList('FAIL', parseFail)
  const now = read('NOW', String)
  const frozen = read('FROZEN', parseSwitch)
  const latency = read('LATENCY', parseLatency)
  const corsOrigins = readList('CORS_ORIGINS', String)
  const entries = read('JOURNAL', parseInteger)
  const hasSandboxes = read('SANDBOX', parseSwitch) ?? true
  const token = read('CONTROL_TOKEN', (text) => parseControlToken(text, ''))
  const start = attempt(undefined, () =>
    parseScenario(
      toScenario({
        ...(scenario ? { scenario } : {}),
        ...(apiKeys ? { apiKeys } : {}),
        ...(assume ? { assume: Object.assign({}, ...assume) } : {}),
        ...(faults ? { faults } : {}),
        ...(now === undefined ? {} : { now }),
        ...(frozen === undefined ? {} : { frozen }),
        ...(latency === undefined ? {} : { latency }),
      }),
    ),
  )
  const options = attempt(undefined, () =>
    readMockOptions(
      {
        ...(corsOrigins ? { corsOrigins } : {}),
        ...(entries === undefined ? {} : { journal: { entries } }),
        sandbox: hasSandboxes,
      },
      'bindings',
    ),
  )
  if (!isNamespace(bindings.WORLDS)) problems.push('WORLDS: expected the binding of the Durable Objects, of class World')
  if (!start || !options || problems.length > 0) throw new UsageError(problems)
  const base = toJson(toBaseScenario(start))
  return {
    worlds: bindings.WORLDS as Namespace,
    options,
    base,
    hasSandboxes,
    isToken: token === undefined ? undefined : createTokenCheck(token),
    toStart: createStarts({ base, situation: start }),
  }
}

function isNamespace(value: unknown): value is Namespace {
  return typeof (value as Partial<Namespace> | undefined)?.idFromName === 'function'
}

/** As on the command line an empty text counts for nothing; a variable that workerd does not find in its environment is null. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** A shipped scenario by its name, or a document: a value, or its JSON. */
function readScenario(given: unknown): Scenario | undefined {
  if (isAbsent(given)) return undefined
  const document = typeof given === 'string' && given.trimStart().startsWith('{') ? parseDocument(given) : given
  if (isPlainObject(document)) return document as Scenario
  const shipped = typeof document === 'string' ? findShipped(scenarios, document) : undefined
  if (!shipped) {
    throw new UsageError(`expected ${list(Object.keys(scenarios), 'or')}, or a scenario as JSON, got ${JSON.stringify(document)}`)
  }
  return shipped
}

function parseDocument(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Nearly all worlds start from the same scenario: in memory it is there once, and not once for each of them. */
function createStarts(first: Start): Settings['toStart'] {
  let last = first
  return (base) => {
    if (base !== last.base) last = { base, situation: createSituation(parseJson(base) as Scenario) }
    return last
  }
}

/** The time it takes tells nothing about the token: every character of it is compared, whatever was sent. */
function createTokenCheck(token: string): (sent: string) => boolean {
  return (sent) => {
    let difference = sent.length ^ token.length
    for (let index = 0; index < token.length; index++) difference |= token.charCodeAt(index) ^ sent.charCodeAt(index % (sent.length || 1))
    return difference === 0
  }
}
