// From the pieces of a request to the valid input of an operation, as the contract describes it.
// Every violation is named at once; what the interface does not say is decided by its assumption.
import { countOf, firstOf } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import type { Problem } from '../contract/problem.ts'
import { describeSchema, findViolations, readTyped, type Schema } from '../contract/schema.ts'
import { dependOn } from '../world/assumption-set.ts'
import { addNote } from '../world/notes.ts'
import type { Admitted } from './admit.ts'
import type { Context } from './context.ts'
import { parseBody } from './parse-body.ts'
import { parseParameters, type SentInput } from './target.ts'

/** Parameters with which other APIs page. */
export const PAGERS = [
  'page',
  'offset',
  'cursor',
  'skip',
  'after',
  'before',
  'start',
  'per_page',
  'pageSize',
  'page_size',
]

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

export function parseInput(admitted: Admitted, context: Context): Record<string, unknown> {
  const { operation, route, query } = admitted
  const sent: SentInput = { path: route.params, query: parseParameters(query) }
  context.sent = sent
  const unknown = findUnknown(operation, sent)
  if (unknown.length > 0) noteUnknown(unknown, context)
  const input = readParameters(operation.parameters, sent, context)
  if (unknown.some((name) => PAGERS.includes(name))) dependOn(context, 'paging')
  if (operation.body) input.body = parseBody(operation, context)
  return input
}

/** The names of parameters that the interface does not have. */
export function findUnknown(
  { parameters }: OperationContract,
  { query }: SentInput,
): readonly string[] {
  const unknown: string[] = []
  for (const [name] of query) {
    if (!isKnown(parameters, name)) unknown.push(name)
  }
  return unknown
}

function isKnown(parameters: readonly Parameter[], name: string): boolean {
  for (const parameter of parameters) {
    if (parameter.name === name) return true
  }
  return false
}

function noteUnknown(names: readonly string[], context: Context): void {
  for (const name of new Set(names)) {
    addNote(context, `${JSON.stringify(name)} is not part of the API and was ignored`)
  }
}

function readParameters(
  parameters: readonly Parameter[],
  sent: SentInput,
  context: Context,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const parameter of parameters) {
    const { name } = parameter
    if (parameter.in === 'path') input[name] = readPathValue(parameter, sent, context)
    else input[name] = readQueryValue(parameter, sent, problems, context)
  }
  if (problems.length > 0) throw new ApiError(400, problems, { assumption: 'invalid-query' })
  return input
}

function readPathValue(parameter: Parameter, sent: SentInput, context: Context): unknown {
  const { name, schema } = parameter
  const value = readTyped(schema, sent.path[name] as string)
  const problems = findViolations(schema, value, name)
  if (problems.length === 0) return value
  const status = context.state.choices['invalid-pet-id'] === 'not-found' ? 404 : 400
  throw new ApiError(status, problems, { assumption: 'invalid-pet-id' })
}

/** Adds to `problems` what the value is refused for. */
function readQueryValue(
  parameter: Parameter,
  sent: SentInput,
  problems: Problem[],
  context: Context,
): unknown {
  const { name, schema } = parameter
  const text = firstOf(sent.query, name)
  if (text === undefined) return schema.default
  const value = readTyped(schema, text)
  const count = countOf(sent.query, name)
  const found =
    count > 1 ? [describeRepetition(parameter, count)] : findViolations(schema, value, name)
  if (found.length === 0) return value
  const choice = context.state.choices['invalid-query']
  if (choice === 'reject') {
    problems.push(...found)
    return undefined
  }
  dependOn(context, 'invalid-query')
  return choice === 'clamp' ? clamp(schema, text) : schema.default
}

function describeRepetition({ name, schema }: Parameter, count: number): Problem {
  const expected = describeSchema(schema)
  return { kind: 'mismatch', path: name, expected, got: `${count} values` }
}

/** The nearest bound for a number; any other text as it is, so that it matches nothing. */
function clamp(schema: Schema, text: string): unknown {
  if (schema.type !== 'integer') return text
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return schema.default
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  return Math.min(Math.max(Math.trunc(Number(text)), minimum), maximum)
}
