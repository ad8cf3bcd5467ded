// The tools of the MCP server, from the table of control methods: a row names its tool, and a tool takes what its methods take. Arguments
// are not checked here: the control API does that, so that an agent reads the same problems as everyone else.
import { type ControlClient, ControlError } from '../client/client.ts'
import { renderCurl } from '../client/copy/curl.ts'
import { requestOf } from '../client/copy/logged.ts'
import { renderTest } from '../client/copy/script.ts'
import { describeRequest } from '../client/describe-request.ts'
import { isObject } from '../contract/describe-value.ts'
import { toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import { cutText } from '../contract/text.ts'
import type { TimelineRow } from '../control/control.ts'
import { inputs } from '../control/inputs.ts'
import { type ControlMethod, type ControlRow, methods } from '../control/methods.ts'
import { controlDocs } from '../generated/control-docs.ts'
import { questions } from '../generated/questions.ts'
import { scenarioSchema } from '../generated/scenario-schema.ts'

/** What an agent passes. */
export type ToolInput = Readonly<Record<string, unknown>>

interface Tool {
  readonly name: string
  readonly description: string
  readonly isReadOnly: boolean
  readonly inputSchema: Schema
  /** The answer as text. */
  run(mock: ControlClient, input: ToolInput, origin: string): Promise<string>
}

const COMMON: Readonly<Record<string, Schema>> = {
  sandbox: { type: 'string', title: 'the API key of a sandbox; without it, the shared state' },
  detail: { type: 'boolean', title: 'true for the whole answer instead of a short one' },
}
/** The methods whose body is one value rather than an object of arguments. */
const WHOLE: Partial<Record<ControlMethod, string>> = { load: 'scenario', 'latency.set': 'latency' }
/** Of a list, unless the agent gives a limit: the app waits while the answer is made. */
export const MAX_ROWS = 100
const MAX_LINES = 20
const MAX_LINE_CHARACTERS = 300

/** With descriptions, which agents read. */
const described: typeof inputs = { ...inputs, 'faults.add': scenarioSchema.properties.faults.items.properties as Record<string, Schema> }

const rows = Object.entries(methods) as [ControlMethod, ControlRow][]

export const tools: readonly Tool[] = [
  ...[...new Set(rows.map(([, { tool }]) => tool))].map(createTool),
  {
    name: 'explain_request',
    description:
      'Why a request got its response: the reason, its problems, what it saw, the assumptions behind it, and how to reproduce it.',
    isReadOnly: true,
    inputSchema: { type: 'object', properties: { id: { type: 'integer', title: 'without it, the last refused request' }, ...COMMON } },
    run: explainRequest,
  },
]

function createTool(name: string): Tool {
  const own = rows.filter(([, { tool }]) => tool === name)
  const calls = own.map(([method]) => method)
  return {
    name,
    description: calls.map((method) => `${method}(${Object.keys(inputs[method] ?? {}).join(', ')}): ${controlDocs[method]}`).join('\n'),
    isReadOnly: own.every(([, { method }]) => method === 'GET'),
    inputSchema: {
      type: 'object',
      properties: { call: { enum: calls }, ...Object.assign({}, ...calls.map((method) => described[method])), ...COMMON },
      required: ['call'],
    },
    async run(mock, { call, sandbox, detail, ...given }) {
      const input: Record<string, unknown> = given
      const found = own.find(([one]) => one === call)
      if (!found) throw new ControlError(400, `call: expected one of ${calls.join(', ')}`)
      const [method, { args = [] }] = found
      if (inputs[method]?.limit) input.limit ??= MAX_ROWS
      const state = typeof sandbox === 'string' ? mock.sandbox(sandbox) : mock
      const run = method.split('.').reduce<unknown>((owner, part) => (owner as Record<string, unknown>)[part], state)
      const values = args.map((place) => {
        const field = place === 'id' ? 'id' : typeof place === 'object' ? place.field : WHOLE[method]
        if (field === undefined) return input
        const value = input[field]
        delete input[field]
        return value
      })
      const value = await (run as (...values: unknown[]) => Promise<unknown>)(...values)
      return detail === true ? toJson(value, 2) : shorten(value)
    },
  }
}

/** The file of the moment that a request saw. */
const FILE = 'moment.yaml'

/**
 * One request, explained for someone who has only this text. Without an id, the last request that was refused; if there is none, the last
 * one.
 */
async function explainRequest(mock: ControlClient, { id, sandbox }: ToolInput, origin: string): Promise<string> {
  const state = typeof sandbox === 'string' ? mock.sandbox(sandbox) : mock
  const entries = await state.requests(id === undefined ? { waiting: true, limit: MAX_ROWS } : { waiting: true })
  const entry =
    id === undefined ? (entries.findLast(({ status }) => status >= 400) ?? entries.at(-1)) : entries.find((one) => one.id === id)
  if (!entry) throw new ControlError(404, id === undefined ? 'The request log is empty' : `Request ${id} is not in the request log`)
  const request = requestOf(entry, undefined, origin)
  const open = questions.filter((one) => (entry.assumptions as readonly string[]).includes(one.id))
  const seen = await state.diff({ before: entry.id }).catch((error: ControlError) => error.message)
  return [
    `#${entry.id} at ${entry.at}`,
    ...describeRequest(entry),
    `problems: ${toJson(entry.problems)}`,
    `It saw the scenario with these differences: ${toJson(seen)}`,
    ...open.map((one) => `It depends on the assumption ${one.id}. Ask the owner of the API: ${one.question} (${one.silence})`),
    `response: ${entry.response.body}`,
    '',
    'To see it again, save the moment, start a mock from it, and send the request:',
    `  animal-store-mock snapshot --before ${entry.id} -o ${FILE}`,
    `  animal-store-mock --scenario ${FILE}`,
    `  ${renderCurl(request)}`,
    'As a test:',
    renderTest({ ...entry, ...request, options: { scenario: FILE } }),
  ].join('\n')
}

/** A result in a few lines: of a long list the last items, one line each. */
export function shorten(value: unknown): string {
  if (Array.isArray(value)) {
    const shown = value.slice(-MAX_LINES).map((item) => cut(describeItem(item)))
    const omitted = shown.length < value.length ? `, the last ${shown.length}; detail: true for all` : ''
    return [`${value.length} found${omitted}`, ...shown].join('\n')
  }
  if (typeof value !== 'object' || value === null) return value === undefined ? 'done' : toJson(value)
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${Array.isArray(field) && field.length > MAX_LINES ? `${field.length} items` : cut(toJson(field))}`)
    .join('\n')
}

/** Requests and changes as sentences; anything else as JSON. */
function describeItem(item: unknown): string {
  if (!isObject(item)) return toJson(item)
  const row = item as Partial<TimelineRow>
  const moment = `#${row.id} ${row.at?.slice(11)}`
  if (row.type === 'change') return `${moment} ◆ ${row.text}`
  return 'outcome' in row ? `${moment} ${describeRequest(row as never).join(' ')}, in ${row.durationMs?.toFixed(1)} ms` : toJson(item)
}

const cut = (text: string) => cutText(text, MAX_LINE_CHARACTERS)
