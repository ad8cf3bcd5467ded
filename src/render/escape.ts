// Text from elsewhere, made safe to show: whatever could move the cursor, break the line or turn the reading direction is escaped.

/** Controls, invisible formats (bidi among them), line and paragraph separators, halves of surrogate pairs. */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Most texts are printable ASCII; compiling the other pattern takes a tenth of the start. */
const PLAIN = /^[ -~]*$/

export function escapeUnsafe(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, escapeCharacter)
}

/** A document that means the same: such characters are only in strings of JSON, or of YAML in double quotes. Line feeds stay. */
export function escapeInJson(text: string): string {
  return text.replace(UNSAFE, (character) => (character === '\n' ? character : escapeCharacter(character)))
}

/** As JSON writes it: a character beyond the first plane is two. */
export function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
