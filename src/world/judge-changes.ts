// Judges the changes of a timeline: which of them stand, which can be undone, and what is in the
// way of the others.
import type { KeptChange, KeptRow } from './kept-row.ts'
import { firstOf, isChange, isLoad, leaves } from './row.ts'

/**
 * The changes that led to a state, the latest first. One that replaces the whole state goes on from
 * an earlier chain: a rewind from the one before the row that it went back to, an undo from the one
 * before the change that it undid. A load begins a new chain.
 */
type Link = Readonly<{ row: KeptChange; earlier: Link | undefined }>

/** Sets the obstacle of each change. */
export function judgeChanges(rows: readonly KeptRow[]): void {
  const chainsBefore = new Map<number, Link | undefined>()
  /** The first of its chain of undo and redo, for each change. */
  const firsts = new Map<number, KeptChange>()
  const findFirst = (id: number) => firsts.get(id)
  let present: Link | undefined
  for (const row of rows) {
    chainsBefore.set(row.id, present)
    if (!isChange(row)) continue
    firsts.set(row.id, firstOf(row, findFirst))
    const returnsTo = row.undoes ?? row.backTo ?? 0
    present = { row, earlier: row.isWhole ? chainsBefore.get(returnsTo) : present }
  }

  const chain = listChain(present, () => undefined)
  // What was undone before a load stays so.
  const known = listChain(present, (row) => (isLoad(row) ? chainsBefore.get(row.id) : undefined))
  /** The latest of a change, its undo and its redo decides whether the change stands. */
  const standing = new Map<KeptChange | undefined, boolean>()
  for (const row of known.toReversed()) standing.set(firsts.get(row.id), !row.isUndo)

  const inChain = new Set(chain)
  const replacements = chain.filter((row) => row.isWhole)
  for (const row of rows) {
    if (!isChange(row)) continue
    const isUndone = standing.get(firsts.get(row.id)) === row.isUndo
    const replacement = inChain.has(row) ? undefined : replacements.find((one) => leaves(one, row))
    if (isUndone) row.obstacle = 'undone'
    else row.obstacle = replacement ?? findOwnObstacle(row)
  }
}

/** The changes of a chain, the latest first. Where it begins, `goOn` may name another one. */
function listChain(
  last: Link | undefined,
  goOn: (first: KeptChange) => Link | undefined,
): KeptChange[] {
  const changes: KeptChange[] = []
  for (let link = last; link; link = link.earlier ?? goOn(link.row)) changes.push(link.row)
  return changes
}

/** A change can be undone if the state before it is kept, and it says what it touched. */
export function findOwnObstacle(row: KeptChange): 'forgotten' | 'nothing' | undefined {
  if (!row.before) return 'forgotten'
  return row.isWhole || row.changed.length > 0 ? undefined : 'nothing'
}
