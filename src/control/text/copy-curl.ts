// A logged request as a curl command. Any web page can plant requests in the log, so the shell,
// curl and the terminal must interpret nothing in them.
import { UNSAFE } from '../../contract/escape.ts'
import { type CommandRequest, hasType } from './copy-logged.ts'
import { pathOf } from './resolve-target.ts'

export function renderCurl(request: CommandRequest): string {
  const command = renderHead(request)
  const { body } = request
  if (body === '') return command
  const isPlain = body.search(UNSAFE) < 0
  if (isPlain) return `${command} --data-raw ${quoteForSh(body)}`
  return `printf %b ${quoteForSh(escapeForPrintf(body))} | ${command} --data-binary @-`
}

function renderHead(request: CommandRequest): string {
  const { method, headers, body } = request
  const path = pathOf(request.target)
  const usualMethod = body === '' ? 'GET' : 'POST'
  const words = ['curl', '-i']
  if (method === 'HEAD') words.push('--head')
  else if (method !== usualMethod) words.push('-X', quoteLine(method))
  // curl interprets brackets and dots.
  if (/[[\]{}]/.test(path)) words.push('--globoff')
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) words.push('--path-as-is')
  words.push(quoteForSh(request.mockUrl + path))
  for (const [name, value] of Object.entries(headers)) {
    words.push('-H', quoteLine(`${name}: ${value}`))
  }
  if (body !== '' && !hasType(request)) words.push('-H', "'content-type:'")
  return words.join(' ')
}

/** For any POSIX shell: dash does not know `$'…'`. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The only control character that a header field can have is a tab, which means a space. */
function quoteLine(text: string): string {
  return quoteForSh(text.replace(UNSAFE, ' '))
}

/** Terminal codes and line breaks as octal numbers. */
function escapeForPrintf(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(UNSAFE, escapeOctal)
}

function escapeOctal(character: string): string {
  let escaped = ''
  for (const byte of new TextEncoder().encode(character)) {
    escaped += `\\0${byte.toString(8).padStart(3, '0')}`
  }
  return escaped
}
