import { describe, expect, it } from 'vitest'
import { toCall } from '../../../test/support/call.ts'
import { createMock, type Mock } from '../../mock/mock.ts'
import { type ChangeRow, isChange } from '../../world/row.ts'
import { arrange, type Item, mergeRows, verbOf } from './arrange.ts'

/**
 * The lines of a mock: what each is, the ids of its rows, whether it is undone, and the rows to
 * undo.
 */
function linesOf(
  run: (mock: Mock, ask: (target?: string) => void) => void,
  keep?: Parameters<typeof arrange>[1],
) {
  const mock = createMock()
  run(mock, (target = '/v1/pets') => mock.answer(toCall('GET', target)))
  const items = arrange(mergeRows(mock.control.timeline()), keep)
  const numbers = items.map((item) => item.row.id)
  expect(numbers).toEqual([...numbers].sort((one, other) => other - one))
  return items.map(showLine)
}

function showLine(item: Item): unknown {
  const ids = item.rows.map(({ id }) => id)
  if (item.kind === 'request') return [item.kind, ids]
  return [item.kind, ids, verbOf(item.row), item.steps]
}

const fail = (mock: Mock, times: number) =>
  mock.control.faults.add({ id: 'x', operation: '*', status: 503, times })

describe('requests', () => {
  it('that are equal are one line, unless something is between them', () => {
    const lines = linesOf((mock, ask) => [
      ask(),
      ask(),
      mock.control.latency.set(1),
      ask(),
      ask('/v1/pets/1'),
    ])
    expect(lines).toEqual([
      ['request', [5]],
      ['request', [4]],
      ['change', [3], 'Undo', [3]],
      ['request', [2, 1]],
    ])
  })
})

describe('changes', () => {
  it('by clicks on the same fault are one line, which is undone as a whole', () => {
    expect(linesOf((mock) => [fail(mock, 1), fail(mock, 2), fail(mock, 3)])).toEqual([
      ['change', [3, 2, 1], 'Undo', [3, 2, 1]],
    ])
    const undo = (mock: Mock) => [3, 2, 1].map((id) => mock.control.undo(id))
    const lines = linesOf((mock) => [fail(mock, 1), fail(mock, 2), fail(mock, 3), undo(mock)])
    expect(lines).toEqual([['change', [3, 2, 1], 'Redo', [6, 5, 4]]])
  })

  it('have their undo and redo in them', () => {
    expect(linesOf(({ control }) => [control.latency.set(1), control.undo(1)])).toEqual([
      ['change', [1], 'Redo', [2]],
    ])
    expect(
      linesOf(({ control }) => [control.latency.set(1), control.undo(1), control.undo(2)]),
    ).toEqual([['change', [1], 'Undo', [1]]])
  })

  it('that nothing takes back have no Undo', () => {
    expect(linesOf(({ control }) => control.clearRequests())).toEqual([['change', [1], 'Undo', []]])
  })
})

describe('a rewind', () => {
  it('folds what it left behind, until you return', () => {
    const back = (mock: Mock, ask: () => void) => [
      ask(),
      ask(),
      fail(mock, 1),
      mock.control.rewind(2),
      ask(),
    ]
    expect(linesOf(back)).toEqual([
      ['request', [5]],
      ['fold', [3, 2], 'Return', [4]],
      ['request', [1]],
    ])
    const lines = linesOf((mock, ask) => [
      ask(),
      ask(),
      fail(mock, 1),
      mock.control.rewind(2),
      mock.control.undo(4),
    ])
    expect(lines).toEqual([
      ['change', [5], 'Redo', [5]],
      ['change', [3], 'Undo', [3]],
      ['request', [2, 1]],
    ])
  })

  it.each([
    ['is undone folds what came after it', [3], ['fold', [4], 'Redo', [5]], ['request', [2]]],
    [
      'is redone folds what it left behind and what came before the redo',
      [3, 5],
      ['fold', [6, 2], 'Return', [7]],
      ['request', [4]],
    ],
  ])('that %s', (_, undone, ...middle) => {
    const run = ({ control }: Mock, ask: (target: string) => void) => {
      ask('/v1/pets/1')
      ask('/v1/pets/2')
      control.rewind(2)
      for (const id of undone) [ask('/v1/pets/3'), control.undo(id)]
      ask('/v1/pets/4')
    }
    expect(linesOf(run).slice(1)).toEqual([...middle, ['request', [1]]])
  })

  it('or the undo of a reset folds what came after it', () => {
    const run = ({ control }: Mock, ask: () => void) => [
      control.reset(),
      ask(),
      control.undo(1),
      ask(),
    ]
    expect(linesOf(run).slice(1)).toEqual([['fold', [2], 'Redo', [3]]])
    expect(linesOf((mock, ask) => [run(mock, ask), mock.control.undo(3)])[0]).toEqual([
      'fold',
      [4],
      'Undo',
      [5],
    ])
    expect(linesOf(({ control }) => [control.reset(), control.undo(1)])).toEqual([
      ['change', [2], 'Redo', [2]],
    ])
  })

  it('has the same verb in its message as in its fold', () => {
    const { control } = createMock()
    control.latency.set(1)
    const verbs = [() => control.rewind(1), () => control.undo(2), () => control.undo(3)].map(
      (run) => {
        run()
        return verbOf(control.timeline().at(-1) as ChangeRow)
      },
    )
    expect(verbs).toEqual(['Return', 'Redo', 'Return'])
  })

  it('into what another left behind brings the rows before it back', () => {
    const lines = linesOf((mock, ask) => [
      ask(),
      ask('/v1/pets/1'),
      ask(),
      mock.control.rewind(1),
      mock.control.rewind(3),
    ])
    expect(lines).toEqual([
      ['fold', [4, 3], 'Return', [5]],
      ['request', [2]],
      ['request', [1]],
    ])
  })

  it('folds also with a filter, and is gone if it has nothing that matches', () => {
    const run = (mock: Mock, ask: (target?: string) => void) => [
      ask(),
      ask('/v1/pets/1'),
      mock.control.rewind(1),
    ]
    const only = (part: string) =>
      linesOf(run, (row) => !isChange(row) && row.target.includes(part))
    expect(only('/1')).toEqual([['fold', [2, 1], 'Return', [3]]])
    expect(only('/2')).toEqual([])
  })
})

it('mergeRows keeps the newest rows, each once, newest first', () => {
  const mock = createMock()
  for (let index = 0; index < 3; index++) mock.answer(toCall('GET', '/v1/pets'))
  const [one, two, three] = mock.control.requests()
  if (!one || !two || !three) throw new Error('Three rows expected')
  expect(mergeRows([two, one], [three, two])).toEqual([three, two, one])
  const more = Array.from({ length: 1_000 }, (_, index) => ({ ...one, id: three.id + index }))
  expect(mergeRows([two, one], more)).toEqual(more.toReversed())
  const other = { ...one, sandbox: 'ann', realAt: '2100-01-01T00:00:00Z' }
  expect(mergeRows([three, two], [other])).toEqual([other, three, two])
})
