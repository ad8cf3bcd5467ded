// The rows that you have chosen, to compare or to export them.
import { signal } from './signal.ts'

type Line = { readonly parts: readonly string[] }

/** The names of the rows, the last one last. */
export const chosen = signal<readonly string[]>([])

export function isChosen({ parts }: Line): boolean {
  return parts.some((part) => chosen.value.includes(part))
}

/** All rows of a line. */
export function toggleChosen(line: Line): void {
  const others = chosen.value.filter((name) => !line.parts.includes(name))
  chosen.value = isChosen(line) ? others : [...others, ...line.parts]
}
