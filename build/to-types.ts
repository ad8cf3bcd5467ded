// The TypeScript side of the contract module: a type for every schema, and the inputs of every operation.
import type { CompiledAssumption, CompiledOperation, CompiledSchema, Yaml } from './compiled.ts'

/** Names that are already taken: `Error` is a global. */
const RENAMED: Record<string, string> = { Error: 'ApiErrorBody' }

/** How a type refers to other schemas, and how it writes an int64. */
export interface Spelling {
  readonly int64: string
  name(schema: string): string
}

const OWN: Spelling = { int64: 'Int64', name: typeName }

export function toTypes(
  schemas: Record<string, Yaml>,
  operations: Record<string, CompiledOperation>,
  assumptions: CompiledAssumption[],
): string {
  return [
    '/** A 64-bit integer: a number where a number holds it exactly, a bigint beyond. */',
    'export type Int64 = number | bigint',
    ...Object.entries(schemas).map(([name, schema]) => declare(name, schema)),
    `/** The operations of the contract, by their operationId. */`,
    `export type OperationId = ${union(Object.keys(operations))}`,
    '/** The parsed and validated input of each operation. */',
    `export interface OperationInputs {\n${Object.values(operations).map(toInput).join('\n')}\n}`,
    '/** The choices for the questions that the spec leaves open. */',
    `export interface AssumptionChoices {\n${assumptions.map(toChoice).join('\n')}\n}`,
    '/** The names of these questions. */',
    'export type AssumptionId = keyof AssumptionChoices',
  ].join('\n')
}

function toChoice({ id, question, default: chosen, choices }: CompiledAssumption): string {
  return `  /** ${question} Default: ${chosen}. */\n  '${id}': ${union(choices.map((choice) => choice.id))}`
}

function declare(name: string, schema: Yaml): string {
  return `/** ${schema.description} */\nexport type ${typeName(name)} = ${toType(schema)}`
}

function toInput(operation: CompiledOperation): string {
  const fields = operation.parameters.map((parameter) => {
    const sure = parameter.required || parameter.schema.default !== undefined
    return `${parameter.name}${sure ? '' : '?'}: ${toType(parameter.schema)}`
  })
  if (operation.body) fields.push(`body: ${typeName(operation.body.schemaName)}`)
  return `  ${operation.operationId}: { ${fields.join('; ')} }`
}

export function toType(schema: Yaml | CompiledSchema, spelling = OWN): string {
  const inner = (part: unknown) => toType(part as Yaml, spelling)
  if (typeof schema.$ref === 'string') return spelling.name(schema.$ref.split('/').pop() as string)
  if (Array.isArray(schema.allOf)) return schema.allOf.map(inner).join(' & ')
  if (Array.isArray(schema.enum)) return union(schema.enum as string[])
  switch (schema.type) {
    case 'object': {
      const required = (schema.required as string[] | undefined) ?? []
      const fields = Object.entries((schema.properties as Record<string, Yaml> | undefined) ?? {})
      return `{ ${fields.map(([name, part]) => `${name}${required.includes(name) ? '' : '?'}: ${inner(part)}`).join('; ')} }`
    }
    case 'array':
      return `${inner(schema.items)}[]`
    case 'integer':
      return schema.format === 'int64' ? spelling.int64 : 'number'
    case 'number':
    case 'string':
    case 'boolean':
      return schema.type
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

function union(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}

function typeName(name: string): string {
  return RENAMED[name] ?? name
}
