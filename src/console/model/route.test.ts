import { expect, it } from 'vitest'
import { formatPlace, parsePlace } from './route.ts'

it.each([
  ['', { view: 'timeline', part: '', query: {} }],
  ['#/animals/7', { view: 'animals', part: '7', query: {} }],
  [
    '#/timeline/12?show=errors&q=a+b',
    { view: 'timeline', part: '12', query: { show: 'errors', q: 'a b' } },
  ],
  ['#/faults?sandbox=ann%26key', { view: 'faults', part: '', query: { sandbox: 'ann&key' } }],
  ['#/scenarios/a%2Fb', { view: 'scenarios', part: 'a/b', query: {} }],
  ['#/unknown/%zz', { view: 'timeline', part: '%zz', query: {} }],
])('the console reads the address %j as %j, and writes it back', (hash, route) => {
  expect(parsePlace(hash)).toEqual(route)
  expect(parsePlace(formatPlace(parsePlace(hash)))).toEqual(route)
})

it('the console leaves empty parameters out of an address', () => {
  expect(formatPlace({ view: 'timeline', part: '', query: { q: '', show: 'errors' } })).toBe(
    '#/timeline?show=errors',
  )
})
