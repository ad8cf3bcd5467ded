import { expect, it } from 'vitest'
import { addNote } from './notes.ts'

it('keeps twenty notes of a request, each of a line', () => {
  const context: Parameters<typeof addNote>[0] = { notes: [] }
  for (const length of [300, 301, ...Array(20).fill(1)]) addNote(context, 'n'.repeat(length))
  expect(context.notes).toEqual([
    'n'.repeat(300),
    `${'n'.repeat(300)}…`,
    ...Array(18).fill('n'),
    'and more',
  ])
})
