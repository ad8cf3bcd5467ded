// What a key goes to in the texts of a detail: the hits of a search, and the changes between two
// messages.

/** The attributes of such a place. */
export const HIT = { 'data-hit': '', tabIndex: -1 } as const

/** Goes to the next one, or the one before; after the last comes the first. */
export function goToHit(step: 1 | -1): boolean {
  const hits = [...document.querySelectorAll<HTMLElement>('.pane [data-hit]')]
  const end = step === 1 ? hits[0] : hits.at(-1)
  const current = hits.indexOf(document.activeElement as HTMLElement)
  const next = current < 0 ? end : (hits[current + step] ?? end)
  if (!next) return false
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'center' })
  return true
}
