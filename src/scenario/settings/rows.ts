// One row per setting: its schema, what the schema cannot check, and how it is read. The document
// schema, its check and the options of createMock are derived from the rows. What only flags,
// bindings and reports need is in texts.ts.
import { B64TOKEN, HTTP_TOKEN } from '../../contract/address.ts'
import {
  assumptions,
  contract,
  type Int64,
  type OperationId,
} from '../../contract/generated/contract.ts'
import { JsonError, parseJson, printBody, toJson } from '../../contract/int64-json.ts'
import * as limits from '../../contract/limits.ts'
import {
  BOOLEAN,
  COUNT,
  type FindProblems,
  INT64,
  type OptionSchemas,
  TEXT,
} from '../../contract/options.ts'
import { isEnough, type Problem } from '../../contract/problem.ts'
import { joinPath, mapOf, objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, isPlainObject, readOwn, withoutUndefined } from '../../contract/values.ts'
import { findInstantProblems } from '../../world/clock.ts'
import {
  BODILESS_STATUSES,
  countOutcomes,
  FAULT_BODIES,
  type FaultResponse,
} from '../../world/fault-outcome.ts'
import type { Fault, TimedFault } from '../../world/faults.ts'
import type { ReadScenario, Settings } from '../../world/scenario.ts'
import { surpriseSchema } from '../../world/surprise.ts'
import {
  delaySchema,
  findDelayProblems,
  latencySchema,
  parseDelay,
  parseLatency,
} from './duration.ts'

interface SettingRow<Name extends keyof Settings> {
  readonly schema: Schema
  /** What the schema cannot check; the value may be anything. */
  readonly findProblems?: FindProblems
  /** From what people write to what a state keeps; without it they are the same. */
  read?(value: NonNullable<Settings[Name]>): ReadScenario[Name]
}

const bearerToken = (minLength: number): Schema => ({
  type: 'string',
  pattern: B64TOKEN.source,
  minLength,
  maxLength: limits.MAX_KEY_CHARACTERS,
  title: `a bearer token (RFC 6750) of ${minLength} to ${limits.MAX_KEY_CHARACTERS} characters`,
  writeOnly: true,
})
export const apiKeySchema = /* @__PURE__ */ bearerToken(1)
export const controlTokenSchema = /* @__PURE__ */ bearerToken(limits.MIN_TOKEN_CHARACTERS)

export const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/
export const hostSchema = {
  type: 'string',
  pattern: HOST_NAME.source,
  title: 'a host name, without scheme and port',
}
export const corsOriginSchema: Schema = {
  type: 'string',
  pattern: '^(?:[*]|[a-z][a-z0-9+.\\-]*:\\/\\/[^\\s\\/?#A-Z]+)$',
  title: 'an origin such as "https://app.example.com" (no path, in lower case), or "*"',
}

const choiceSchemas = /* @__PURE__ */ Object.fromEntries(
  assumptions.map(({ id, choices }) => [id, { enum: choices }]),
)
export const assumeSchema: Schema = /* @__PURE__ */ objectOf([], choiceSchemas)

const status: Schema = { type: 'integer', minimum: 200, maximum: 599 }
/** RFC 9110 §5.5. */
const fieldValue: Schema = { type: 'string', pattern: '^[\\t -~]*$', title: 'printable ASCII' }
const isFieldName = (name: string) =>
  name.length <= limits.MAX_FAULT_NAME_CHARACTERS && HTTP_TOKEN.test(name)
/** The host decides how to frame a message and whether to keep the connection. */
const HOST_FIELDS =
  /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer)$/i

export const faultSchema: Schema = /* @__PURE__ */ objectOf(['operation'], {
  operation: { enum: [...(Object.keys(contract.operations) as OperationId[]), '*'] },
  petId: INT64,
  status,
  body: { enum: Object.keys(FAULT_BODIES) },
  response: objectOf(['status'], { status, headers: mapOf(fieldValue), body: {} }),
  delay: delaySchema,
  drop: BOOLEAN,
  times: COUNT,
  after: COUNT,
  rate: { type: 'number', minimum: 0, maximum: 1 },
  retryAfter: { type: 'integer', minimum: 0, maximum: limits.MAX_RETRY_AFTER_SECONDS },
  id: { type: 'string', minLength: 1, maxLength: limits.MAX_FAULT_NAME_CHARACTERS },
  seen: COUNT,
  applied: COUNT,
} satisfies OptionSchemas<Fault>)

const keys = {
  type: 'array',
  items: apiKeySchema,
  minItems: 1,
  maxItems: limits.MAX_LIST_ITEMS,
  writeOnly: true,
}
export const settingRows: { readonly [Name in keyof Settings]-?: SettingRow<Name> } = {
  apiKeys: { schema: keys },
  now: { schema: TEXT, findProblems: findInstantProblems },
  frozen: { schema: BOOLEAN },
  assume: { schema: assumeSchema, read: withoutUndefined },
  faults: {
    schema: { type: 'array', items: faultSchema, maxItems: limits.MAX_FAULTS },
    findProblems: findListFlaws,
    read: (faults) => faults.map(timeFault),
  },
  latency: { schema: latencySchema, findProblems: findDelayProblems, read: parseLatency },
  surprise: { schema: surpriseSchema },
}

export const settingNames = Object.keys(settingRows) as (keyof Settings)[]

/** Any part may still have the wrong type. */
export type Unchecked<T> = { readonly [Key in keyof T]?: unknown }

function findListFlaws(faults: unknown, path: string): Problem[] {
  // The schema reports a longer list.
  const listed: readonly unknown[] = Array.isArray(faults) ? faults.slice(0, limits.MAX_FAULTS) : []
  const ids = listed
    .map((fault) => readOwn(fault, 'id'))
    .map((id) => (typeof id === 'string' ? id : undefined))
  const problems = listed.flatMap((fault, index) => findFlaws(fault, `${path}[${index}]`))
  return [...problems, ...findDuplicates(ids, path)]
}

export function findDuplicates(
  ids: readonly (Int64 | string | undefined)[],
  path: string,
): Problem[] {
  const problems: Problem[] = []
  const indexOf = new Map<Int64 | string, number>()
  const at = (index: number) => `${path}[${index}]`
  for (const [index, id] of ids.entries()) {
    if (id === undefined || isEnough(problems)) continue
    const twin = indexOf.get(id)
    if (twin === undefined) indexOf.set(id, index)
    else
      problems.push({
        kind: 'duplicate-id',
        path: `${at(index)}.id`,
        id: describeValue(id),
        also: at(twin),
      })
  }
  return problems
}

type Expect = (isRight: boolean, expected: string, got: string, at?: string) => void

/** `path` is that of the fault in a list; on its own it has none, as in its schema. */
export function findFlaws(value: unknown, path = ''): Problem[] {
  if (!isPlainObject(value)) return []
  const { operation, petId, status, delay, retryAfter, body, response }: Unchecked<Fault> = value
  const problems: Problem[] = []
  const expect: Expect = (isRight, expected, got, at) => {
    const place = at === undefined ? path || 'fault' : joinPath(path, at)
    if (!isRight) problems.push({ kind: 'mismatch', path: place, expected, got })
  }
  if (isPlainObject(response))
    problems.push(...findResponseFlaws(response, joinPath(path, 'response'), expect))
  const outcomes = countOutcomes(value)
  const isEmpty = outcomes === 0 && delay === undefined
  expect(!isEmpty, 'a status, a body, a response, a delay or drop: true', 'none of them')
  const isRight = isEmpty || retryAfter === undefined || Number(status) >= 400
  expect(isRight, 'a status from 400 to 599 along with retryAfter', String(status ?? 'none'))
  expect(outcomes <= 1, 'one outcome: a status or a body, a response, or drop: true', 'more')
  const isSuccess = typeof status === 'number' && status >= 200 && status < 400
  expect(
    body !== undefined || !isSuccess,
    '400 to 599 unless the fault has a body',
    String(status),
    'status',
  )
  const isEmptied =
    body === undefined || body === 'empty' || !BODILESS_STATUSES.includes(status as number)
  expect(isEmptied, `empty, since a ${status} has no body`, describeValue(body), 'body')
  const found = Object.values(contract.operations).find(
    ({ operationId }) => operationId === operation,
  )
  const isStray = petId !== undefined && found && !found.path.includes('{petId}')
  if (isStray)
    problems.push({
      kind: 'text',
      path: joinPath(path, 'petId'),
      text: `${operation} has no petId`,
    })
  return [...problems, ...findDelayProblems(delay, joinPath(path, 'delay'))]
}

function findResponseFlaws(
  response: Unchecked<FaultResponse>,
  path: string,
  expect: Expect,
): Problem[] {
  const { status, headers, body } = response
  const hasNoBody = BODILESS_STATUSES.includes(status as number)
  expect(
    !hasNoBody || body === undefined,
    `none, since a ${status} has no body`,
    describeValue(body),
    'response.body',
  )
  const [headersFlaw, bodyFlaw] = [findJsonFlaw(headers), findJsonFlaw(body)]
  expect(headersFlaw === undefined, 'JSON data', `${headersFlaw}`, 'response.headers')
  expect(bodyFlaw === undefined, 'JSON data', `${bodyFlaw}`, 'response.body')
  const bytes = bodyFlaw ? 0 : new TextEncoder().encode(printBody(body)).length
  const max = limits.MAX_FAULT_BODY_BYTES
  expect(bytes <= max, `at most ${max} bytes`, String(bytes), 'response.body')
  const names = isPlainObject(headers) ? Object.keys(headers) : []
  for (const name of names)
    expect(isFieldName(name), 'names of header fields', describeValue(name), 'response.headers')
  const upToHost = names.filter((name) => HOST_FIELDS.test(name))
  return upToHost.map((name) => ({
    kind: 'text',
    path: `${path}.headers`,
    text: `${name} is up to the host`,
  }))
}

/**
 * Why a saved state could not be read with this value in it: half a surrogate pair, too many keys
 * or levels.
 */
function findJsonFlaw(value: unknown): string | undefined {
  try {
    parseJson(toJson(value), undefined, {
      depth: limits.MAX_FAULT_BODY_DEPTH,
      keys: limits.MAX_DOCUMENT_KEYS,
    })
  } catch (error) {
    // A value that contains itself is too large for the stack.
    return error instanceof JsonError ? error.problem.found : describeValue(value)
  }
}

export const timeFault = (fault: Fault): TimedFault =>
  (fault.delay === undefined ? fault : { ...fault, delay: parseDelay(fault.delay) }) as TimedFault
