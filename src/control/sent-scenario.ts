// The scenario that a request to the control API brings: a document, the text of a file, or the name of one that is shipped.
import { check } from '../contract/check.ts'
import { ApiError, UsageError } from '../contract/errors.ts'
import type { Json } from '../contract/int64-json.ts'
import { list, type Schema, toSentences } from '../contract/schema.ts'
import { MAX_YAML_TEXT_BYTES } from '../limits.ts'
import { hasShortcut, SHORTCUTS } from '../scenario/document.ts'
import { DOCUMENT_BOUNDS, findJsonProblems } from '../scenario/read-json.ts'
import { findShipped, isJsonFile, type Shipped } from '../scenario/scenario-file.ts'
import { readJson } from '../service/parse-input.ts'
import type { Scenario } from '../world/situation.ts'

/** What reading takes; the heavy parts are loaded on first use. */
export interface ScenarioResources {
  /** The shipped scenarios, by name. */
  scenarios(): Promise<Shipped>
  /** The scenario in the text of a file, JSON or YAML; a UsageError names every problem with its line. */
  read(text: string, file: string): Promise<Scenario>
  /** The scenario of a document that has `extends` or `generate`; a UsageError names every problem. */
  resolve(document: Json): Promise<Scenario>
}

/** Where a scenario can be sent to, to be loaded. */
export type LoadingPath = '/state' | '/scenario'

const nameSchema: Schema = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } }
const fileSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'text'],
  properties: { file: { type: 'string', minLength: 1, maxLength: 255 }, text: { type: 'string' } },
}

/** The value of a body. A key that comes twice is refused as it is in a file: one of the two values would be lost. */
export function readSentBody(body: Uint8Array): Json {
  let hasDuplicates = false
  const onDuplicate = () => {
    hasDuplicates = true
  }
  const value = readJson(body, onDuplicate, DOCUMENT_BOUNDS)
  if (hasDuplicates) throw new UsageError(toSentences(findJsonProblems(new TextDecoder().decode(body))))
  return value
}

/** Whether the scenario is valid is found on loading it. */
export function toSentScenario(path: LoadingPath, body: Json | undefined, resources: ScenarioResources): Scenario | Promise<Scenario> {
  if (path === '/scenario') return toNamedOrText(body, resources)
  const hasShortcuts = body !== undefined && SHORTCUTS.some((shortcut) => hasShortcut(body, shortcut))
  return hasShortcuts ? resources.resolve(body) : (body as unknown as Scenario)
}

/** By its name, or as the text of a file that is not on the mock's machine. */
async function toNamedOrText(body: Json | undefined, resources: ScenarioResources): Promise<Scenario> {
  if (typeof body === 'object' && body !== null && 'text' in body) return readSentFile(body, resources)
  const { name } = check<{ name: string }>(nameSchema, body)
  return pick(await resources.scenarios(), name)
}

export function readSentFile(body: Json | undefined, resources: ScenarioResources): Promise<Scenario> {
  const { file, text } = check<{ file: string; text: string }>(fileSchema, body)
  checkText(file, text)
  return resources.read(text, file)
}

/** YAML takes far longer to read than JSON of the same size. */
function checkText(file: string, text: string): void {
  if (text.length <= MAX_YAML_TEXT_BYTES || isJsonFile(file)) return
  throw new ApiError(413, `YAML text may have at most ${MAX_YAML_TEXT_BYTES} characters; send a larger document as JSON`)
}

function pick(scenarios: Shipped, name: string): Scenario {
  const scenario = findShipped(scenarios, name)
  if (!scenario) throw new UsageError(`name: expected ${list(Object.keys(scenarios), 'or')}, got ${JSON.stringify(name)}`)
  return scenario
}
