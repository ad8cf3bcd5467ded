// A request as JavaScript to paste: a call of fetch, or a test for the Vitest kit. As with commands, everything in a request must stay
// data, and the code talks to this mock alone.
import type { Json } from '../../contract/int64-json.ts'
import { escapeCharacter, UNSAFE } from '../text.ts'
import { type CommandRequest, pathOf } from './curl.ts'

export interface TestedRequest extends CommandRequest {
  /** 0 if no response was sent. */
  readonly status: number
  readonly operation: string | null
  /** What the mock must be like: the faults that applied, and choices that are not the defaults. */
  readonly faults: readonly Readonly<Record<string, Json>>[]
  readonly assume: Readonly<Record<string, string>>
  /** The address of the API: a store responds to unknown paths only below one that you give it. */
  readonly baseUrl: string
  /** The name of a shipped scenario, if it is loaded and not the default one. */
  readonly scenario: string | undefined
}

export function renderFetch(request: CommandRequest): string {
  return `await fetch(${quoteForScript(request.origin + scriptPath(request.target))}${renderOptions(request)})`
}

/** The same request to a fresh mock in the same state, and the response that it got. */
export function renderTest(request: TestedRequest): string {
  const { operation, status, faults, scenario } = request
  const call = `fetch(new URL(store.url).origin + ${quoteForScript(scriptPath(request.target))}${renderOptions(request, 1)})`
  const check =
    status === 0
      ? [`await expect(${call}).rejects.toThrow()`]
      : [`const response = await ${call}`, `expect(response.status).toBe(${status})`]
  if (operation !== null)
    check.push(`await expect(store).toHaveReceived(${quoteForScript(operation)}${status === 0 ? '' : `, { status: ${status}, times: 1 }`})`)
  const lines = [
    ...faults.map((fault) => `store.control.faults.add(${renderLiteral(fault)})`),
    '// Call your own code here instead.',
    ...check,
  ]
  return [
    ...(scenario === undefined ? [] : [`import { scenarios } from 'animal-store-mock/scenarios'`]),
    `import { mockStore } from 'animal-store-mock/vitest'`,
    `import { expect, it } from 'vitest'`,
    '',
    `const store = mockStore(${renderStoreOptions(request)})`,
    '',
    `it(${quoteForScript(renderTitle(request))}, async () => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

/** A string literal that means the text, with nothing in it that an editor would hide or turn around. */
export function quoteForScript(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replace(UNSAFE, escapeCharacter)}'`
}

/** A value of JSON as a literal, exact at int64. */
export function renderLiteral(value: Json | Readonly<Record<string, string>>): string {
  if (typeof value === 'string') return quoteForScript(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `${renderName(name)}: ${renderLiteral(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Path and query as fetch takes them; it cannot send `#` or `*`. */
export function scriptPath(target: string): string {
  const path = pathOf(target)
  return path === '*' ? '/' : path.replaceAll('#', '%23')
}

/** The second argument of fetch, with the comma before it; empty if there is nothing to say. */
function renderOptions({ method, headers, body = '' }: CommandRequest, depth = 0): string {
  const lines: string[] = []
  if (method !== 'GET') lines.push(`method: ${quoteForScript(method)}`)
  if (Object.keys(headers).length > 0) lines.push(`headers: ${renderLiteral(headers)}`)
  // fetch refuses a body with these methods.
  if (body !== '' && method !== 'GET' && method !== 'HEAD') lines.push(`body: ${quoteForScript(body)}`)
  const indent = '  '.repeat(depth)
  return lines.length === 0 ? '' : `, {\n${lines.map((line) => `${indent}  ${line},\n`).join('')}${indent}}`
}

/** Plain, the name `__proto__` would set the prototype of the object. */
function renderName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z]\w*$/.test(name) ? name : quoteForScript(name)
}

function renderTitle({ operation, method, target, status }: TestedRequest): string {
  return `${operation ?? `${method} ${scriptPath(target)}`} ${status === 0 ? 'gets no response' : `responds ${status}`}`
}

function renderStoreOptions({ operation, baseUrl, scenario, assume }: TestedRequest): string {
  const parts = operation === null ? [`baseUrl: ${quoteForScript(baseUrl)}`] : []
  if (scenario !== undefined) parts.push(`scenario: scenarios[${quoteForScript(scenario)}]`)
  if (Object.keys(assume).length > 0) parts.push(`assume: ${renderLiteral(assume)}`)
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
}
