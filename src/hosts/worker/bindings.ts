// The settings of a deployment, read from its bindings with the rules and messages of the command
// line.
import { mismatch, UsageError } from '../../contract/errors.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { addCaller, type Problem } from '../../contract/problem.ts'
import { openOptions, ROWS } from '../../mock/mock-options.ts'
import { readJsonDocument } from '../../scenario/read-json-document.ts'
import { findShipped } from '../../scenario/scenario-names.ts'
import { type Flag, nameBinding, parseNumberBy, readFlag } from '../../scenario/settings/flag.ts'
import { hostFlags, readSettings, settingTexts } from '../../scenario/settings/texts.ts'
import { scenarios } from '../../scenario/shipped.ts'
import { printOrigin } from '../../world/saved-state.ts'
import type { ReadScenario, Scenario } from '../../world/scenario.ts'
import { createOrigin } from '../../world/state.ts'

export type BoundSettings = ReturnType<typeof readBindings>

type BoundFlag = Pick<Flag, 'syntax' | 'parse'>

export interface SandboxObject {
  fetch(request: Request): Promise<Response>
  /** Of the shared object: the origin of new sandboxes, as a scenario in JSON. */
  originText(): Promise<string>
  enlist(key: string): Promise<void>
  erase(): Promise<void>
}

const NO_SANDBOXES = 'SANDBOXES: expected the binding of the Durable Objects, of class Sandbox'
const OTHER_FLAGS = {
  ...hostFlags,
  requestLog: { syntax: '--request-log <n>', parse: parseNumberBy(ROWS) },
}

export function readBindings(bindings: Readonly<Record<string, unknown>>) {
  const problems: (string | Problem)[] = []

  /** Collects the problems of all bindings, so that one start names all of them. */
  function attempt<T>(run: () => T, binding?: string): T | undefined {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const found = binding === undefined ? error.problems : addCaller(error.problems, binding)
      problems.push(...found)
      return undefined
    }
  }

  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries<BoundFlag>(listFlags()))
    values[name] = attempt(() => readBinding(flag, bindings))
  const { corsOrigin: corsOrigins, requestLog: rows, sandbox = true, controlToken, player } = values
  const scenario = attempt(() => readScenario(bindings.SCENARIO), 'SCENARIO')
  const settings = attempt(() => readSettings(values, (flag) => nameBinding(`--${flag}`)))
  const requestLog = rows === undefined ? undefined : { rows }
  const given = { scenario, ...settings, corsOrigins, requestLog, sandbox, player }
  const options = attempt(() => openOptions('bindings', given))
  const sandboxes = bindings.SANDBOXES as {
    idFromName(name: string): unknown
    get(id: unknown): SandboxObject
  }
  if (typeof sandboxes?.idFromName !== 'function') problems.push(NO_SANDBOXES)
  if (!options || problems.length > 0) throw new UsageError(problems)
  const { origin } = options
  /** Nearly all sandboxes have the same origin, so it is kept only once. */
  let last = { text: printOrigin(origin), origin }
  return {
    options,
    originText: last.text,
    token: controlToken as string | undefined,
    toObject: (name: string): SandboxObject => sandboxes.get(sandboxes.idFromName(name)),
    readOrigin(text: string) {
      if (text !== last.text) last = { text, origin: createOrigin(parseJson(text) as ReadScenario) }
      return last
    },
  }
}

const listFlags = (): Record<string, BoundFlag> =>
  Object.assign({}, ...Object.values(settingTexts).map((text) => text.flags), OTHER_FLAGS)

function readBinding(flag: BoundFlag, bindings: Readonly<Record<string, unknown>>): unknown {
  const name = nameBinding(flag.syntax)
  const value = bindings[name]
  if (isAbsent(value)) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) throw mismatch(name, 'a text')
  return readFlag(flag, String(value), name)
}

/**
 * As on the command line, an empty text is absent. workerd binds null for a missing environment
 * variable.
 */
const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

function readScenario(given: unknown): Scenario | undefined {
  if (isAbsent(given)) return undefined
  const isJson = typeof given === 'string' && /^\s*[[{]/.test(given)
  const document = isJson ? readJsonDocument(given) : given
  if (typeof document === 'object') return document as Scenario
  const found = findShipped(scenarios, document, '', ', or a scenario as JSON')
  if ('kind' in found) throw new UsageError(found)
  return found
}
