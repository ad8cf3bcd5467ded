// Checks a fault, and reads its text form for flags, bindings and commands: `createPet=503:2`.
import { describeValue, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { parseInt64, toJson } from '../contract/int64-json.ts'
import { suggest } from '../contract/near-names.ts'
import { refuse } from '../contract/options.ts'
import { isEnough, type Problem } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { BODILESS_STATUSES, FAULT_BODIES, type FaultResponse } from '../fault-body.ts'
import { contract, type Int64, type OperationId } from '../generated/contract.ts'
import { MAX_FAULT_BODY_BYTES, MAX_FAULT_ID_CHARACTERS, MAX_FAULTS, MAX_RETRY_AFTER_SECONDS } from '../limits.ts'
import type { Fault, TimedFault } from '../world/faults.ts'
import { delaySchema, findDelayProblems, parseDelay } from './duration.ts'

const count: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** RFC 9110 §5.5. */
const fieldValue: Schema = { type: 'string', pattern: '^[\\t -~]*$', title: 'printable ASCII' }
const FIELD_NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
/** The host decides how to frame a message and whether to keep the connection. */
const HOST_FIELDS = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer)$/i

const status: Schema = { type: 'integer', minimum: 200, maximum: 599 }
const response = { status, headers: { type: 'object', properties: {}, additionalProperties: fieldValue }, body: {} }

export const faultSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation'],
  properties: {
    operation: { enum: [...(Object.keys(contract.operations) as OperationId[]), '*'] },
    petId: { type: 'integer', format: 'int64' },
    status,
    body: { enum: Object.keys(FAULT_BODIES) },
    response: { type: 'object', additionalProperties: false, required: ['status'], properties: response },
    delay: delaySchema,
    drop: { type: 'boolean' },
    times: count,
    after: count,
    rate: { type: 'number', minimum: 0, maximum: 1 },
    retryAfter: { type: 'integer', minimum: 0, maximum: MAX_RETRY_AFTER_SECONDS },
    id: { type: 'string', minLength: 1, maxLength: MAX_FAULT_ID_CHARACTERS },
    seen: count,
    applied: count,
  },
}

/** Any part may still have the wrong type. */
export type Unchecked<T> = { readonly [Key in keyof T]?: unknown }

/** Besides what the schema finds. */
export function findFaultProblems(faults: unknown, path: string): Problem[] {
  // The schema reports a longer list.
  const listed: readonly unknown[] = Array.isArray(faults) ? faults.slice(0, MAX_FAULTS) : []
  // An invalid id is already reported.
  const isId = (id: unknown) => findViolations(faultSchema.properties?.id as Schema, id).length === 0
  const ids = listed.map((fault) => (isPlainObject(fault) && isId(fault.id) ? (fault.id as string) : undefined))
  return [...listed.flatMap((fault, index) => checkOneFault(fault, `${path}[${index}]`)), ...findDuplicates(ids, path)]
}

export function findDuplicates(ids: readonly (Int64 | string | undefined)[], path: string): Problem[] {
  // Fast path: ids in ascending order are unique, and a million need not be remembered.
  if (ids.every((id, index) => id !== undefined && (index === 0 || (id as Int64) > (ids[index - 1] as Int64)))) return []
  const problems: Problem[] = []
  const indexOf = new Map<Int64 | string, number>()
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue
    const twin = indexOf.get(id)
    if (twin === undefined) indexOf.set(id, index)
    else problems.push({ kind: 'duplicate-id', path: `${path}[${index}].id`, id: describeValue(id), also: `${path}[${twin}]` })
    if (isEnough(problems)) break
  }
  return problems
}

/** A fault must do something, and one thing only. */
export function checkOneFault(value: unknown, path: string): Problem[] {
  if (!isPlainObject(value)) return []
  const { operation, petId, status, delay, drop, retryAfter, body, response }: Unchecked<Fault> = value
  const problems: Problem[] = checkResponse(response, `${path}.response`)
  const expect = (isRight: boolean, expected: string, got: string, at = '') => {
    if (!isRight) problems.push({ kind: 'mismatch', path: path + at, expected, got })
  }
  const outcomes = [status !== undefined || body !== undefined, response !== undefined, drop === true].filter(Boolean).length
  const isEmpty = outcomes === 0 && delay === undefined
  expect(!isEmpty, 'a status, a body, a response, a delay or drop: true', 'none of them')
  expect(isEmpty || status !== undefined || retryAfter === undefined, 'a status along with retryAfter', 'none')
  expect(outcomes <= 1, 'one outcome: a status or a body, a response, or drop: true', 'more')
  const isSuccess = typeof status === 'number' && status >= 200 && status < 400
  expect(body !== undefined || !isSuccess, '400 to 599 unless the fault has a body', String(status), '.status')
  const isBodiless = BODILESS_STATUSES.includes(status as number)
  expect(!isBodiless || body === undefined || body === 'empty', `empty, since a ${status} has no body`, describeValue(body), '.body')
  if (petId !== undefined && operation !== '*' && Object.hasOwn(contract.operations, String(operation))) {
    const { path: target } = contract.operations[operation as OperationId]
    if (!target.includes('{petId}')) problems.push({ kind: 'text', path: `${path}.petId`, text: `${operation} has no petId` })
  }
  return [...problems, ...findDelayProblems(delay, `${path}.delay`)]
}

/** A host must be able to send the response as it is. */
function checkResponse(value: unknown, path: string): Problem[] {
  if (!isPlainObject(value)) return []
  const { status, headers, body }: Unchecked<FaultResponse> = value
  const problems: Problem[] = []
  if (BODILESS_STATUSES.includes(status as number) && body !== undefined) {
    problems.push({ kind: 'mismatch', path: `${path}.body`, expected: `none, since a ${status} has no body`, got: describeValue(body) })
  }
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : toJson(body)).length
  if (bytes > MAX_FAULT_BODY_BYTES) {
    problems.push({ kind: 'mismatch', path: `${path}.body`, expected: `at most ${MAX_FAULT_BODY_BYTES} bytes`, got: String(bytes) })
  }
  for (const name of isPlainObject(headers) ? Object.keys(headers) : []) {
    if (HOST_FIELDS.test(name)) problems.push({ kind: 'text', path: `${path}.headers`, text: `${name} is up to the host` })
    else if (!FIELD_NAME.test(name)) {
      problems.push({ kind: 'mismatch', path: `${path}.headers`, expected: 'names of header fields', got: describeValue(name) })
    }
  }
  return problems
}

export function timeFault(fault: Fault): TimedFault {
  return (fault.delay === undefined ? fault : { ...fault, delay: parseDelay(fault.delay) }) as TimedFault
}

/** Words with a number: `retry-after=30`. */
const NUMBERS = { 'retry-after': 'retryAfter', times: 'times', after: 'after' } as const
const WORDS = ['drop', ...Object.keys(FAULT_BODIES), ...Object.keys(NUMBERS).map((name) => `${name}=`)]
const FAULT = /^([^=/]+)(?:\/([^=]*))?=([^@]+)(?:@(.+))?$/

/**
 * An operation or `*`, perhaps `/` and an animal's id; then `=` and words with colons between them; then perhaps `@` and a probability. The
 * first number is the status, and the next one how many times; after `drop`, a body or a delay one of two digits is how many times, too.
 */
export function parseFault(text: string): TimedFault {
  const [, operation, petId, words = '', rate] = FAULT.exec(text) ?? []
  if (operation === undefined) throw new UsageError('expected an operation and what happens, like createPet=503 or listPets=drop')
  const fault: Record<string, unknown> = { operation }
  if (petId !== undefined) fault.petId = parseInt64(petId) ?? petId
  if (rate !== undefined) fault.rate = /^[\d.e-]+$/.test(rate) ? Number(rate) : rate
  for (const word of words.split(':')) {
    const [name, value] = parseWord(word, fault)
    if (name in fault) throw new UsageError(`${JSON.stringify(word)}: ${name} is given twice`)
    fault[name] = value
  }
  refuse(findViolations(faultSchema, fault, 'fault'))
  refuse(checkOneFault(fault, 'fault'))
  return timeFault(fault as unknown as Fault)
}

function parseWord(
  word: string,
  { status, drop, body, delay }: Readonly<Record<string, unknown>>,
): readonly [name: keyof TimedFault, value: unknown] {
  const [name = '', value] = word.split('=', 2)
  if (word === 'drop') return ['drop', true]
  if (Object.hasOwn(FAULT_BODIES, word)) return ['body', word]
  const isShort = /^\d{1,2}$/.test(word)
  if (isShort && [status, drop, body, delay].every((one) => one === undefined))
    throw new UsageError(`${JSON.stringify(word)}: expected a status first; for how often, write times=${word}`)
  const isCount = isShort || status !== undefined || drop !== undefined
  if (/^[1-9]\d{0,14}$/.test(word)) return [isCount ? 'times' : 'status', Number(word)]
  if (Object.hasOwn(NUMBERS, name) && /^\d{1,15}$/.test(value ?? '')) return [NUMBERS[name as 'times'], Number(value)]
  if (/^[\dP]/.test(word) && word !== '0') return ['delay', parseDelay(word)]
  throw new UsageError(`${JSON.stringify(word)} is not a number or a delay like 200ms; ${suggest(name, WORDS)}`)
}
