import { expect, it } from 'vitest'
import type { TimelineRow } from '../../world/row.ts'
import { createOwners } from './row-owners.ts'

function name(...rows: readonly (readonly [sandbox: string | null, key?: string | null])[]) {
  const findOwner = createOwners()
  return rows.map(([sandbox, key]) => {
    const type = key === undefined ? 'change' : 'request'
    return findOwner({ type, sandbox, key } as TimelineRow)
  })
}

it('a row is of the shared state, or of the key or the name of its sandbox', () => {
  expect(
    name([null, '…-key'], ['my-long-key', '…-key'], ['worker-1', '…-key'], ['worker-1', null]),
  ).toEqual([null, '…-key', 'worker-1', 'worker-1'])
})

it('short keys are told apart by numbers', () => {
  expect(name(['a', '…'], ['b', '…'], ['a', '…'], ['a'])).toEqual([
    'key 1',
    'key 2',
    'key 1',
    'key 1',
  ])
})

it('a change may be the first that is known of a sandbox, whose name could be a key', () => {
  expect(name(['w1'], ['w1', '…-key'], ['w1'])).toEqual(['key 1', 'w1', 'w1'])
})

it('a log that runs for long remembers no more sandboxes than there can be', () => {
  const keys = Array.from({ length: 257 }, (_, index) => [`k${index}`, '…'] as const)
  expect(name(...keys, ['k0', '…'], ['k256', '…']).slice(-2)).toEqual(['key 258', 'key 257'])
})
