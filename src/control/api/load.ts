// Loads what a client sends: a scenario as a value, the name of a shipped one, or the text of a
// file that the client has read and the mock cannot.
import { ApiError, rethrow, UsageError } from '../../contract/errors.ts'
import {
  MAX_GENERATED_PETS,
  MAX_PETS_PER_REQUEST,
  MAX_VALUES_PER_REQUEST,
  MAX_YAML_TEXT_BYTES,
} from '../../contract/limits.ts'
import { checkValue, TEXT } from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import { objectOf } from '../../contract/schema.ts'
import { isPlainObject } from '../../contract/values.ts'
import { findProblems } from '../../scenario/check-scenario.ts'
import { toDocument } from '../../scenario/document.ts'
import { readDocument } from '../../scenario/read.ts'
import { isJsonFile } from '../../scenario/scenario-names.ts'
import { isNameAlone } from '../../world/scenario.ts'
import type { Result } from '../control.ts'
import { FILE_NAME } from '../method-inputs.ts'

type Load = (scenario: unknown) => Promise<Result>
type SentFile = { readonly file: string; readonly text: string }

/** Other clients wait while a document is read. */
export const READ_LIMITS = { values: MAX_VALUES_PER_REQUEST }

const sentFileSchema = objectOf(['file', 'text'], { file: FILE_NAME, text: TEXT })

/** Calls `load` with the scenario that was sent. */
export async function loadSent(sent: unknown, load: Load): Promise<Result> {
  if (isSentFile(sent)) return loadFile(checkValue(sentFileSchema, sent) as SentFile, load)
  return load(isNameAlone(sent) ? sent.name : sent)
}

/** No scenario has a field `file` or `text`. */
function isSentFile(sent: unknown): sent is object {
  return isPlainObject(sent) && (Object.hasOwn(sent, 'file') || Object.hasOwn(sent, 'text'))
}

async function loadFile(sent: SentFile, load: Load): Promise<Result> {
  const { file, text } = sent
  const isYaml = !isJsonFile(file)
  if (isYaml && new TextEncoder().encode(text).length > MAX_YAML_TEXT_BYTES) {
    const advice = 'load it with animal-store-mock seed, or send JSON'
    const message = `YAML text over HTTP may have at most ${MAX_YAML_TEXT_BYTES} bytes; ${advice}`
    throw new ApiError(413, message)
  }
  const { value, name, place } = await readDocument(text, file, READ_LIMITS)
  if (!isPlainObject(value)) throw new UsageError(place(findProblems(value)))
  return load({ name, ...value }).catch((error) => rethrow(error, place))
}

/**
 * More animals than one request may bring: other clients wait while they are checked and stored.
 */
export function findExcess(sent: unknown): Problem[] {
  const document = toDocument(sent)
  const { pets, generate } = isPlainObject(document) ? document : {}
  const { count } = isPlainObject(generate) ? generate : {}
  const listed = Array.isArray(pets) ? pets.length : 0
  // The schema reports what is not a number, or too large for any scenario.
  const isCount = typeof count === 'number' && count <= MAX_GENERATED_PETS
  const generated = isCount ? count : 0
  const problems: Problem[] = []
  if (listed > MAX_PETS_PER_REQUEST) problems.push(describeExcess('pets', listed, '--scenario'))
  if (generated > MAX_PETS_PER_REQUEST)
    problems.push(describeExcess('generate.count', generated, '--count'))
  return problems
}

function describeExcess(path: string, got: number, flag: string): Problem {
  const expected = `at most ${MAX_PETS_PER_REQUEST} over HTTP (serve ${flag} takes more)`
  return { kind: 'mismatch', path, expected, got: String(got) }
}
