// A request as a command to paste. Any web page can plant requests in the journal, so whatever is in one must stay data: for the
// shell, for curl and for the terminal. The command always goes to this mock, whatever host the request named.
import { toEscapes, UNSAFE } from './to-visible.ts'

export type Shell = 'sh' | 'cmd' | 'powershell'

export interface CommandRequest {
  readonly method: string
  /** Of the mock, as in `http://127.0.0.1:7387`. */
  readonly origin: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What a shell makes of a command's words. */
interface Quoting {
  readonly curl: string
  quote(text: string): string
}

const SH: Quoting = { curl: 'curl', quote: quoteForSh }
const CMD: Quoting = { curl: 'curl.exe', quote: quoteForCmd }
/** Those that Invoke-WebRequest knows in every version. */
const POWERSHELL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'OPTIONS', 'MERGE', 'PATCH']

export function toCommand(request: CommandRequest, shell: Shell): string {
  if (shell === 'powershell') return toPowerShell(request)
  const { body = '' } = request
  if (shell === 'cmd') {
    const data = escapeForCmd(body)
    return toCurl(request, CMD, data === '' ? '' : ` --data-raw ${quoteForCmd(data)}`)
  }
  if (!isUnsafe(body)) return toCurl(request, SH, body === '' ? '' : ` --data-raw ${quoteForSh(body)}`)
  return `printf %b ${quoteForSh(escapeForPrintf(body))} | ${toCurl(request, SH, ' --data-binary @-')}`
}

/** The word in quotes for any POSIX shell: no `$'…'`, which dash does not know. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * The word for cmd.exe and then for the C runtime of curl.exe. Even the quotes are escaped for cmd, so that it is never inside of
 * any, and there a caret makes whatever follows it plain. Variables are expanded before carets are read: the caret after each `%`
 * becomes part of the name, and no variable is called that.
 */
export function quoteForCmd(text: string): string {
  // The C runtime reads a backslash as itself, unless a quote comes after the run that it is in.
  const word = text.replace(/\\+|"/g, (run, index: number) => {
    if (run === '"') return '\\"'
    const next = text[index + run.length]
    return next === '"' || next === undefined ? run + run : run
  })
  return `"${word}"`.replace(/(?<=%)[A-Za-z0-9]|[!-/:-@[-`{-~]/g, '^$&')
}

/** A string for PowerShell, which takes typographic quotes for quotes too. */
export function quoteForPowerShell(text: string): string {
  const quoted = `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  if (!isUnsafe(text)) return quoted
  const toCode = (unit: string) => `' + [char]0x${unit.charCodeAt(0).toString(16)} + '`
  return `(${quoted.replace(UNSAFE, (character) => character.split('').map(toCode).join(''))})`
}

function toCurl({ method, origin, target, headers, body = '' }: CommandRequest, { curl, quote }: Quoting, data: string): string {
  const path = toPath(target)
  const parts = [curl, '-i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== (body === '' ? 'GET' : 'POST')) parts.push(`-X ${quote(toPlain(method))}`)
  // Brackets and dots mean something to curl itself; what no URL can have goes beside it.
  if (/[[\]{}]/.test(path)) parts.push('--globoff')
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) parts.push('--path-as-is')
  if (isUrlPath(path)) parts.push(quote(origin + path))
  else parts.push(`--request-target ${quote(path)}`, quote(`${origin}/`))
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(toPlain(`${name}: ${value}`))}`)
  return parts.join(' ') + data
}

function toPowerShell({ method, origin, target, headers, body = '' }: CommandRequest): string {
  const quote = quoteForPowerShell
  const path = toPath(target)
  const flag = POWERSHELL_METHODS.includes(method) ? '-Method' : '-CustomMethod'
  const parts = ['Invoke-WebRequest -UseBasicParsing', `-Uri ${quote(origin + (isUrlPath(path) ? path : '/'))}`, `${flag} ${quote(method)}`]
  const isType = (name: string) => name.toLowerCase() === 'content-type'
  const fields = Object.entries(headers).filter(([name]) => !isType(name))
  if (fields.length > 0) parts.push(`-Headers @{ ${fields.map(([name, value]) => `${quote(name)} = ${quote(value)}`).join('; ')} }`)
  for (const [name, value] of Object.entries(headers)) if (isType(name)) parts.push(`-ContentType ${quote(value)}`)
  if (body !== '') parts.push(`-Body ([Text.Encoding]::UTF8.GetBytes(${quote(body)}))`)
  return parts.join(' ')
}

/** Path and query without the host that an absolute-form target names: the command is for this mock. */
export function toPath(target: string): string {
  const path = toAscii(target.replace(/^https?:\/\/[^/?#]*/i, ''))
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}

function isUrlPath(path: string): boolean {
  return path !== '*' && !path.includes('#')
}

/** With everything that is no visible ASCII as `%xx`. */
function toAscii(text: string): string {
  return text.replace(/[^!-~]+/g, (part) => toBytes(part, (byte) => `%${byte.toString(16).padStart(2, '0')}`))
}

/** A header field or a method can have no control character but the tab, which means the same as a space. */
function toPlain(text: string): string {
  return text.replace(UNSAFE, ' ')
}

/** For `%b`: all that a terminal could act on, and line breaks, as octal numbers. */
function escapeForPrintf(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(UNSAFE, (character) => toBytes(character, (byte) => `\\0${byte.toString(8).padStart(3, '0')}`))
}

/** On a line of cmd there is no way to write a control character. In JSON white space may be a space, and the rest has an escape. */
function escapeForCmd(text: string): string {
  return text.replace(UNSAFE, (character) => (/\s/.test(character) ? ' ' : toEscapes(character)))
}

function toBytes(text: string, toText: (byte: number) => string): string {
  return [...new TextEncoder().encode(text)].map(toText).join('')
}

function isUnsafe(text: string): boolean {
  return text.search(UNSAFE) >= 0
}
