// A request as JavaScript to paste: a call of fetch, or a test for the Vitest kit. As with commands, everything in a request must stay
// data, and the code talks to this mock alone.
import type { Json } from '../../contract/int64-json.ts'
import { escapeCharacter, UNSAFE } from '../escape.ts'
import { type CommandRequest, hasType, pathOf } from './curl.ts'

export interface TestedRequest extends CommandRequest {
  /** 0 if no response was sent. */
  readonly status: number
  readonly operation: string | null
  /** What the store must be like. */
  readonly options: Readonly<Record<string, Json>>
}

export function renderFetch(request: CommandRequest): string {
  return `await fetch(${quoteForScript(request.origin + pathOf(request.target))}${renderOptions(request)})`
}

/** The same request to a fresh mock in the same state, and the response that it got. */
export function renderTest(request: TestedRequest): string {
  const { operation, status, options } = request
  const call = `fetch(new URL(store.url).origin + ${quoteForScript(pathOf(request.target))}${renderOptions(request, 1)})`
  const check =
    status === 0
      ? [`await expect(${call}).rejects.toThrow()`]
      : [`const response = await ${call}`, `expect(response.status).toBe(${status})`]
  if (operation !== null)
    check.push(`await expect(store).toHaveReceived(${quoteForScript(operation)}${status === 0 ? '' : `, { status: ${status}, times: 1 }`})`)
  return [
    `import { mockStore } from 'animal-store-mock/vitest'`,
    `import { expect, it } from 'vitest'`,
    '',
    `const store = mockStore(${Object.keys(options).length === 0 ? '' : renderLiteral(options)})`,
    '',
    `it(${quoteForScript(renderTitle(request))}, async () => {`,
    ...['// Call your own code here instead.', ...check].map((line) => `  ${line}`),
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

/** The second argument of fetch, with the comma before it; empty if there is nothing to say. */
function renderOptions({ method, headers, body = '' }: CommandRequest, depth = 0): string {
  const lines: string[] = []
  if (method !== 'GET') lines.push(`method: ${quoteForScript(method)}`)
  if (Object.keys(headers).length > 0) lines.push(`headers: ${renderLiteral(headers)}`)
  // Of a text, fetch would add a Content-Type. It refuses a body with these methods.
  const literal = hasType(headers) ? quoteForScript(body) : `new TextEncoder().encode(${quoteForScript(body)})`
  if (body !== '' && method !== 'GET' && method !== 'HEAD') lines.push(`body: ${literal}`)
  const indent = '  '.repeat(depth)
  return lines.length === 0 ? '' : `, {\n${lines.map((line) => `${indent}  ${line},\n`).join('')}${indent}}`
}

/** Plain, the name `__proto__` would set the prototype of the object. */
function renderName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z]\w*$/.test(name) ? name : quoteForScript(name)
}

function renderTitle({ operation, method, target, status }: TestedRequest): string {
  return `${operation ?? `${method} ${pathOf(target)}`} ${status === 0 ? 'gets no response' : `responds ${status}`}`
}
