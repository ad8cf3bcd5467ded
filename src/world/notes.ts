// What is noted about a call while it is answered, cut to what the log keeps.
import type { AssumptionId } from '../generated/contract.ts'
import { MAX_LOGGED_BODY_CHARACTERS, MAX_NOTE_CHARACTERS, MAX_NOTES } from '../limits.ts'

export function cutBody(body: string): string {
  return body.length <= MAX_LOGGED_BODY_CHARACTERS ? body : cutAt(body, MAX_LOGGED_BODY_CHARACTERS)
}

export function cutLine(text: string): string {
  return text.length <= MAX_NOTE_CHARACTERS ? text : cutAt(text, MAX_NOTE_CHARACTERS)
}

/** Adds a note, cut to the length of a line. A single request can cause thousands, so later ones are left out. */
export function addNote(recorder: { notes: readonly string[] }, note: string): void {
  const { notes } = recorder
  if (notes.length <= MAX_NOTES) recorder.notes = [...notes, notes.length < MAX_NOTES ? cutLine(note) : 'and more']
}

/** Notes that another choice would have given another response. */
export function dependOn(recorder: { assumptions: readonly AssumptionId[] }, assumption: AssumptionId): void {
  const { assumptions } = recorder
  if (!assumptions.includes(assumption)) recorder.assumptions = assumptions.concat(assumption)
}

/** A slice would keep the whole text in memory, so a cut text is copied. */
function cutAt(text: string, length: number): string {
  return `${new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)))}…`
}
