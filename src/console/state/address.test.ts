import { expect, it } from 'vitest'
import { type Address, parseAddress, toHash } from './address.ts'

it.each<[hash: string, address: Address]>([
  ['#/animals', { view: 'animals', part: '', query: {} }],
  ['#/interface/getPet', { view: 'interface', part: 'getPet', query: {} }],
  [
    '#/traffic/12?operation=createPet&sandbox=a%2Fb%3F',
    { view: 'traffic', part: '12', query: { operation: 'createPet', sandbox: 'a/b?' } },
  ],
  ['#/faults/a%2Fb%3F%23', { view: 'faults', part: 'a/b?#', query: {} }],
  ['#/animals/9223372036854775807?q=%E2%80%AE', { view: 'animals', part: '9223372036854775807', query: { q: '\u202e' } }],
])('%s is %j, and back', (hash, address) => {
  expect(parseAddress(hash)).toEqual(address)
  expect(toHash(address)).toBe(hash)
})

it.each(['', '#', '#/', '#main', '#/%', '#//', '#/?', '#/animals/%zz?%zz'])('%j is read without an error', (hash) => {
  expect(parseAddress(hash)).toMatchObject({ view: expect.any(String), part: expect.any(String) })
})

it('leaves out what is empty', () => {
  expect(toHash({ view: 'animals', part: '', query: { q: '', sandbox: 'k' } })).toBe('#/animals?sandbox=k')
})
