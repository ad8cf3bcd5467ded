// The scenario that a control request brings: a document, the text of a file, or the name of a shipped one. It may extend only the
// shipped scenarios, and generate only as many animals as other clients can wait for.
import { ApiError } from '../contract/errors.ts'
import type { Json } from '../contract/int64-json.ts'
import { checkValue, type Schema } from '../contract/schema.ts'
import { MAX_PETS_PER_REQUEST, MAX_VALUES_PER_REQUEST, MAX_YAML_TEXT_BYTES } from '../limits.ts'
import { isJsonFile } from '../scenario/document.ts'
import { readDocument, readJsonDocument } from '../scenario/read.ts'
import { resolveDocument, resolveScenario } from '../scenario/resolve.ts'
import { decodeBody } from '../service/parse-input.ts'
import type { Scenario } from '../world/start.ts'

/** Other clients wait while a document is read, and while its animals are made and stored. */
const LIMITED = { maxPets: MAX_PETS_PER_REQUEST }
const LIMITS = { values: MAX_VALUES_PER_REQUEST }
const nameSchema: Schema = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } }
const fileSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'text'],
  properties: { file: { type: 'string', minLength: 1, maxLength: 255 }, text: { type: 'string' } },
}

/** The value of a request body; a repeated key is an error, as in a scenario file. */
export function readSentBody(body: Uint8Array): Json {
  return readJsonDocument(decodeBody(body), { of: 'body' }, LIMITS) as Json
}

/** The scenario of a document. Without `extends` and `generate` it comes at once, and loading it checks it. */
export function readSentDocument(document: Json | undefined): Scenario | Promise<Scenario> {
  return resolveScenario(document, LIMITED)
}

/** The scenario that `{ name }` or `{ file, text }` means: a shipped one, or the text of a file that is not on the mock's machine. */
export async function readSentName(body: Json | undefined): Promise<Scenario> {
  if (typeof body === 'object' && body !== null && 'text' in body) return readSentText(body)
  return resolveScenario((checkValue(nameSchema, body) as { name: string }).name)
}

/** The scenario in `{ file, text }`, JSON or YAML by the name of the file; a UsageError names every problem, in YAML with its line. */
async function readSentText(body: Json | undefined): Promise<Scenario> {
  const { file, text } = checkValue(fileSchema, body) as { file: string; text: string }
  if (!isJsonFile(file) && new TextEncoder().encode(text).length > MAX_YAML_TEXT_BYTES) {
    throw new ApiError(
      413,
      `YAML text over HTTP may have at most ${MAX_YAML_TEXT_BYTES} bytes; load it with animal-store-mock seed, or send JSON`,
    )
  }
  const { value, ...read } = await readDocument(text, file, LIMITS)
  return resolveDocument(value, { ...read, ...LIMITED, name: findStem(file) })
}

/** The name of a file without folders and extension. */
function findStem(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}
