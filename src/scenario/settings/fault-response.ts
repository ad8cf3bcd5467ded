// A whole response, which a fault or a release sends: its schema, and what the schema cannot check.
import { HTTP_TOKEN } from '../../contract/address.ts'
import { printBody } from '../../contract/int64-json.ts'
import { MAX_FAULT_BODY_BYTES, MAX_FAULT_NAME_CHARACTERS } from '../../contract/limits.ts'
import type { Unchecked } from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import { mapOf, objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, isPlainObject } from '../../contract/values.ts'
import { BODILESS_STATUSES, type FaultResponse } from '../../world/fault-outcome.ts'
import { findJsonFlaw } from './fault-json.ts'

export const responseStatus: Schema = { type: 'integer', minimum: 200, maximum: 599 }
/** RFC 9110 §5.5. */
const fieldValue: Schema = { type: 'string', pattern: '^[\\t -~]*$', title: 'printable ASCII' }
/** The host decides how to frame a message and whether to keep the connection. */
const HOST_FIELDS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'trailer',
])

export const responseSchema: Schema = /* @__PURE__ */ objectOf(['status'], {
  status: responseStatus,
  headers: mapOf(fieldValue),
  body: {},
})

export function findResponseFlaws(response: Unchecked<FaultResponse>, path: string): Problem[] {
  const { status, headers, body } = response
  const problems: Problem[] = []
  const refuse = (field: 'headers' | 'body', expected: string, got: string) => {
    problems.push({ kind: 'mismatch', path: `${path}.${field}`, expected, got })
  }
  if (body !== undefined && BODILESS_STATUSES.includes(status as number)) {
    refuse('body', `none, since a ${status} has no body`, describeValue(body))
  }
  const headersFlaw = findJsonFlaw(headers)
  if (headersFlaw !== undefined) refuse('headers', 'JSON data', headersFlaw)
  const bodyFlaw = findJsonFlaw(body)
  if (bodyFlaw !== undefined) refuse('body', 'JSON data', bodyFlaw)
  const bytes = bodyFlaw === undefined ? countBytes(body) : 0
  if (bytes > MAX_FAULT_BODY_BYTES) {
    refuse('body', `at most ${MAX_FAULT_BODY_BYTES} bytes`, String(bytes))
  }
  const names = isPlainObject(headers) ? Object.keys(headers) : []
  for (const name of names) {
    if (!isFieldName(name)) refuse('headers', 'names of header fields', describeValue(name))
  }
  for (const name of names) {
    if (!HOST_FIELDS.has(name.toLowerCase())) continue
    problems.push({ kind: 'text', path: `${path}.headers`, text: `${name} is up to the host` })
  }
  return problems
}

const countBytes = (body: unknown) => new TextEncoder().encode(printBody(body)).length

function isFieldName(name: string): boolean {
  return name.length <= MAX_FAULT_NAME_CHARACTERS && HTTP_TOKEN.test(name)
}
