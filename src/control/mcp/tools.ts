// The tools of the MCP server, from the table of tools and the table of control methods. The
// control checks the arguments, so that an agent reads the same problems as everyone else.
import { IS_SHARED } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { DEFAULT_LIMIT } from '../../contract/limits.ts'
import { BOOLEAN } from '../../contract/options.ts'
import type { Fields, Schema } from '../../contract/schema.ts'
import { checkFound, checkInput } from '../check-call.ts'
import type { ControlMethod } from '../control.ts'
import { withLimit } from '../list-limits.ts'
import type { Input, NamedRow } from '../method-row.ts'
import { methodRows } from '../methods.ts'
import { chooseMethod } from './choose-method.ts'
import { openState, type Reach, sandboxArgument, type Use } from './reach.ts'
import { renderResult } from './render-result.ts'
import { argumentsOf, describeArgument, mergeArguments } from './tool-arguments.ts'
import { MAX_PETS, type ToolRow, toolRows } from './tool-rows.ts'

const detail: Schema = {
  ...BOOLEAN,
  description: 'True for the whole answer as JSON instead of a short one.',
}

export type Tool = ReturnType<typeof createTool>

export const tools = createTools(methodRows)

export function createTools(rows: readonly NamedRow[]): Tool[] {
  return Object.entries(toolRows).map(([name, tool]) => {
    const own = rows.filter(([, row]) => row.tool === name)
    return createTool(name, tool, own)
  })
}

function createTool(name: string, tool: ToolRow, rows: readonly NamedRow[]) {
  const { usual, run, starts = false, isDestructive = false } = tool
  const fields = listFields(tool, rows)
  const isWrite = starts || rows.some(([, row]) => row.isWrite)
  const purpose = joinLines(tool.description)
  return {
    name,
    description: run ? purpose : purpose + describeCalls(rows, usual),
    isReadOnly: !isWrite,
    isDestructive,
    inputSchema: { type: 'object', properties: describeFields(fields, tool.words) },
    async run(given: Input, reach: Reach): Promise<string> {
      const use = await openState(reach, given.sandbox, starts)
      if (run) return run(use, checkInput({ input: fields }, given))
      return callMethod(rows, usual, given, use)
    },
  }
}

/** Texts of the table are indented and broken as code is. */
export function joinLines(text: string): string {
  return text.replaceAll(/\n +/g, ' ')
}

function listFields(tool: ToolRow, rows: readonly NamedRow[]): Fields {
  const merged = mergeArguments(rows, tool.describedBy)
  const fields = { ...merged, ...tool.input, sandbox: sandboxArgument }
  if (tool.run) return fields
  const call: Schema = { enum: rows.map(([name]) => name), description: 'What to do.' }
  return { call, ...fields, detail }
}

function describeFields(fields: Fields, words: Fields = {}): Record<string, object> {
  const described: Record<string, object> = {}
  for (const [name, schema] of Object.entries(fields)) {
    described[name] = describeArgument(schema, words[name])
  }
  return described
}

function describeCalls(rows: readonly NamedRow[], usual: ControlMethod | undefined): string {
  const calls = rows.map(([name, row]) => `${name}(${Object.keys(argumentsOf(row)).join(', ')})`)
  const otherwise = usual ? `: ${usual}` : ', the arguments decide'
  return `\nWhat to pass as call, and its arguments: ${calls.join(', ')}. Without call${otherwise}.`
}

async function callMethod(
  rows: readonly NamedRow[],
  usual: ControlMethod | undefined,
  given: Input,
  use: Use,
): Promise<string> {
  const { call, sandbox, detail, ...input } = given
  const [name, row] = chooseMethod(rows, usual, call, input)
  const limit = name === 'pets.list' ? MAX_PETS : DEFAULT_LIMIT
  const answered = await use.call(name, withLimit(row, input, limit))
  const { result, total } = checkFound(row, input.id, answered)
  if (detail === true) return toJsonText(result === undefined ? 'done' : result).trimEnd()
  const address = use.mockUrl + contract.basePath
  const shown = name === 'summary' ? Object.assign({ address }, result) : result
  const text = renderResult(name, shown, total, input.limit !== undefined)
  const isAboutState = !row.hasAll && !row.isGlobal
  return use.isShared && isAboutState ? `${text}\n${IS_SHARED} sandbox` : text
}
