// What a request row says besides its response: notes, and the assumptions that it depends on.
import type { AssumptionId } from '../contract/generated/contract.ts'
import { MAX_NOTE_CHARACTERS, MAX_NOTES } from '../contract/limits.ts'
import { cutText } from '../contract/values.ts'

export const NONE: readonly never[] = []

/**
 * Adds a note, cut to the length of a line. A single request can cause thousands, so later ones are
 * left out.
 */
export function addNote(context: { notes: readonly string[] }, note: string): void {
  const { notes } = context
  const kept = notes.length < MAX_NOTES ? cutText(note, MAX_NOTE_CHARACTERS) : 'and more'
  if (notes.length <= MAX_NOTES) context.notes = [...notes, kept]
}

export function dependOn(
  context: { assumptions: readonly AssumptionId[] },
  assumption: AssumptionId,
): void {
  const { assumptions } = context
  if (!assumptions.includes(assumption)) context.assumptions = assumptions.concat(assumption)
}
