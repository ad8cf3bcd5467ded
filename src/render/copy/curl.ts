// A request as a curl command to paste. Any web page can plant requests in the log, so everything in one must stay data: for the
// shell, for curl and for the terminal. The command always goes to this mock, whatever host the request named.
import { UNSAFE } from '../escape.ts'

export interface CommandRequest {
  readonly method: string
  /** Of the mock, as in `http://127.0.0.1:7387`; with the path that it is mounted under, if any. */
  readonly origin: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export function renderCurl(request: CommandRequest): string {
  const { body = '' } = request
  if (body.search(UNSAFE) < 0) return renderWords(request, body === '' ? '' : ` --data-raw ${quoteForSh(body)}`)
  return `printf %b ${quoteForSh(escapeForPrintf(body))} | ${renderWords(request, ' --data-binary @-')}`
}

/** The word in quotes for any POSIX shell: no `$'…'`, which dash does not know. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function renderWords({ method, origin, target, headers, body = '' }: CommandRequest, data: string): string {
  const path = pathOf(target)
  const parts = ['curl', '-i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== (body === '' ? 'GET' : 'POST')) parts.push(`-X ${quoteForSh(flatten(method))}`)
  // Brackets and dots mean something to curl itself.
  if (/[[\]{}]/.test(path)) parts.push('--globoff')
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) parts.push('--path-as-is')
  parts.push(quoteForSh(origin + path))
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoteForSh(flatten(`${name}: ${value}`))}`)
  // Curl would add one.
  if (body !== '' && !hasType(headers)) parts.push("-H 'content-type:'")
  return parts.join(' ') + data
}

/** Whether a request says what its body is. Clients add that by themselves. */
export function hasType(headers: CommandRequest['headers']): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
}

/** Path and query as a URL has them, without the host that an absolute-form target names. */
export function pathOf(target: string): string {
  const path = toAscii(target.replace(/^https?:\/\/[^/?#]*/i, '')).replaceAll('#', '%23')
  return path.startsWith('/') ? path : `/${path}`
}

/** With everything but visible ASCII as `%xx`. */
function toAscii(text: string): string {
  return text.replace(/[^!-~]+/g, (part) => renderBytes(part, (byte) => `%${byte.toString(16).padStart(2, '0')}`))
}

/** A header field or a method cannot have control characters but the tab, which means the same as a space. */
function flatten(text: string): string {
  return text.replace(UNSAFE, ' ')
}

/** For `%b`: everything that a terminal could act on, and line breaks, as octal numbers. */
function escapeForPrintf(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(UNSAFE, (character) => renderBytes(character, (byte) => `\\0${byte.toString(8).padStart(3, '0')}`))
}

function renderBytes(text: string, render: (byte: number) => string): string {
  return [...new TextEncoder().encode(text)].map(render).join('')
}
