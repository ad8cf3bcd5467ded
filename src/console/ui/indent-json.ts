// Indents JSON text by changing white space only: every digit stays as it was sent, and truncated text works too.

const STRING_OR_MARK = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:\s]+/gs

/** Deeper levels are not indented further: 16 KiB of `[` would otherwise become 268 MB. */
const MAX_INDENTS = 40

/** Text that does not look like JSON is returned unchanged. */
export function indentJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  let depth = 0
  let result = ''
  let previous = ''
  for (const [token] of text.matchAll(STRING_OR_MARK)) {
    const isClose = token === '}' || token === ']'
    if (isClose) depth = Math.max(0, depth - 1)
    const isEmpty = isClose && (previous === '{' || previous === '[')
    if (previous === '{' || previous === '[' || previous === ',' || isClose)
      result += isEmpty ? '' : `\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}`
    result += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    previous = token
  }
  return result
}
