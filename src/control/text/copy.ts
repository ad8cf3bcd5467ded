// A logged request as a curl command, a call of fetch, or a test. Any web page can plant requests
// in the log, so the shell, curl, the terminal and code must interpret nothing in them. A copy
// always goes to this mock.
import { isBodiless, splitTarget } from '../../contract/address.ts'
import { escapeCharacter, UNSAFE } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import type { Json } from '../../contract/int64-json.ts'
import { withoutUndefined } from '../../contract/values.ts'
import { changeRequest, type RequestChange, type SentRequest } from '../../service/call.ts'
import {
  isCut,
  isDelivered,
  type LoggedMessage,
  type RequestRow,
  wasKeyRefused,
} from '../../world/row.ts'
import { findListedKeys, RESERVED_KEY, type Scenario, USUAL_KEY } from '../../world/scenario.ts'
import type { StateDiff, WhatIfChange } from '../control.ts'
import { describeWhatIfChange, printStatus } from '../differences.ts'
import { isControlTarget } from '../methods.ts'

type HeaderFields = LoggedMessage['headers']
/** `mockUrl` has the path that the mock is mounted under, if any, and no slash at its end. */
export type CommandRequest = SentRequest & { readonly mockUrl: string }
type Expected = Readonly<{
  status: number
  operation: string | null
  options: Readonly<Record<string, Json>>
}>
export type TestedRequest = CommandRequest & Expected & { readonly about: string }
export type Moment = Readonly<{ state: Scenario; diff: StateDiff; file?: string | undefined }>

export function describeKeyRule(state: Scenario = {}): string {
  const listed = findListedKeys(state)
  if (listed) return `${listed.length === 0 ? 'no API key is' : 'only listed keys are'} valid`
  return `any bearer token except "${RESERVED_KEY}" works, e.g. ${USUAL_KEY}`
}

/** Empty if the state accepts no key. The log keeps only the end of the key that was sent. */
export function workingKey(sandbox: string | null, state: Scenario = {}): string {
  const listed = findListedKeys(state)
  return listed
    ? (listed.find((key) => sandbox === null || key === sandbox) ?? '')
    : (sandbox ?? USUAL_KEY)
}

/** Whether the mock's clock is more than a minute away from the real time. */
export const isMoved = ({ at, realAt }: Pick<RequestRow, 'at' | 'realAt'>): boolean =>
  Math.abs(Date.parse(at) - Date.parse(realAt)) > 60_000

export const authorize = (key: string): HeaderFields =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

/**
 * A request that was refused for its key is refused again; one that was refused earlier has a key
 * all the same.
 */
export function requestOf(
  row: RequestRow,
  state: Scenario | undefined,
  mockUrl: string,
): CommandRequest {
  const { method, target, status, sandbox, request } = row
  const key = wasKeyRefused(row, status) ? RESERVED_KEY : workingKey(sandbox, state)
  // Other fields matter to a preflight only, which neither `fetch` nor a test can send.
  const meant = Object.entries(request.headers).filter(([name]) =>
    /^(?:content-(?:type|encoding)|prefer)$/.test(name),
  )
  const headers = {
    ...authorize(request.headers.authorization === undefined ? '' : key),
    ...Object.fromEntries(meant),
  }
  return {
    method,
    mockUrl,
    target,
    headers,
    body: isCut(request.body) ? request.body.slice(0, -1) : request.body,
  }
}

/**
 * Whether a test can send it too: a store answers below its base URL, and `fetch` sends no
 * preflights.
 */
export function isTestable(row: RequestRow): boolean {
  const { method, target, lacks } = row
  return (
    isDelivered(row) &&
    lacks !== 'host' &&
    method !== 'OPTIONS' &&
    pathOf(target).startsWith(contract.basePath)
  )
}

export function editRequest(request: CommandRequest, change: RequestChange = {}): CommandRequest {
  return { ...request, ...changeRequest(request, change) }
}

/**
 * The store of the test starts from the state before the request, so without a change the response
 * is the same.
 */
export function testOf(
  row: RequestRow,
  moment: Moment,
  mockUrl: string,
  change: WhatIfChange = {},
): TestedRequest {
  const request = editRequest(requestOf(row, moment.state, mockUrl), change.request)
  const operation =
    request.method === row.method && request.target === row.target ? row.operation : null
  const scenario = scenarioOf(row, moment, change)
  const options = {
    ...(scenario !== 'default' && { scenario }),
    // A store responds to unknown paths only below an explicit base URL.
    ...(operation === null && { baseUrl: new URL(mockUrl).origin + contract.basePath }),
  }
  return { ...request, about: describeWhatIfChange(change), status: row.status, operation, options }
}

/**
 * The row of a recording; a shipped scenario with what is different; or the whole state if it
 * started from another.
 */
function scenarioOf(
  { id, at, realAt }: RequestRow,
  { state, diff, file }: Moment,
  change: WhatIfChange,
): Json {
  if (Object.keys(change).length === 0 && file !== undefined) return `${file}#${id}`
  const { name, now, ...whole } = state
  const { faults = [] } = whole
  const wasMoved = isMoved({ at, realAt })
  // No scenario over another says that the clock follows real time.
  const parent = diff.isShipped && (wasMoved || !diff.clock) ? diff.scenario : undefined
  const different = {
    ...(Object.values(diff.pets).some(({ length }) => length > 0) && {
      pets: whole.pets,
      nextId: whole.nextId,
    }),
    // With their counts and the next random numbers.
    ...(faults.length + diff.faults.removed.length > 0 && { faults, random: whole.random }),
    ...(diff.latency && { latency: diff.latency.after ?? 0 }),
    ...(wasMoved && { now, frozen: true }),
    surprise: whole.surprise,
  }
  // The console offers no other latency.
  const { without, assume, at: instant }: Omit<WhatIfChange, 'latency'> = change
  const otherChoices = Object.fromEntries(diff.assume.map(({ id, after }) => [id, after]))
  const chosen = { ...(parent ? otherChoices : state.assume), ...assume }
  const scenario = withoutUndefined({
    ...(parent ? { extends: parent, ...different } : { ...whole, now }),
    ...(without && {
      faults: faults.filter((fault) => without !== 'faults' && !without.includes(fault.id ?? '')),
    }),
    ...(Object.keys(chosen).length > 0 && { assume: chosen }),
    ...(instant !== undefined && { now: instant, frozen: true }),
  })
  return parent && Object.keys(scenario).length === 1 ? parent : (scenario as unknown as Json)
}

export function renderCurl(request: CommandRequest): string {
  const { method, mockUrl, target, headers, body } = request
  const path = pathOf(target)
  // The only control character that a header field can have is a tab, which means a space.
  const flatten = (text: string) => quoteForSh(text.replace(UNSAFE, ' '))
  const words = ['curl', '-i']
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === '' ? 'GET' : 'POST')) words.push('-X', flatten(method))
  // curl interprets brackets and dots.
  if (/[[\]{}]/.test(path)) words.push('--globoff')
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) words.push('--path-as-is')
  words.push(quoteForSh(mockUrl + path))
  for (const [name, value] of Object.entries(headers))
    words.push('-H', flatten(`${name}: ${value}`))
  if (body !== '' && !hasType(headers)) words.push('-H', "'content-type:'")
  const command = words.join(' ')
  if (body.search(UNSAFE) < 0)
    return body === '' ? command : `${command} --data-raw ${quoteForSh(body)}`
  // Terminal codes and line breaks as octal numbers.
  const escaped = body
    .replaceAll('\\', '\\\\')
    .replace(UNSAFE, (character) => renderBytes(character, '\\0', 8, 3))
  return `printf %b ${quoteForSh(escaped)} | ${command} --data-binary @-`
}

/** For any POSIX shell: dash does not know `$'…'`. */
export const quoteForSh = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Clients add a Content-Type by themselves, so a request without one needs care. */
export const hasType = (headers: HeaderFields): boolean => 'content-type' in headers

/** In visible ASCII, without the host of an absolute-form target. */
export function pathOf(target: string): string {
  const path = splitTarget(target).rest.replace(/[^!-~]+|#/g, (part) =>
    renderBytes(part, '%', 16, 2),
  )
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * Where `fetch` sends a request for a target, since it resolves `..`; undefined if that is not in
 * the service.
 */
export function resolveTarget(target: string): string | undefined {
  const { pathname, search } = new URL(`http://localhost${pathOf(target)}`)
  return isControlTarget(pathname) ? undefined : pathname + search
}

const renderBytes = (text: string, prefix: string, radix: number, digits: number): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) => prefix + byte.toString(radix).padStart(digits, '0'))
    .join('')

export const renderFetch = (request: CommandRequest): string =>
  `await fetch(${quoteForScript(request.mockUrl + pathOf(request.target))}${renderOptions(request)})`

export function renderTests(requests: readonly TestedRequest[]): string {
  const isOne = requests.length === 1
  const indent = (store: string) => store.replace(/^(?=.)/gm, '  ')
  const renderNamed = (one: TestedRequest) =>
    `describe(${quoteForScript(one.about)}, () => {\n${indent(renderStore(one))}})\n`
  return [
    `import { mockStore } from 'animal-store-mock/vitest'`,
    `import { ${isOne ? '' : 'describe, '}expect, it } from 'vitest'\n`,
    ...requests.map(isOne ? renderStore : renderNamed),
  ].join('\n')
}

function renderStore(request: TestedRequest): string {
  const { operation, method, status, options } = request
  const path = pathOf(request.target)
  const received = status === 0 ? '' : `, { status: ${status}, times: 1 }`
  const call = `fetch(new URL(store.url).origin + ${quoteForScript(path)}${renderOptions(request, '  ')})`
  const responds = [`const response = await ${call}`, `expect(response.status).toBe(${status})`]
  return [
    `const store = mockStore(${Object.keys(options).length === 0 ? '' : renderLiteral(options)})`,
    '',
    `it(${quoteForScript(`${operation ?? `${method} ${path}`} gets ${printStatus(status)}`)}, async () => {`,
    '  // Call your own code here instead.',
    ...(status === 0 ? [`await expect(${call}).rejects.toThrow()`] : responds).map(
      (line) => `  ${line}`,
    ),
    ...(operation === null
      ? []
      : [`  await expect(store).toHaveReceived(${quoteForScript(operation)}${received})`]),
    '})',
    '',
  ].join('\n')
}

/** A string literal without characters that an editor would hide or reorder. */
export const quoteForScript = (text: string): string =>
  `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replace(UNSAFE, escapeCharacter)}'`

export function renderLiteral(value: Json | HeaderFields): string {
  if (typeof value === 'string') return quoteForScript(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${renderName(name)}: ${renderLiteral(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Unquoted, `__proto__` would set the prototype. */
function renderName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z]\w*$/.test(name) ? name : quoteForScript(name)
}

function renderOptions({ method, headers, body }: CommandRequest, indent = ''): string {
  // fetch adds a Content-Type to a text.
  const literal = hasType(headers)
    ? quoteForScript(body)
    : `new TextEncoder().encode(${quoteForScript(body)})`
  const lines = [
    method !== 'GET' && `method: ${quoteForScript(method)}`,
    Object.keys(headers).length > 0 && `headers: ${renderLiteral(headers)}`,
    body !== '' && !isBodiless(method) && `body: ${literal}`,
  ].filter(Boolean)
  return lines.length === 0
    ? ''
    : `, {\n${lines.map((line) => `${indent}  ${line},\n`).join('')}${indent}}`
}
