// Which changes of a timeline stand, which can be undone, and what is in the way.
import type { KeptChange, KeptRow } from './kept-row.ts'
import { firstOf, isChange, isLoad, leaves } from './row.ts'

/** A change can be undone if the state before it is kept, and it says what it touched. */
export function findOwnObstacle({ before, isWhole, changed }: KeptChange) {
  if (!before) return 'forgotten'
  return isWhole || changed.length > 0 ? undefined : 'nothing'
}

type Link = Readonly<{ row: KeptChange; earlier: Link | undefined }>

// The rows, each change with whether it stands. The state comes from a chain of changes: a load
// begins one, and a rewind, or the undo of a load, a reset or a rewind, goes on from the chain
// before what it left. In the present chain, the latest of a change, its undo and its redo decides
// whether the change stands.
export function judgeChanges(rows: readonly KeptRow[]): readonly KeptRow[] {
  const chains = new Map<number, Link | undefined>()
  const firsts = new Map<number, KeptChange>()
  const findFirst = (id: number) => firsts.get(id)
  let chain: Link | undefined
  for (const row of rows) {
    chains.set(row.id, chain)
    if (!isChange(row)) continue
    firsts.set(row.id, firstOf(row, findFirst))
    chain = { row, earlier: row.isWhole ? chains.get(row.undoes ?? row.backTo ?? 0) : chain }
  }
  const present = new Set<KeptChange>()
  const stands = new Map<KeptChange | undefined, boolean>()
  for (let link = chain; link; link = link.earlier) present.add(link.row)
  const known: KeptChange[] = []
  // What was undone before a load stays so.
  const beforeLoad = (row: KeptChange) => (isLoad(row) ? chains.get(row.id) : undefined)
  for (let link = chain; link; link = link.earlier ?? beforeLoad(link.row)) known.push(link.row)
  for (const { id, isUndo } of known.reverse()) stands.set(findFirst(id), !isUndo)
  const replacements = [...present].filter(({ isWhole }) => isWhole)
  for (const row of rows.filter(isChange)) {
    const isUndone = stands.get(findFirst(row.id)) === row.isUndo
    const replacement = present.has(row)
      ? undefined
      : replacements.find((later) => leaves(later, row))
    row.obstacle = (isUndone ? 'undone' : replacement) ?? findOwnObstacle(row)
  }
  return rows
}
