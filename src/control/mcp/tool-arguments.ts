// The arguments of a tool: those of its control methods, by name, as an agent reads them.
import { toJson } from '../../contract/int64-json.ts'
import { type Fields, orNull, type Schema } from '../../contract/schema.ts'
import type { ControlMethod } from '../control.ts'
import type { MethodRow, NamedRow } from '../method-row.ts'

/** Which method describes an argument that the methods of a tool describe differently. */
export type DescribedBy = Readonly<Record<string, ControlMethod>>

/** Without the counters of a fault, which are the mock's. */
export function argumentsOf(row: MethodRow): Fields {
  const { seen, applied, ...fields } = row.input ?? {}
  return fields
}

/** The arguments of all methods of a tool. Those of the same name must be described alike. */
export function mergeArguments(rows: readonly NamedRow[], describedBy: DescribedBy = {}): Fields {
  const merged: Record<string, Schema> = {}
  const owners: Record<string, ControlMethod> = {}
  for (const [method, row] of rows) {
    for (const [name, schema] of Object.entries(argumentsOf(row))) {
      const owner = owners[name]
      const chosen = describedBy[name]
      if (owner === undefined || chosen === method) {
        merged[name] = schema
        owners[name] = method
        continue
      }
      if (chosen !== undefined) continue
      const wider = findWider(merged[name] as Schema, schema)
      if (!wider) {
        throw new Error(`${owner} and ${method} describe ${name} differently; use describedBy`)
      }
      merged[name] = wider
    }
  }
  return merged
}

/** By their names, whatever the methods mean by them. */
export function mergeFields(rows: readonly NamedRow[]): Fields {
  return Object.assign({}, ...rows.map(([, row]) => argumentsOf(row)))
}

/** The one of two schemas that takes all that the other does: it may also take null. */
function findWider(one: Schema, other: Schema): Schema | undefined {
  const [first, second] = [toJson(one), toJson(other)]
  if (first === second || first === toJson(orNull(other))) return one
  return second === toJson(orNull(one)) ? other : undefined
}

/** Types and a description, no patterns. `words` describe what has no description of its own. */
export function describeArgument(schema: Schema, words: Schema | undefined): object {
  const types = listTypes(schema)
  const shown: Record<string, unknown> = {}
  if (types.length > 0) shown.type = types.length === 1 ? types[0] : types
  if (schema.enum) shown.enum = schema.enum
  if (types.includes('array')) shown.items = {}
  const description = schema.description ?? words?.description ?? schema.title
  // The first sentence says what it does.
  shown.description = description?.replace(/\. .*/s, '.')
  return shown
}

function listTypes(schema: Schema): string[] {
  // Many programs round integers, so that a large one has to be a text.
  if (schema.format === 'int64') return ['integer', 'string']
  if (schema.type !== undefined) return [schema.type]
  const types = schema.oneOf ? schema.oneOf.flatMap(listTypes) : listValues(schema).map(typeOf)
  return [...new Set(types)]
}

function listValues(schema: Schema): readonly unknown[] {
  if (schema.enum) return schema.enum
  return schema.const === undefined ? [] : [schema.const]
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
