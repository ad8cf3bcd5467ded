import { expect, it } from 'vitest'
import { change } from '../../test/support/log-rows.ts'
import { judgeChanges } from './judge-changes.ts'
import type { KeptChange } from './kept-row.ts'

/** An undo of the whole state that counts how often its id is read. */
function countReads(id: number, undoes: number, onRead: () => void): KeptChange {
  const row: KeptChange = { ...change(), isWhole: true, isUndo: true, undoes }
  const get = () => {
    onRead()
    return id
  }
  return Object.defineProperty(row, 'id', { get })
}

it.each<[back: string, undoes: (id: number) => number]>([
  ['the row before', (id) => id - 1],
  ['one of the seven rows before', (id) => id - 1 - (id % 7)],
  ['the first row', () => 1],
])('judging undos of the whole state takes the same time for each row: of %s', (_, undoes) => {
  let reads = 0
  const onRead = () => {
    reads++
  }
  const count = 2_000
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  judgeChanges(ids.map((id) => countReads(id, Math.max(1, undoes(id)), onRead)))
  expect(reads / count).toBeLessThan(20)
})

it('undos of themselves or of later rows, as in a forged recording, are judged too', () => {
  const undoes = [1, 1, 4, 3]
  const rows = undoes.map((id, index) => ({ ...change(), id: index + 1, undoes: id, isUndo: true }))
  judgeChanges(rows)
  expect(rows.map(({ obstacle }) => obstacle)).toEqual(Array(4).fill('forgotten'))
})
