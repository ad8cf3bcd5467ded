// What the journal keeps of texts that can be long. A cut text is copied, since a slice would keep the whole of it in memory.
import { MAX_JOURNAL_BODY_CHARACTERS, MAX_JOURNAL_HEADER_CHARACTERS, MAX_NOTE_CHARACTERS, MAX_NOTES } from '../limits.ts'
import { toStorable } from '../redact.ts'

/** What notes are added to. */
export interface Noted {
  notes: readonly string[]
  /** How many notes are only counted. */
  moreNotes: number
}

/** The beginning of a long body. */
export function cutBody(body: string): string {
  return cutAt(body, MAX_JOURNAL_BODY_CHARACTERS)
}

export function cutLine(text: string): string {
  return cutAt(text, MAX_NOTE_CHARACTERS)
}

/** Adds a note, cut to the length of a line. A single request can cause thousands, so later ones are only counted. */
export function addNote(to: Noted, note: string): void {
  if (to.notes.length < MAX_NOTES) to.notes = [...to.notes, cutLine(note)]
  else to.notes = [...to.notes.slice(0, MAX_NOTES), `and ${++to.moreNotes} more`]
}

/** The header fields, names and values in turn, without credentials and as far as they fit; a server's own limit is no higher. */
export function storeFields(fields: readonly string[], key: string | undefined): readonly string[] {
  const stored = fields.slice()
  let characters = 0
  for (let index = 0; index + 1 < stored.length; index += 2) {
    const name = stored[index] as string
    const value = stored[index + 1] as string
    if (mayBeCredential(name)) {
      const storable = toStorable(name, value, key)
      stored[index + 1] = storable ?? ''
      // A field without a name is not shown.
      if (storable === undefined) stored[index] = ''
    }
    characters += name.length + value.length
    if (characters > MAX_JOURNAL_HEADER_CHARACTERS) stored.length = index
  }
  return stored
}

/** By the first letter and the length, which costs little: every request has many fields. */
function mayBeCredential(name: string): boolean {
  const { length } = name
  switch (name[0]) {
    case 'a':
    case 'A':
      return length === 'authorization'.length
    case 'c':
    case 'C':
      return length === 'cookie'.length || length === 'cookie2'.length
    case 'p':
    case 'P':
      return length === 'proxy-authorization'.length
    default:
      return length === 'set-cookie'.length
  }
}

function cutAt(text: string, length: number): string {
  return text.length <= length ? text : `${copy(text.slice(0, length))}…`
}

function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
