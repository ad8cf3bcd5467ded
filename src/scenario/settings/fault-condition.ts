// The condition of a fault as people write it: its schema, what the schema cannot check, and how it
// is read.
import { HTTP_TOKEN } from '../../contract/address.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_CONDITION_CHARACTERS } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problem.ts'
import { mapOf, objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, isPlainObject } from '../../contract/values.ts'
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
  const problems: Problem[] = []
  if (Object.keys(when).length === 0) {
    const expected = 'a query, a body, headers or an apiKey'
    problems.push({ kind: 'mismatch', path, expected, got: 'an empty object' })
  }
  const flaw = findJsonFlaw(when)
  if (flaw !== undefined) return [{ kind: 'mismatch', path, expected: 'JSON data', got: flaw }]
  const length = printedLength(when)
  if (length > MAX_CONDITION_CHARACTERS) {
    const expected = `at most ${MAX_CONDITION_CHARACTERS} characters`
    problems.push({ kind: 'mismatch', path, expected, got: String(length) })
  }
  if (hasSecretField(when.body)) {
    const text = 'a field is named like a secret, which the mock does not keep'
    problems.push({ kind: 'text', path: `${path}.body`, text })
  }
  for (const place of ['query', 'headers'] as const) {
    const fields = isPlainObject(when[place]) ? when[place] : {}
    for (const name of Object.keys(fields)) {
      problems.push(...findNameFlaws(place, name, `${path}.${place}`))
    }
  }
  return problems
}

function hasSecretField(body: unknown): boolean {
  const text = toJson(body)
  return redactBody(text) !== text
}

function findNameFlaws(place: 'query' | 'headers', name: string, path: string): Problem[] {
  if (place === 'headers' && !HTTP_TOKEN.test(name)) {
    const got = describeValue(name)
    return [{ kind: 'mismatch', path, expected: 'names of header fields', got }]
  }
  if (isLogged(name)) return []
  const text = `${name} is named like a secret, which the mock does not keep; apiKey is for keys`
  return [{ kind: 'text', path, text }]
}
