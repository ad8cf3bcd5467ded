// Text from elsewhere, so that what is seen is what there is: characters that turn the reading direction, hide or move the cursor
// are spelled out.

/** Controls, invisible formats (bidi among them), line and paragraph separators, halves of surrogate pairs. */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Ordinary white space, and what holds scripts and emoji together. */
const HARMLESS = ['\n', '\t', '\u200c', '\u200d']

/** The text with such characters as `\u202e`; JSON text stays JSON and means the same. */
export function toVisible(text: string): string {
  return text.replace(UNSAFE, (character) => (HARMLESS.includes(character) ? character : toEscapes(character)))
}

/** As JSON writes it: a character beyond the first plane is two. */
export function toEscapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
