// The tools of the MCP server, from the table of control methods: a row names its tool, and a tool takes what its methods take. Arguments
// are not checked here: the control API does that, so that an agent reads the same problems as everyone else.
import type { ControlClient } from '../client/client.ts'
import { ControlError } from '../client/client.ts'
import type { Schema } from '../contract/schema.ts'
import { inputs } from '../control/inputs.ts'
import { type ControlMethod, type ControlRow, methods, type ToolName } from '../control/methods.ts'
import { controlDocs } from '../generated/control-docs.ts'

/** What an agent passes. */
export type ToolInput = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: ToolName
  readonly description: string
  readonly isReadOnly: boolean
  readonly inputSchema: Schema
  /** Calls the method that the input names; returns its name and its result. */
  run(mock: ControlClient, input: ToolInput): Promise<{ readonly method: ControlMethod; readonly value: unknown }>
}

type Row = readonly [name: ControlMethod, row: ControlRow]

/** Arguments of every tool. */
export const COMMON_FIELDS: Readonly<Record<string, Schema>> = {
  sandbox: { type: 'string', title: 'the API key of a sandbox; without it, the shared state' },
  detail: { type: 'boolean', title: 'true for the whole answer instead of a short one' },
}
/** The methods whose body is one value rather than an object of arguments. */
const WHOLE: Partial<Record<ControlMethod, string>> = { load: 'scenario', 'latency.set': 'latency' }

const all = Object.entries(methods) as Row[]

export const tools: readonly Tool[] = [...new Set(all.map(([, { tool }]) => tool))].map((name) =>
  createTool(
    name,
    all.filter(([, { tool }]) => tool === name),
  ),
)

function createTool(name: ToolName, rows: readonly Row[]): Tool {
  const names = rows.map(([method]) => method)
  return {
    name,
    description: names.map((method) => `${method}: ${controlDocs[method]}`).join('\n'),
    isReadOnly: rows.every(([, { method }]) => method === 'GET'),
    inputSchema: {
      type: 'object',
      properties: { call: { enum: names }, ...Object.assign({}, ...names.map((method) => inputs[method])), ...COMMON_FIELDS },
      required: ['call'],
    },
    async run(mock, { call, sandbox, detail: _, ...input }) {
      const row = rows.find(([method]) => method === call)
      if (!row) throw new ControlError(400, `call: expected one of ${names.join(', ')}`)
      const [method, { args = [] }] = row
      const state = typeof sandbox === 'string' ? mock.sandbox(sandbox) : mock
      const run = method.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], state)
      return { method, value: await (run as (...values: unknown[]) => Promise<unknown>)(...readArguments(method, args, input)) }
    },
  }
}

/** The input as the arguments of a method; what no other argument takes is in the body or the query. */
function readArguments(method: ControlMethod, places: NonNullable<ControlRow['args']>, input: Record<string, unknown>): unknown[] {
  const rest = { ...input }
  const values = places.map((place) => {
    const field = place === 'id' ? 'id' : typeof place === 'object' ? place.field : WHOLE[method]
    if (field === undefined) return rest
    const value = rest[field]
    delete rest[field]
    return value
  })
  return values
}
