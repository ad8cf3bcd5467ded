// A request as a command line to paste: the same request, and nothing that the shell or the terminal could read as its own.

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export function toCurl({ method, url, headers, body = '' }: CurlRequest): string {
  const parts = ['curl -i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== (body === '' ? 'GET' : 'POST')) parts.push(`-X ${quote(method)}`)
  // Brackets and dots would otherwise mean something to curl itself.
  if (/[[\]{}]/.test(url)) parts.push('--globoff')
  if (/\/\.{1,2}(?:[/?]|$)/.test(url)) parts.push('--path-as-is')
  parts.push(quote(url))
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== '') parts.push(`--data-raw ${quote(body)}`)
  return parts.join(' ')
}

/** One word for the shell. Control characters go as escapes: on their way through a terminal they could do things. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/[\u0000-\u001f\u007f-\u009f]/g, toEscape)
  return `$'${escaped}'`
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
