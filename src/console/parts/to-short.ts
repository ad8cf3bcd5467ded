// Long text on one line: both ends stay, since the end of a key tells it from others as often as its beginning.

export function toShort(text: string, maxCharacters = 24): string {
  const characters = [...text]
  if (characters.length <= maxCharacters) return text
  const half = (maxCharacters - 1) / 2
  return `${characters.slice(0, Math.ceil(half)).join('')}…${characters.slice(-Math.floor(half)).join('')}`
}
