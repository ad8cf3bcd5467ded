// What the journal keeps of texts that can be long. Copied where something is cut off, since a slice would keep the whole text alive.
import { MAX_JOURNAL_BODY_CHARACTERS, MAX_JOURNAL_HEADER_CHARACTERS, MAX_NOTE_CHARACTERS, MAX_NOTES } from '../limits.ts'

/** The beginning of a long body. */
export function cutBody(body: string): string {
  return cutAt(body, MAX_JOURNAL_BODY_CHARACTERS)
}

/** The first notes, each cut to the length of a line: a single request can cause thousands. */
export function cutNotes(notes: string[]): string[] {
  if (notes.length === 0) return notes
  const kept = notes.slice(0, MAX_NOTES).map(cutLine)
  return notes.length <= MAX_NOTES ? kept : [...kept, `and ${notes.length - MAX_NOTES} more`]
}

export function cutLine(text: string): string {
  return cutAt(text, MAX_NOTE_CHARACTERS)
}

/** The first header fields, names and values in turn, as far as they fit; a server has its own limit, which is no higher. */
export function cutFields(fields: readonly string[]): readonly string[] {
  let characters = 0
  for (let index = 0; index < fields.length; index++) {
    characters += (fields[index] as string).length
    if (characters > MAX_JOURNAL_HEADER_CHARACTERS) return fields.slice(0, index - (index % 2))
  }
  return fields
}

function cutAt(text: string, length: number): string {
  return text.length <= length ? text : `${copy(text.slice(0, length))}…`
}

function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
