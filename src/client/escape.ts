// Text from elsewhere, made safe to print: whatever could move the cursor, break the line or turn the reading direction is
// spelled out instead.

/** Controls, invisible formats (bidi among them), line and paragraph separators, halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** The same but for the line feeds that a document is laid out with. */
const UNSAFE_IN_DOCUMENT = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most texts are printable ASCII; compiling the other patterns takes a tenth of the start. */
const PLAIN = /^[ -~]*$/

/** The text with those characters as `\\u202e`. */
export function escapeUnsafe(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, toJsonEscape)
}

/** Whether a string of a document needs escapes. */
export function isUnsafe(text: string): boolean {
  return text.search(UNSAFE_IN_DOCUMENT) >= 0
}

/** JSON text that means the same: such characters are only in its strings. */
export function escapeInJson(text: string): string {
  return text.replace(UNSAFE_IN_DOCUMENT, toJsonEscape)
}

/** YAML text that means the same, if strings that need escapes are in double quotes. */
export function escapeInYaml(text: string): string {
  return text.replace(UNSAFE_IN_DOCUMENT, (character) => {
    const code = (character.codePointAt(0) as number).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}

function toJsonEscape(character: string): string {
  let escaped = ''
  for (let index = 0; index < character.length; index++) escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  return escaped
}
