// The tools of the MCP server, from the table of tools and the table of control methods. The
// control checks the arguments, so that an agent reads the same problems as everyone else.
import { IS_SHARED, mismatch } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { DEFAULT_LIMIT } from '../../contract/limits.ts'
import { BOOLEAN } from '../../contract/options.ts'
import type { Fields, Schema } from '../../contract/schema.ts'
import { checkFound, checkInput } from '../check-call.ts'
import type { ControlMethod } from '../control.ts'
import { withLimit } from '../list-limits.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'
import { methodRows } from '../methods.ts'
import { chooseMethod } from './choose-method.ts'
import { openState, type Reach, sandboxArgument, type Use } from './reach.ts'
import { renderResult } from './render-result.ts'
import { argumentsOf, describeArgument, mergeArguments, mergeFields } from './tool-arguments.ts'
import { MAX_PETS, type ToolRow, toolRows } from './tool-rows.ts'

const MAX_NAMED_ARGUMENTS = 4

const detail: Schema = {
  ...BOOLEAN,
  description: 'All of it, as JSON.',
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
  const required = listRequired(rows, usual)
  const isWrite = starts || rows.some(([, row]) => row.isWrite)
  return {
    name,
    description: joinWrapped(tool.description),
    isReadOnly: !isWrite,
    isDestructive,
    inputSchema: {
      type: 'object',
      properties: describeFields(fields, tool.words),
      ...(required.length > 0 ? { required } : {}),
    },
    async run(given: Input, reach: Reach): Promise<readonly string[]> {
      const use = await openState(reach, given.sandbox, starts)
      if (run) return run(use, checkInput({ input: fields }, given))
      return callMethod(rows, usual, given, use)
    },
  }
}

/** Joins the lines of a text that is wrapped and indented as code is. */
export function joinWrapped(text: string): string {
  return text.replaceAll(/\n +/g, ' ')
}

function listFields(tool: ToolRow, rows: readonly NamedRow[]): Fields {
  const merged = mergeArguments(rows, tool.describedBy)
  const fields = { ...merged, ...tool.input, sandbox: sandboxArgument }
  if (tool.run) return fields
  const isReading = rows.every(([, row]) => !row.isWrite)
  const all = isReading ? { ...fields, detail } : fields
  if (rows.length === 1) return all
  const description = describeCalls(rows, tool.usual)
  const call: Schema = { enum: rows.map(([name]) => name), description }
  return { call, ...all }
}

/** A tool that can do several things to the mock is told which. */
function listRequired(rows: readonly NamedRow[], usual: ControlMethod | undefined) {
  const [first, ...others] = rows
  if (others.length === 0) return first?.[1].required ?? []
  return usual === undefined ? ['call'] : []
}

function describeFields(fields: Fields, words: Fields = {}): Record<string, object> {
  const described: Record<string, object> = {}
  for (const [name, schema] of Object.entries(fields)) {
    described[name] = describeArgument(schema, words[name])
  }
  return described
}

/** What each takes. */
function describeCalls(rows: readonly NamedRow[], usual: ControlMethod | undefined): string {
  const preset = usual === undefined ? [] : [`${usual} by default`]
  const calls = rows.map(([name, row], index) => {
    const own = listArguments(row)
    if (own === '') return ''
    const isSame = rows.slice(0, index).some(([, one]) => listArguments(one) === own)
    return isSame ? `${name} alike` : `${name}(${own})`
  })
  return [...preset, ...calls].filter(Boolean).join(', ')
}

/** The first of many: the schema of the tool describes them all. */
function listArguments(row: MethodRow): string {
  // Every tool has a sandbox.
  const names = Object.keys(argumentsOf(row)).filter((name) => name !== 'sandbox')
  if (names.length <= MAX_NAMED_ARGUMENTS) return names.join(', ')
  return `${names.slice(0, MAX_NAMED_ARGUMENTS).join(', ')}, …`
}

async function callMethod(
  rows: readonly NamedRow[],
  usual: ControlMethod | undefined,
  given: Input,
  use: Use,
): Promise<readonly string[]> {
  const { call, sandbox, detail, ...input } = given
  checkExact(rows, input)
  const [name, row] = chooseMethod(rows, usual, call, input)
  const limit = name === 'pets.list' ? MAX_PETS : DEFAULT_LIMIT
  const answered = await use.call(name, withLimit(row, input, limit))
  const { result, total } = checkFound(row, input.id, answered)
  if (detail === true) {
    const text = toJsonText(result === undefined ? 'done' : result)
    return text.trimEnd().split('\n')
  }
  const address = use.mockUrl + contract.basePath
  const shown = name === 'summary' ? Object.assign({ address }, result) : result
  const lines = renderResult(name, shown, total, input.limit !== undefined)
  const isAboutState = !row.hasAll && !row.isGlobal
  return use.isShared && isAboutState ? [...lines, `${IS_SHARED} sandbox`] : lines
}

/**
 * An id beyond 2^53 has to be a text: an agent, or the program between it and the mock, may have
 * rounded the number, which would change another animal.
 */
function checkExact(rows: readonly NamedRow[], input: Input): void {
  const fields = mergeFields(rows)
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'bigint' || fields[name]?.format !== 'int64') continue
    const expected = 'a text for an integer beyond 2^53, since many programs round such a number'
    throw mismatch(name, expected, { got: value })
  }
}
