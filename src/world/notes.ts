// The notes of a request. The list is copied to add to it, since most requests share the empty one.
import { MAX_NOTE_CHARACTERS, MAX_NOTES } from '../contract/limits.ts'
import { cutText } from '../contract/values.ts'

export const NONE: readonly never[] = []

/** A single request can cause thousands of notes, so later ones are left out. */
export function addNote(context: { notes: readonly string[] }, note: string): void {
  const { notes } = context
  if (notes.length > MAX_NOTES) return
  const isFull = notes.length === MAX_NOTES
  context.notes = [...notes, isFull ? 'and more' : cutText(note, MAX_NOTE_CHARACTERS)]
}
