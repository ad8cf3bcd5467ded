import { expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../mock/mock.ts'
import { groupRepeats } from './repeats.ts'

const LIST = { method: 'GET', target: '/v1/pets?limit=5' }
const INVALID = { method: 'GET', target: '/v1/pets?limit=0' }
const OLD_KEY = 'first-token'
const NEW_KEY = 'other-value'

/** How many equal requests there are in each line. */
function count(options: MockOptions, sent: readonly (typeof LIST & { readonly key?: string })[]) {
  const { answer, control } = createMock(options)
  for (const { key = OLD_KEY, ...call } of sent) {
    answer({ ...call, headers: { authorization: `Bearer ${key}` } })
  }
  return groupRepeats(control.requests()).map(({ times }) => times)
}

it.each<[string, MockOptions, readonly number[], Parameters<typeof count>[1]]>([
  ['equal requests', {}, [3], [LIST, LIST, LIST]],
  ['requests with different keys', {}, [1, 2], [LIST, ...Array(2).fill({ ...LIST, key: NEW_KEY })]],
  ['requests with different targets', {}, [2, 1], [LIST, LIST, INVALID]],
  [
    'requests that different calls of a fault struck',
    { faults: [{ operation: 'listPets', status: 503, times: 2 }] },
    [1, 1, 2],
    [LIST, LIST, LIST, LIST],
  ],
])('a line stands for %s only if all that it shows is equal', (_what, options, times, sent) => {
  expect(count(options, sent)).toEqual(times)
})
