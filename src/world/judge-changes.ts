// Judges the changes of a timeline: which of them stand, which can be undone, and what is in the
// way of the others.
import type { KeptChange, KeptRow } from './kept-row.ts'
import { isChange, isLoad, leaves } from './row.ts'

/**
 * The chain of changes that led to a state. One that replaces the whole state goes on from an
 * earlier chain: a rewind from the one before the row that it went back to, an undo from the one
 * before the change that it undid. A load begins a new chain.
 */
interface Link {
  readonly row: KeptChange
  readonly earlier: Link | undefined
  /** The chain until this change. */
  readonly before: Link | undefined
}

/** Sets the obstacle of each change. */
export function judgeChanges(rows: readonly KeptRow[]): void {
  const chainsBefore = new Map<number, Link | undefined>()
  /** For each change by its id, the first of its chain of undo and redo. */
  const firsts = new Map<number, KeptChange>()
  let last: Link | undefined
  for (const row of rows) {
    chainsBefore.set(row.id, last)
    if (!isChange(row)) continue
    const undone = row.undoes === null ? undefined : firsts.get(row.undoes)
    firsts.set(row.id, undone ?? row)
    const returnsTo = row.undoes ?? row.backTo ?? 0
    const earlier = row.isWhole ? chainsBefore.get(returnsTo) : last
    last = { row, earlier, before: last }
  }

  const present = new Set<KeptChange>()
  const replacements: KeptChange[] = []
  for (let link = last; link; link = link.earlier) {
    present.add(link.row)
    if (link.row.isWhole) replacements.push(link.row)
  }

  const known: KeptChange[] = []
  for (let link = last; link; link = findEarlier(link)) known.push(link.row)
  // The latest of a change, its undo and its redo decides whether the change stands.
  const standing = new Map<KeptChange | undefined, boolean>()
  for (const row of known.reverse()) standing.set(firsts.get(row.id), !row.isUndo)

  // A replacement goes on from before the row that it returns to, so none of the later ones leaves
  // what is before it: only the next one after a row can have left the row behind.
  let next = replacements.pop()
  for (const row of rows) {
    if (!isChange(row)) continue
    while (next && next.id <= row.id) next = replacements.pop()
    const stands = standing.get(firsts.get(row.id))
    // An undo is undone where the change that it took back stands again.
    const isUndone = stands === row.isUndo
    const isLeft = next && !present.has(row) && leaves(next, row)
    if (isUndone) row.obstacle = 'undone'
    else if (isLeft) row.obstacle = next
    else row.obstacle = findOwnObstacle(row)
  }
}

/** The link before this one, across a load: what was undone before it stays so. */
function findEarlier(link: Link): Link | undefined {
  if (link.earlier) return link.earlier
  return isLoad(link.row) ? link.before : undefined
}

/** A change can be undone if the state before it is kept, and it says what it touched. */
export function findOwnObstacle(row: KeptChange): 'forgotten' | 'nothing' | undefined {
  if (!row.before) return 'forgotten'
  return row.isWhole || row.changed.length > 0 ? undefined : 'nothing'
}
