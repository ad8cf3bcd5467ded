import { expect, it } from 'vitest'
import type { ControlMethod } from '../control.ts'
import type { MethodRow, NamedRow } from '../method-row.ts'
import { methodRows } from '../methods.ts'
import { chooseMethod } from './choose-method.ts'

const animals = methodRows.filter(([, { tool }]) => tool === 'change_animals')
const settings = methodRows.filter(([, { tool }]) => tool === 'change_settings')
const faults = methodRows.filter(([, { tool }]) => tool === 'break_operation')

/** A method that may come one day, and requires nothing. */
const removeAll = (more: Partial<MethodRow> = {}): NamedRow => [
  'pets.removeAll' as ControlMethod,
  { method: 'DELETE', path: '/pets', isWrite: true, tool: 'change_animals', ...more },
]

it.each<[string, readonly NamedRow[], object, string]>([
  ['a change of the animal', animals, { id: 1, status: 'sold' }, 'pets.update'],
  ['a new animal', animals, { name: 'Rex', categoryId: 1 }, 'pets.add'],
  ['a setting that requires nothing', settings, { frozen: true }, 'clock.freeze'],
  ['an assumption', settings, { 'default-status': 'absent' }, 'assume'],
])('the arguments of %s choose its method', (_, rows, input, name) => {
  expect(chooseMethod(rows, undefined, undefined, input as never)[0]).toBe(name)
})

it.each<[string, readonly NamedRow[], object, string]>([
  [
    'nothing',
    animals,
    {},
    'call: expected pets.add, pets.update or pets.remove; ' +
      'pets.add requires name and categoryId, pets.update requires id, pets.remove requires id',
  ],
  [
    'too little for any',
    animals,
    { status: 'sold' },
    'call: expected pets.add, pets.update or pets.remove; ' +
      'pets.add requires name and categoryId, pets.update requires id',
  ],
  ['enough for two', animals, { id: 1 }, 'call: expected pets.update or pets.remove'],
  [
    'what none takes',
    animals,
    { id: 1, breed: 'x' },
    'call: expected pets.add, pets.update or pets.remove',
  ],
])('a call with %s is refused', (_, rows, input, message) => {
  expect(() => chooseMethod(rows, undefined, undefined, input as never)).toThrow(message)
})

it.each<[string, NamedRow]>([
  ['that takes nothing', removeAll()],
  ['with a filter', removeAll({ input: { status: { type: 'string' } }, args: ['*'] })],
])('a removal of everything %s has to be named', (_, row) => {
  const rows = [...animals, row]
  for (const input of [{}, { status: 'sold' }])
    expect(() => chooseMethod(rows, undefined, undefined, input)).toThrow('call: expected')
  expect(chooseMethod(rows, undefined, 'pets.removeAll', {})).toBe(row)
})

it('without call, the usual method comes first, unless only another takes the arguments', () => {
  const choose = (input: object) => chooseMethod(faults, 'faults.add', undefined, input as never)[0]
  expect([{}, { id: '1' }, { operation: '*' }, { breed: 'x' }].map(choose)).toEqual(
    Array.from({ length: 4 }, () => 'faults.add'),
  )
  const lists = methodRows.filter(([, { tool }]) => tool === 'list_animals')
  expect(chooseMethod(lists, 'pets.list', undefined, { id: 1 })[0]).toBe('pets.get')
})
