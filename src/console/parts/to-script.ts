// A request as JavaScript to paste into a console, a script or a test. As with commands, whatever is in a request must stay data, and
// the code talks to this mock alone.
import { type Json, parseJson } from '../../contract/int64-json.ts'
import { type CommandRequest, toPath } from './to-command.ts'
import { toEscapes, UNSAFE } from './to-visible.ts'

export function toFetch(request: CommandRequest): string {
  return `await fetch(${quoteForScript(toUrl(request))}${toFetchOptions(request)})`
}

export function toAxios(request: CommandRequest): string {
  const { method, headers, body = '' } = request
  const lines = [`method: ${quoteForScript(method)}`, `url: ${quoteForScript(toUrl(request))}`, `headers: ${toLiteral(headers)}`]
  if (body !== '') lines.push(`data: ${quoteForScript(body)}`)
  // What is not JSON would be made a JSON string.
  if (body !== '' && !isTrimmedJson(body)) lines.push('transformRequest: (data) => data')
  return `await axios.request({\n${indent(lines, 1)}})`
}

/** The second argument of fetch, with the comma before it; empty if there is nothing to say. */
export function toFetchOptions({ method, headers, body = '' }: CommandRequest, depth = 0): string {
  const lines: string[] = []
  if (method !== 'GET') lines.push(`method: ${quoteForScript(method)}`)
  if (Object.keys(headers).length > 0) lines.push(`headers: ${toLiteral(headers)}`)
  // fetch refuses a body with these methods.
  if (body !== '' && method !== 'GET' && method !== 'HEAD') lines.push(`body: ${quoteForScript(body)}`)
  return lines.length === 0 ? '' : `, {\n${indent(lines, depth + 1)}${'  '.repeat(depth)}}`
}

/** A string literal that means the text, with nothing in it that an editor would hide or turn around. */
export function quoteForScript(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replace(UNSAFE, toEscapes)}'`
}

/** A value of JSON as a literal, exact at int64. */
export function toLiteral(value: Json | Readonly<Record<string, string>>): string {
  if (typeof value === 'string') return quoteForScript(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `${toName(name)}: ${toLiteral(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Path and query as fetch takes them; there is no way to send `#` or `*`. */
export function toScriptPath(target: string): string {
  const path = toPath(target)
  return path === '*' ? '/' : path.replaceAll('#', '%23')
}

function toUrl({ origin, target }: CommandRequest): string {
  return origin + toScriptPath(target)
}

/** Plain, the name `__proto__` would set the prototype of the object. */
function toName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z]\w*$/.test(name) ? name : quoteForScript(name)
}

function indent(lines: readonly string[], depth: number): string {
  return lines.map((line) => `${'  '.repeat(depth)}${line},\n`).join('')
}

function isTrimmedJson(text: string): boolean {
  try {
    parseJson(text)
    return text.trim() === text
  } catch {
    return false
  }
}
