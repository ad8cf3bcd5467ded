// The scenario that a control request brings: a document, the text of a file, or the name of a shipped one. It may extend only the
// shipped scenarios, and generate only as many animals as other clients can wait for.
import { ApiError, UsageError } from '../contract/errors.ts'
import type { Json } from '../contract/int64-json.ts'
import { check, list, type Schema } from '../contract/schema.ts'
import { MAX_GENERATED_PETS_PER_REQUEST, MAX_YAML_TEXT_BYTES } from '../limits.ts'
import { findShipped, hasShortcut, isJsonFile, SHORTCUTS } from '../scenario/document.ts'
import { readDocument, readJsonDocument } from '../scenario/read.ts'
import { importShipped, type Origin, resolveDocument } from '../scenario/resolve.ts'
import { decodeBody } from '../service/parse-input.ts'
import type { Scenario } from '../world/start.ts'

const nameSchema: Schema = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } }
const fileSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'text'],
  properties: { file: { type: 'string', minLength: 1, maxLength: 255 }, text: { type: 'string' } },
}

/** The value of a request body; a repeated key is an error, as in a scenario file. */
export function readSentBody(body: Uint8Array): Json {
  return readJsonDocument(decodeBody(body), { of: 'body' }) as Json
}

/** The scenario of a document. Without `extends` and `generate` it comes at once, and loading it checks it. */
export function readSentDocument(document: Json | undefined): Scenario | Promise<Scenario> {
  const hasShortcuts = SHORTCUTS.some((shortcut) => hasShortcut(document, shortcut))
  return hasShortcuts ? resolveSent(document) : (document as unknown as Scenario)
}

/** The scenario that `{ name }` or `{ file, text }` means: a shipped one, or the text of a file that is not on the mock's machine. */
export async function readSentName(body: Json | undefined): Promise<Scenario> {
  if (typeof body === 'object' && body !== null && 'text' in body) return readSentText(body)
  const { name } = check<{ name: string }>(nameSchema, body)
  const scenarios = await importShipped()
  const scenario = findShipped(scenarios, name)
  if (!scenario) {
    const choices = Object.keys(scenarios)
    throw new UsageError({ kind: 'mismatch', path: 'name', expected: list(choices, 'or'), got: JSON.stringify(name), choices })
  }
  return scenario
}

/** The scenario in `{ file, text }`, JSON or YAML by the name of the file; a UsageError names every problem, in YAML with its line. */
async function readSentText(body: Json | undefined): Promise<Scenario> {
  const { file, text } = check<{ file: string; text: string }>(fileSchema, body)
  if (!isJsonFile(file) && new TextEncoder().encode(text).length > MAX_YAML_TEXT_BYTES) {
    throw new ApiError(
      413,
      `YAML text over HTTP may have at most ${MAX_YAML_TEXT_BYTES} bytes; load it with animal-store-mock seed, or send JSON`,
    )
  }
  const { value, ...read } = await readDocument(text, file)
  return resolveSent(value, { ...read, name: findStem(file) })
}

async function resolveSent(document: unknown, origin: Origin = {}): Promise<Scenario> {
  return resolveDocument(document, { ...origin, maxGenerated: MAX_GENERATED_PETS_PER_REQUEST })
}

/** The name of a file without folders and extension. */
function findStem(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return /^(.+)\.[^.]*$/.exec(name)?.[1] ?? name
}
