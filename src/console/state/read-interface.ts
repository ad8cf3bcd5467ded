// Reads the operations from the OpenAPI document that the mock serves, in the shape that the page shows.
import { dereference } from '../../../build/dereference.ts'
import { type Json, toJson } from '../../contract/int64-json.ts'

export interface InterfaceField {
  readonly name: string
  /** `path` or `query`; `body` for a field of the request body. */
  readonly place: string
  readonly isRequired: boolean
  readonly description: string
  /** As in `integer, 1–100`. */
  readonly type: string
  readonly choices: readonly string[]
  /** The default; empty if there is none. */
  readonly fallback: string
}

interface InterfaceAnswer {
  readonly status: string
  readonly description: string
  readonly example: string
}

export interface InterfaceOperation {
  readonly id: string
  readonly method: string
  /** With the version segment, as in `/v1/pets/{petId}`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly isDeprecated: boolean
  /** The date of its removal, if there is one. */
  readonly sunset: string | undefined
  readonly fields: readonly InterfaceField[]
  /** An example of the body, if it takes one. */
  readonly body: string | undefined
  readonly answers: readonly InterfaceAnswer[]
}

type Node = { readonly [name: string]: Json }

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function readInterface(document: Json): InterfaceOperation[] {
  const root = toNode(document)
  const basePath = new URL(toText(toNode(toList(root.servers)[0]).url), 'http://mock.invalid').pathname
  return Object.entries(toNode(root.paths)).flatMap(([path, item]) =>
    Object.entries(toNode(item))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => readOperation(root, method, basePath + path, toNode(operation))),
  )
}

/** The fields of a new animal: those of the only body that the service takes. */
export function toAnimalFields(operations: readonly InterfaceOperation[]): readonly InterfaceField[] {
  return operations.flatMap(({ fields }) => fields.filter(({ place }) => place === 'body'))
}

/** The statuses that an animal can have. */
export function toStatuses(operations: readonly InterfaceOperation[]): readonly string[] {
  return toAnimalFields(operations).find(({ name }) => name === 'status')?.choices ?? []
}

function readOperation(root: Node, method: string, path: string, operation: Node): InterfaceOperation {
  const content = toContent(resolve(root, operation.requestBody))
  return {
    id: toText(operation.operationId),
    method: method.toUpperCase(),
    path,
    summary: toText(operation.summary),
    description: toText(operation.description),
    isDeprecated: operation.deprecated === true,
    sunset: operation['x-sunset'] === undefined ? undefined : toText(operation['x-sunset']),
    fields: [...toList(operation.parameters).map((item) => readParameter(root, item)), ...readBodyFields(root, content.schema)],
    body: operation.requestBody === undefined ? undefined : toExample(content),
    answers: Object.entries(toNode(operation.responses)).map(([status, item]) => {
      const answer = resolve(root, item)
      return { status, description: toText(answer.description), example: toExample(toContent(answer)) }
    }),
  }
}

function readParameter(root: Node, item: Json): InterfaceField {
  const parameter = resolve(root, item)
  return readField(root, toText(parameter.name), toText(parameter.in), parameter.required === true, parameter)
}

function readBodyFields(root: Node, schema: Json | undefined): InterfaceField[] {
  if (schema === undefined) return []
  const { properties, required } = resolve(root, schema)
  return Object.entries(toNode(properties)).map(([name, field]) =>
    readField(root, name, 'body', toList(required).includes(name), { schema: field }),
  )
}

function readField(root: Node, name: string, place: string, isRequired: boolean, { description, schema }: Node): InterfaceField {
  const resolved = resolve(root, schema)
  return {
    name,
    place,
    isRequired,
    description: toText(description ?? resolved.description),
    type: toType(resolved),
    choices: toList(resolved.enum).map(toText),
    fallback: toText(resolved.default),
  }
}

function toType({ type, format, minimum, maximum }: Node): string {
  const bounds = minimum !== undefined && maximum !== undefined ? `, ${toText(minimum)}–${toText(maximum)}` : ''
  return toText(format ?? type) + bounds
}

function resolve(root: Node, item: Json | undefined): Node {
  return dereference(root, toNode(item))
}

function toContent(message: Node): Node {
  return toNode(toNode(message.content)['application/json'])
}

function toExample({ example }: Node): string {
  return example === undefined ? '' : toJson(example, 2)
}

function toNode(value: Json | undefined): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : toJson(value)
}
