// Where a response deviates from the spec, or from HTTP itself, whatever the state.
import { type QueryParameters, valuesOf } from '../contract/address.ts'
import { contract, type OperationContract } from '../contract/generated/contract.ts'
import { JSON_TYPE, parseInt64, tryJson } from '../contract/int64-json.ts'
import { type Problem, say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { readOwn } from '../contract/values.ts'
import { findRoute } from '../service/route.ts'
import { parseParameters, parseTarget } from '../service/target.ts'
import { UNKNOWN_PATH } from './clean-target.ts'
import type { Answer, Exchange } from './exchange.ts'
import { petsOf } from './normal-form.ts'

/** `place` is in the spec: a status, a header field, or a path into a schema. */
export interface Flaw {
  readonly kind: 'spec' | 'rfc' | 'version'
  readonly operation: string
  readonly place: string
  readonly detail: string
}

const MAX_SHOWN_VIOLATIONS = 3
const { schemas } = contract
const [limit, filter] = contract.operations.listPets.parameters

/** What a request is about: an operation, or its method and a path that the contract has or not. */
export function findTarget({ method, target }: Pick<Exchange, 'method' | 'target'>) {
  const { path, query } = parsePath(target)
  const route = path === undefined ? undefined : findRoute(path)
  const asked = method === 'HEAD' ? 'GET' : method
  const operation: OperationContract | undefined = route?.rows.find((row) => row.method === asked)
  const template = route?.rows[0]?.path ?? UNKNOWN_PATH
  const name = operation?.operationId ?? `${method} ${template.slice(contract.basePath.length)}`
  return { name, operation, params: route?.params ?? {}, query, isKnownPath: route !== undefined }
}

function parsePath(target: string): { path: string | undefined; query: string } {
  try {
    const { path, query } = parseTarget(target)
    findRoute(path)
    return { path, query }
  } catch {
    return { path: undefined, query: '' }
  }
}

/** `predicted`: the statuses that some choice gives. */
export function findFlaws(exchange: Exchange, predicted: ReadonlySet<number>): Flaw[] {
  const { answer, method } = exchange
  const { name, operation, isKnownPath } = findTarget(exchange)
  const { status, type } = answer
  const flaws: Flaw[] = []
  const add = (kind: Flaw['kind'], place: string, detail: string) =>
    flaws.push({ kind, operation: name, place, detail })

  if (status === 401 && !answer.hasChallenge)
    add('rfc', '401.WWW-Authenticate', '401 without WWW-Authenticate (RFC 9110)')
  if (status === 405 && !answer.hasAllow) add('rfc', '405.Allow', '405 without Allow (RFC 9110)')
  // The spec says nothing about other paths.
  if (!isKnownPath) return flaws
  if (!operation) {
    if (status < 300) add('version', 'method', `${status}, and the spec does not have the method`)
    return flaws
  }
  const documented: readonly number[] = operation.statuses
  const isDocumented = documented.includes(status) || predicted.has(status)
  if (!isDocumented) {
    const expected = [...predicted].join(' or ')
    add('spec', `responses.${status}`, `expected ${expected}, got ${status}`)
  }
  if (answer.isUnseen || method === 'HEAD') return flaws
  if (type !== JSON_TYPE) {
    add('spec', 'content', `expected ${JSON_TYPE}, got ${type ?? 'no media type'}`)
    if (answer.json === undefined) return flaws
  }
  const schema = describeResponse(exchange, isDocumented)
  for (const problem of findViolations(schema, answer.json).slice(0, MAX_SHOWN_VIOLATIONS))
    add('spec', placeOf(problem, answer), say(problem))
  const ids = petsOf(exchange).map(({ id }) => id)
  if (new Set(ids).size < ids.length) add('spec', `${status}.[].id`, 'the list has an animal twice')
  return flaws
}

/** Where in the schema of a response, without places in a list. */
function placeOf(problem: Problem, { status, json }: Answer): string {
  const body = status >= 400 ? 'Error' : String(status)
  const path = 'path' in problem ? (problem.path ?? '') : ''
  if (path === '' && Array.isArray(json)) return `${body}.length`
  const place = path === '' ? body : `${body}.${path.replace(/\[\d+\]/g, '[]')}`
  return problem.kind === 'missing' ? `${place}.missing` : place
}

function describeResponse(exchange: Exchange, isDocumented: boolean): Schema {
  const { status } = exchange.answer
  if (status >= 400) return withValue(schemas.Error, 'status', status)
  return isDocumented ? describeSuccess(exchange) : {}
}

/** For this very request, so that an id that lost digits or too long a list shows too. */
function describeSuccess(exchange: Exchange): Schema {
  const { body } = exchange
  const { params, query } = findTarget(exchange)
  if (params.petId !== undefined) return withValue(schemas.Pet, 'id', parseInt64(params.petId))
  if (body === undefined) return describeList(parseParameters(query))
  return withValue(schemas.Pet, 'categoryId', readOwn(tryJson(body), 'categoryId'))
}

function describeList(parameters: QueryParameters): Schema {
  const [status, ...otherStatuses] = valuesOf(parameters, filter.name)
  const [size = String(limit.schema.default), ...otherSizes] = valuesOf(parameters, limit.name)
  const isFiltered = otherStatuses.length === 0 && isValid(filter.schema, status)
  const isLimited = otherSizes.length === 0 && isValid(limit.schema, parseInt64(size))
  return {
    ...schemas.Pets,
    maxItems: isLimited ? Number(size) : limit.schema.maximum,
    items: isFiltered ? withValue(schemas.Pet, 'status', status) : schemas.Pet,
  }
}

/** An object whose field has this value. */
function withValue(schema: Schema, name: string, value: unknown): Schema {
  const required = [...(schema.required ?? []), name]
  const properties = { ...schema.properties, [name]: { const: value } }
  return { ...schema, required, properties }
}

const isValid = (schema: Schema, value: unknown) => findViolations(schema, value).length === 0
