// The tools of the MCP server, from the table of control methods: a row names its tool, and a tool
// takes what its methods take, by name. The control checks the arguments, so that an agent reads
// the same problems as everyone else.
import { IS_SHARED, mismatch } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { DEFAULT_LIMIT } from '../../contract/limits.ts'
import { BOOLEAN, checkValue, TEXT } from '../../contract/options.ts'
import { describeSchema, type Fields, type Schema } from '../../contract/schema.ts'
import { scenarioList } from '../../scenario/generated/scenario-list.ts'
import { scenarioSchema } from '../../scenario/generated/scenario-schema.ts'
import { USUAL_KEY } from '../../world/scenario.ts'
import { checkFound, checkInput, checkSandbox } from '../check-call.ts'
import type { ControlMethod, StateSummary } from '../control.ts'
import { requestFields } from '../method-inputs.ts'
import type { Input, MethodRow, NamedRow } from '../method-row.ts'
import { methodRows, methods } from '../methods.ts'
import {
  controlBy,
  explainRequest,
  type Reach,
  renderResult,
  sendAsApp,
  type Use,
} from './answers.ts'

const text = (description: string): Schema => ({ ...TEXT, description })

type ToolName = NonNullable<MethodRow['tool']> | 'explain_request' | 'send_request'
/**
 * `call`: what it does by default. `run`: without control methods; it reads, unless it `starts`
 * sandboxes.
 */
type ToolRow = Readonly<{
  call?: ControlMethod
  input?: Fields
  item?: 'pets' | 'faults'
  isDestructive?: true
}> &
  Readonly<{ run?: (use: Use, input: Input) => Promise<string>; starts?: true }>

const names = scenarioList.map(({ name, description }) => `${name} (${description})`).join(', ')
const PURPOSES: Readonly<Record<ToolName, string>> = {
  get_state: `Look at the mock: its address, scenario and number of animals (summary), its whole state, what differs
    from the scenario (diff), its faults, clock and latency, what the API leaves open and the mock assumes
    (assumptions), what of the API was tried (coverage).`,
  load_scenario: `Give the mock another start: load a scenario, such as "sold-out" or
    {"pets":[{"name":"Rex","categoryId":1}]}, or reset to the present one. The timeline goes on. The resource
    animal-store://scenario-schema describes scenarios. Shipped: ${names}.`,
  list_requests: `See what the app did: its requests, the responses and why, and what you changed among them (timeline),
    or the requests alone. Identical requests in a row are one line.`,
  go_back: `Take one change of yours back (undo), by default the last, or bring back the state before a row of
    list_requests (rewind).`,
  what_if: `Learn what the request of a row would have got with one thing changed: without faults, with other
    assumptions, at another time, or as another request. Nothing happens to the mock. alternatives: true lists every
    change that would have mattered.`,
  list_animals: 'Look at the animals in the store: some of them, or one by its id.',
  change_animals:
    'Change animals behind the back of the app, as another user would: add, change or remove one.',
  break_operation: `Make an operation fail, to see what the app does: an error status, a broken body, a dropped
    connection, a delay. Remove faults by their id, or all of them.`,
  clean_up: `Empty the timeline, of all sandboxes unless you name one, or remove the sandbox of a key. Nothing takes
    that back.`,
  change_settings:
    "Change the mock's clock, the latency of every response, or what it assumes where the API leaves something open.",
  explain_request: `Learn why a request got its response: the reason, what the state was, the assumptions behind it, and
    how to see it again. Without an id: the last request that failed.`,
  send_request: `Send a request to the mock as the app would, or one from the request log again, and read the response.
    It is logged too.`,
}

export const unwrap = (text: string): string => text.replaceAll(/\n +/g, ' ')

const MAX_PETS = 10
const request: Schema = {
  type: 'integer',
  description: 'The id of a request, as list_requests shows it after #.',
}
const limit: Schema = { type: 'integer', description: `At most this many; ${MAX_PETS} by default.` }
const change = requestFields()

const TOOLS: Readonly<Record<ToolName, ToolRow>> = {
  get_state: { call: 'summary' },
  load_scenario: { call: 'load' },
  list_requests: { call: 'timeline' },
  go_back: { call: 'undo' },
  what_if: { call: 'whatIf' },
  list_animals: { call: 'pets.list', input: { limit } },
  change_animals: { item: 'pets' },
  break_operation: { call: 'faults.add', item: 'faults' },
  clean_up: { call: 'clearRequests', isDestructive: true },
  change_settings: {},
  explain_request: { input: { id: request }, run: explainRequest },
  send_request: {
    input: {
      again: {
        ...request,
        description: 'The id of a logged request to send again; the other arguments change it.',
      },
      path: text('Where to send it, such as /v1/pets?limit=5.'),
      method: {
        ...change.method,
        description: 'The HTTP method; POST with a body, GET without one by default.',
      },
      body: {
        ...change.body,
        description: 'The body: an object is sent as JSON, a text as it is.',
      },
      headers: {
        ...change.headers,
        description: 'By name; null leaves one out, as in {"content-type":null}.',
      },
      apiKey: text(
        `The API key; by default that of the sandbox or ${USUAL_KEY}, an empty text for none.`,
      ),
    },
    run: sendAsApp,
    starts: true,
  },
}

const sandbox = text(
  'The API key of a sandbox; without it the shared state, in lists of requests all.',
)
const detail = {
  ...BOOLEAN,
  description: 'True for the whole answer as JSON instead of a short one.',
}
const questionWords: Fields = Object.fromEntries(
  questions.map(({ id, question }) => [id, { description: question }]),
)
/** Without the counters of a fault, which are the mock's. */
const inputOf = ({ input: { seen, applied, ...fields } = {} }: MethodRow): Fields => fields

export const tools = Object.entries(TOOLS).map(([tool, row]) => {
  const { call: preset, input = {}, item, isDestructive = false, run, starts } = row
  const own = methodRows.filter(([, row]) => row.tool === tool)
  const isReadOnly = !starts && !own.some(([, { isWrite }]) => isWrite)
  const call: Schema = { enum: own.map(([name]) => name), description: 'What to do.' }
  const taken: Fields = Object.assign({}, ...own.map(([, row]) => inputOf(row)), input)
  const fields: Fields = run ? { ...taken, sandbox } : { call, ...taken, sandbox, detail }
  // What editors show of faults and animals, whose schemas have no words.
  const words: Fields = {
    ...(item && scenarioSchema.properties[item].items.properties),
    ...questionWords,
  }
  const described = Object.entries(fields).map(([name, schema]) => [
    name,
    describeArgument(schema, words[name]),
  ])
  const takes = own
    .map(([name, row]) => `${name}(${Object.keys(inputOf(row)).join(', ')})`)
    .join(', ')
  const usual = preset ? `: ${preset}` : ', the arguments decide'
  const calls = `\nWhat to pass as call, and its arguments: ${takes}. Without call${usual}.`
  return {
    name: tool,
    description: unwrap(PURPOSES[tool as ToolName]) + (run ? '' : calls),
    isReadOnly,
    isDestructive,
    inputSchema: { type: 'object', properties: Object.fromEntries(described) },
    async run(given: Input, reach: Reach): Promise<string> {
      const use = await openState(reach, given.sandbox, row)
      return run
        ? run(use, checkInput({ input: fields }, given))
        : callMethod(own, preset, given, use)
    },
  }
})

async function openState(reach: Reach, named: unknown, { starts }: ToolRow): Promise<Use> {
  const { callFor, sandbox: usual } = reach
  const key = named === undefined ? usual : checkValue(sandbox, named as string, 'sandbox')
  const whole = controlBy((name, input) => callFor(undefined, name, input))
  const { sandboxes } = await whole.summary()
  const isChecked = sandboxes !== undefined && !starts && key !== '*'
  const keys = isChecked && (await whole.sandboxes())
  const all = (name: ControlMethod) =>
    sandboxes !== undefined && methods[name].hasAll ? '*' : undefined
  const call: Use['call'] = (name, input) => {
    if (keys && key !== undefined) checkSandbox(methods[name], key, keys)
    return callFor(key ?? all(name), name, input)
  }
  const isShared = sandboxes !== undefined && key === undefined
  return { ...reach, sandbox: key === '*' ? undefined : key, isShared, call }
}

async function callMethod(
  own: readonly NamedRow[],
  preset: ControlMethod | undefined,
  given: Input,
  use: Use,
) {
  const { call, sandbox, detail, ...input } = given
  const usual = own.find(([name]) => name === (call ?? preset))
  const found = call === undefined ? findFitting(own, input, usual) : usual
  if (!found) throw mismatch('call', describeSchema({ enum: own.map(([name]) => name) }))
  const [name, row] = found
  const limit = row.input?.limit && { limit: name === 'pets.list' ? MAX_PETS : DEFAULT_LIMIT }
  const { result, total } = checkFound(row, input.id, await use.call(name, { ...limit, ...input }))
  if (detail === true) return toJsonText(result === undefined ? 'done' : result).trimEnd()
  const shown =
    name === 'summary'
      ? { address: use.mockUrl + contract.basePath, ...(result as StateSummary) }
      : result
  const answer = renderResult(name, shown, total, input.limit !== undefined)
  return use.isShared && !row.hasAll && !row.isGlobal ? `${answer}\n${IS_SHARED} sandbox` : answer
}

/**
 * Where the agent did not name a method: the usual one, unless only one other takes what was given.
 */
function findFitting(own: readonly NamedRow[], input: Input, usual?: NamedRow) {
  const given = Object.keys(input)
  const takes = ([, row]: NamedRow) => given.every((name) => Object.hasOwn(inputOf(row), name))
  const isWhole = ([, { required = [] }]: NamedRow) =>
    required.every((name) => given.includes(name))
  const [only, ...others] = own.filter((one) => takes(one) && isWhole(one))
  return (usual && takes(usual)) || given.length === 0 || others.length > 0
    ? usual
    : (only ?? usual)
}

/** The schema of an argument as agents read it: its types and a description, no patterns. */
function describeArgument(schema: Schema, words?: Schema): object {
  const types = listTypes(schema)
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(schema.enum && { enum: schema.enum }),
    ...(types.includes('array') && { items: {} }),
    description: schema.description ?? words?.description ?? schema.title,
  }
}

function listTypes({
  type,
  const: only,
  enum: choices = only === undefined ? [] : [only],
  oneOf,
}: Schema): string[] {
  if (type !== undefined) return [type]
  const types =
    oneOf?.flatMap(listTypes) ?? choices.map((choice) => (choice === null ? 'null' : typeof choice))
  return [...new Set(types)]
}
