// What a request row says besides its response: notes, and the assumptions that it depends on. Both
// lists are copied to add to them, since most requests share the empty one.
import type { AssumptionId } from '../contract/generated/contract.ts'
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

export function dependOn(
  context: { assumptions: readonly AssumptionId[] },
  assumption: AssumptionId,
): void {
  const { assumptions } = context
  if (!assumptions.includes(assumption)) context.assumptions = [...assumptions, assumption]
}
