// Where a response deviates from the spec.
import { type QueryParameters, valuesOf } from '../contract/address.ts'
import { contract } from '../contract/generated/contract.ts'
import { JSON_TYPE, parseInt64, tryJson } from '../contract/int64-json.ts'
import { say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { readOwn } from '../contract/values.ts'

import { findRoute } from '../service/route.ts'
import { parseParameters, parseTarget } from '../service/target.ts'
import { redactProblem, type Trial } from './answer.ts'

const MAX_SHOWN_VIOLATIONS = 3
const { schemas } = contract
const [limit, filter] = contract.operations.listPets.parameters

export function findDeviations(trial: Trial, allowed: ReadonlySet<number>): string[] {
  const { target, body } = trial.probe
  const { status, headers, json } = trial.response
  const found: string[] = []
  if (status === 401 && !headers.has('www-authenticate')) found.push('401 without WWW-Authenticate')
  const { path, query } = parseTarget(target)
  const route = findRoute(path)
  // The spec says nothing about other paths.
  if (!route) return found
  const isAllowed = allowed.has(status)
  if (!isAllowed) found.push(`expected ${[...allowed].join(' or ')}, got ${status}`)
  const type = headers.get('content-type')
  if (type?.toLowerCase() !== JSON_TYPE)
    found.push(`expected ${JSON_TYPE}, got ${type ?? 'no media type'}`)
  let schema: Schema = {}
  if (status >= 400) schema = withValue(schemas.Error, 'status', status)
  else if (isAllowed) schema = describeSuccess(route.params.petId, query, body)
  const violations = findViolations(schema, json).slice(0, MAX_SHOWN_VIOLATIONS)
  for (const violation of violations) found.push(say(redactProblem(violation)))
  return found
}

/** For this very request, so that an id that lost digits or too long a list shows too. */
function describeSuccess(
  petId: string | undefined,
  query: string,
  body: string | undefined,
): Schema {
  if (petId !== undefined) return withValue(schemas.Pet, 'id', parseInt64(petId))
  if (body === undefined) return describeList(parseParameters(query))
  return withValue(schemas.Pet, 'categoryId', readOwn(tryJson(body), 'categoryId'))
}

function describeList(parameters: QueryParameters): Schema {
  const [status] = valuesOf(parameters, filter.name)
  const [size = String(limit.schema.default)] = valuesOf(parameters, limit.name)
  const isFiltered = isValid(filter.schema, status)
  const isLimited = isValid(limit.schema, parseInt64(size))
  return {
    ...schemas.Pets,
    maxItems: isLimited ? Number(size) : limit.schema.maximum,
    items: isFiltered ? withValue(schemas.Pet, 'status', status) : schemas.Pet,
  }
}

/** An object whose field has this value. */
function withValue(schema: Schema, name: string, value: unknown): Schema {
  return {
    ...schema,
    required: [...(schema.required ?? []), name],
    properties: { ...schema.properties, [name]: { const: value } },
  }
}

const isValid = (schema: Schema, value: unknown) => findViolations(schema, value).length === 0
