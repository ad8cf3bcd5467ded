// Downloads a file.

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: name.endsWith('.json') ? 'application/json' : 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const MAX_NAME_CHARACTERS = 80

/** A file name that every system takes. */
export function toFileName(name: string, ending: string): string {
  const plain = trim(name.normalize('NFKD').replace(/[^\w.-]+/g, '-')).slice(0, MAX_NAME_CHARACTERS)
  return `${plain === '' ? 'scenario' : plain}.${ending}`
}

/** Without dashes and dots at either end. A regular expression for the end would try every run of them in between as well. */
function trim(text: string): string {
  const isMark = (index: number) => text[index] === '-' || text[index] === '.'
  let start = 0
  let end = text.length
  while (start < end && isMark(start)) start++
  while (end > start && isMark(end - 1)) end--
  return text.slice(start, end)
}
