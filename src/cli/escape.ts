// Text from elsewhere, made safe to print: whatever could move the cursor, break the line or turn the reading direction is
// spelled out instead.

/** Controls, invisible formats (bidi among them), line and paragraph separators, halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** The text with those characters as `\u202e`; JSON text stays JSON and means the same. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (character) => {
    let escaped = ''
    for (let index = 0; index < character.length; index++) escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    return escaped
  })
}
