// The condition of a fault as people write it: its schema, what the schema cannot check, and how it
// is read.
import { HTTP_TOKEN } from '../../contract/address.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_CONDITION_CHARACTERS } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problem.ts'
import { joinPath, mapOf, objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, isPlainObject, withoutUndefined } from '../../contract/values.ts'
import { hideKey, type RequestCondition } from '../../world/fault-condition.ts'
import { isLogged, redactBody } from '../../world/redact.ts'
import { apiKeySchema } from './access.ts'
import { findJsonFlaw, printedLength } from './fault-json.ts'

/** What is compared as text, or null for what must be absent. */
const FIELD: Schema = {
  oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { const: null }],
  title: 'a text, a number, true, false or null',
}
/** As a saved state has it: the end and a digest. */
const HIDDEN_KEY: Schema = { type: 'string', pattern: '^…[^ ]{0,4}#[0-9a-f]{8}$' }

export const conditionSchema: Schema = /* @__PURE__ */ objectOf([], {
  query: mapOf(FIELD),
  headers: mapOf(FIELD),
  body: {},
  apiKey: {
    oneOf: [apiKeySchema, HIDDEN_KEY],
    title: apiKeySchema.title as string,
    writeOnly: true,
  },
})

export function readCondition(when: RequestCondition): RequestCondition {
  return when.apiKey === undefined ? when : { ...when, apiKey: hideKey(when.apiKey) }
}

export function findConditionFlaws(when: unknown, path: string): Problem[] {
  if (!isPlainObject(when)) return []
  const problems = findPatternFlaws(when, path)
  if (Object.keys(withoutUndefined(when)).length > 0) return problems
  const expected = 'a query, a body, headers or an apiKey'
  return [...problems, { kind: 'mismatch', path, expected, got: 'an empty object' }]
}

/**
 * Of what a request must have: what cannot be kept or printed, and what the log hides, since that
 * would match nothing. The value may be anything.
 */
export function findPatternFlaws(pattern: Readonly<Record<string, unknown>>, path: string) {
  const { query, headers, body } = pattern
  const problems: Problem[] = []
  for (const [name, value] of Object.entries({ query, headers, body })) {
    problems.push(...findValueFlaws(value, joinPath(path, name)))
  }
  if (problems.length > 0) return problems
  if (body !== undefined && hasSecretField(body)) {
    problems.push(refuseSecret(joinPath(path, 'body'), 'a field of it'))
  }
  problems.push(...findFieldFlaws(query, joinPath(path, 'query')))
  problems.push(...findFieldFlaws(headers, joinPath(path, 'headers')))
  for (const name of namesOf(headers)) {
    if (HTTP_TOKEN.test(name)) continue
    const got = describeValue(name)
    const place = joinPath(path, 'headers')
    problems.push({ kind: 'mismatch', path: place, expected: 'names of header fields', got })
  }
  return problems
}

function findValueFlaws(value: unknown, path: string): Problem[] {
  if (value === undefined) return []
  const flaw = findJsonFlaw(value)
  if (flaw !== undefined) return [{ kind: 'mismatch', path, expected: 'JSON data', got: flaw }]
  const length = printedLength(value)
  if (length <= MAX_CONDITION_CHARACTERS) return []
  const expected = `at most ${MAX_CONDITION_CHARACTERS} characters`
  return [{ kind: 'mismatch', path, expected, got: String(length) }]
}

function findFieldFlaws(fields: unknown, path: string): Problem[] {
  const hidden = namesOf(fields).filter((name) => !isLogged(name))
  return hidden.map((name) => refuseSecret(path, name))
}

function namesOf(fields: unknown): string[] {
  return isPlainObject(fields) ? Object.keys(fields) : []
}

function hasSecretField(body: unknown): boolean {
  const text = toJson(body)
  return redactBody(text) !== text
}

function refuseSecret(path: string, name: string): Problem {
  const text = `${name} is named like a secret, which the mock does not keep; apiKey is for keys`
  return { kind: 'text', path, text }
}
