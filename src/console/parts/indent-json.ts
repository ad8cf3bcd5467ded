// JSON text made readable by white space alone: what was sent stays what is shown, digit by digit, and so does text that is cut.

const STRING_OR_MARK = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:\s]+/gs

/** The text with line breaks and indentation; anything that does not look like JSON comes back as it is. */
export function indentJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  let depth = 0
  let result = ''
  let previous = ''
  for (const [token] of text.matchAll(STRING_OR_MARK)) {
    const isClose = token === '}' || token === ']'
    if (isClose) depth = Math.max(0, depth - 1)
    const isEmpty = isClose && (previous === '{' || previous === '[')
    if (previous === '{' || previous === '[' || previous === ',' || isClose) result += isEmpty ? '' : `\n${'  '.repeat(depth)}`
    result += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    previous = token
  }
  return result
}
