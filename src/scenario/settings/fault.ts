// A fault as people write it: its schema, what the schema cannot check, and how it is read.
import { contract, type OperationId } from '../../contract/generated/contract.ts'
import { MAX_FAULT_NAME_CHARACTERS, MAX_RETRY_AFTER_SECONDS } from '../../contract/limits.ts'
import {
  BOOLEAN,
  COUNT,
  INT64,
  type OptionSchemas,
  type Unchecked,
} from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import { joinPath, objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, isPlainObject } from '../../contract/values.ts'
import { BODILESS_STATUSES, countOutcomes, FAULT_BODIES } from '../../world/fault-outcome.ts'
import type { Fault, TimedFault } from '../../world/faults.ts'
import {
  delaySchema,
  findDelayProblems,
  findHoldProblems,
  holdSchema,
  parseDelay,
  parseDuration,
} from './duration.ts'
import { conditionSchema, findConditionFlaws, readCondition } from './fault-condition.ts'
import { findResponseFlaws, responseSchema, responseStatus } from './fault-response.ts'
import { parseSpeed, speedSchema } from './speed.ts'

export const faultSchema: Schema = /* @__PURE__ */ objectOf(['operation'], {
  operation: { enum: [...(Object.keys(contract.operations) as OperationId[]), '*'] },
  petId: INT64,
  when: conditionSchema,
  status: responseStatus,
  body: { enum: Object.keys(FAULT_BODIES) },
  response: responseSchema,
  delay: delaySchema,
  drop: BOOLEAN,
  lost: BOOLEAN,
  rst: BOOLEAN,
  slow: speedSchema,
  hold: holdSchema,
  times: COUNT,
  after: COUNT,
  rate: { type: 'number', minimum: 0, maximum: 1 },
  retryAfter: { type: 'integer', minimum: 0, maximum: MAX_RETRY_AFTER_SECONDS },
  id: { type: 'string', minLength: 1, maxLength: MAX_FAULT_NAME_CHARACTERS },
  seen: COUNT,
  applied: COUNT,
} satisfies OptionSchemas<Fault>)

/** As a state keeps it: delays in milliseconds, speeds in bytes a second, and no whole key. */
export function readFault(fault: Fault): TimedFault {
  const { delay, slow, when, hold } = fault
  const read: Record<string, unknown> = { ...fault }
  if (delay !== undefined) read.delay = parseDelay(delay)
  if (slow !== undefined) read.slow = parseSpeed(slow)
  if (typeof hold === 'string' || typeof hold === 'number') read.hold = parseDuration(hold)
  if (when !== undefined) read.when = readCondition(when)
  return read as unknown as TimedFault
}

/** `path` is that of the fault in a list; on its own it has none, as in its schema. */
export function findFlaws(value: unknown, path = ''): Problem[] {
  if (!isPlainObject(value)) return []
  const fault: Unchecked<Fault> = value
  const { response } = fault
  const responsePath = joinPath(path, 'response')
  const inResponse = isPlainObject(response) ? findResponseFlaws(response, responsePath) : []
  return [
    ...inResponse,
    ...findOutcomeFlaws(fault, path),
    ...findBodyFlaws(fault, path),
    ...findStrayPetId(fault, path),
    ...findConditionFlaws(fault.when, joinPath(path, 'when')),
    ...findDelayProblems(fault.delay, joinPath(path, 'delay')),
    ...findHoldProblems(fault.hold, joinPath(path, 'hold')),
  ]
}

function findOutcomeFlaws(fault: Unchecked<Fault>, path: string): Problem[] {
  const place = path || 'fault'
  const outcomes = countOutcomes(fault)
  if (outcomes === 0 && fault.delay === undefined && fault.slow === undefined) {
    const flags = 'true as drop, lost, rst or hold'
    const expected = `a status, a body, a response, a delay, slow, or ${flags}`
    return [{ kind: 'mismatch', path: place, expected, got: 'none of them' }]
  }
  const problems: Problem[] = []
  const hasErrorStatus = Number(fault.status) >= 400
  if (fault.retryAfter !== undefined && !hasErrorStatus) {
    const expected = 'a status from 400 to 599 along with retryAfter'
    const got = String(fault.status ?? 'none')
    problems.push({ kind: 'mismatch', path: place, expected, got })
  }
  if (outcomes > 1) {
    const expected = 'one outcome: a status or a body, a response, drop, lost, rst or hold'
    problems.push({ kind: 'mismatch', path: place, expected, got: 'more' })
  }
  for (const name of ['delay', 'slow'] as const) {
    if (!fault.hold || fault[name] === undefined) continue
    const text = 'cannot be combined with hold, which waits for your release'
    problems.push({ kind: 'text', path: joinPath(path, name), text })
  }
  return problems
}

function findBodyFlaws(fault: Unchecked<Fault>, path: string): Problem[] {
  const { status, body } = fault
  if (body === undefined) {
    const isSuccess = typeof status === 'number' && status >= 200 && status < 400
    if (!isSuccess) return []
    const expected = '400 to 599 unless the fault has a body'
    return [{ kind: 'mismatch', path: joinPath(path, 'status'), expected, got: String(status) }]
  }
  if (body === 'empty' || !BODILESS_STATUSES.includes(status as number)) return []
  const expected = `empty, since a ${status} has no body`
  return [{ kind: 'mismatch', path: joinPath(path, 'body'), expected, got: describeValue(body) }]
}

function findStrayPetId(fault: Unchecked<Fault>, path: string): Problem[] {
  const { operation, petId } = fault
  if (petId === undefined) return []
  const operations = Object.values(contract.operations)
  const found = operations.find((one) => one.operationId === operation)
  if (!found || found.path.includes('{petId}')) return []
  return [{ kind: 'text', path: joinPath(path, 'petId'), text: `${operation} has no petId` }]
}
