// Indents JSON like `JSON.stringify`. Only white space changes: every digit stays as it was sent.

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:\s]+/gs
/** Deeper levels are not indented further: 16 KiB of `[` would otherwise become 268 MB. */
const MAX_INDENTS = 40

/** Whether it begins like an object or a list. The rest may be missing. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** The JSON may be cut. Other text stays as it is. */
export function indentJson(text: string): string {
  if (!looksLikeJson(text)) return text
  let depth = 0
  let result = ''
  let previous = ''
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const isOpening = token === '{' || token === '['
    const isClosing = token === '}' || token === ']'
    const isFirst = previous === '{' || previous === '['
    if (isClosing) depth = Math.max(0, depth - 1)
    // An empty object or array stays on its line.
    const isNewLine = isClosing ? !isFirst : isFirst || previous === ','
    if (isNewLine) result += `\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}`
    result += token === ':' ? ': ' : token
    if (isOpening) depth++
    previous = token
  }
  return result
}
