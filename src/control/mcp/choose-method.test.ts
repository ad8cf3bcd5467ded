import { expect, it } from 'vitest'
import type { ControlMethod } from '../control.ts'
import type { MethodRow, NamedRow } from '../method-row.ts'
import { methodRows } from '../methods.ts'
import { chooseMethod } from './choose-method.ts'

const animals = methodRows.filter(([, { tool }]) => tool === 'change_animals')
const settings = methodRows.filter(([, { tool }]) => tool === 'change_settings')
const scenarios = methodRows.filter(([, { tool }]) => tool === 'load_scenario')
const faults = methodRows.filter(([, { tool }]) => tool === 'break_operation')

/** A method that may come one day, and requires nothing. */
const removeAll = (more: Partial<MethodRow> = {}): NamedRow => [
  'pets.removeAll' as ControlMethod,
  { method: 'DELETE', path: '/pets', isWrite: true, tool: 'change_animals', ...more },
]

it.each<[string, readonly NamedRow[], object, string]>([
  ['a latency', settings, { latency: 1 }, 'latency.set'],
  ['an assumption', settings, { assume: { 'default-status': 'absent' } }, 'assume'],
  ['a fault', faults, { operation: '*', status: 503 }, 'faults.add'],
])('%s, which only one method takes, chooses that', (_, rows, input, name) => {
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
    'call: expected pets.add or pets.update; ' +
      'pets.add requires name and categoryId, pets.update requires id',
  ],
  [
    'enough for one, of two that take it',
    animals,
    { id: 1, status: 'sold' },
    'call: expected pets.update; pets.add requires name and categoryId',
  ],
  [
    'enough for two',
    animals,
    { id: 1 },
    'call: expected pets.update or pets.remove; pets.add requires name and categoryId',
  ],
  ['a name that none takes', animals, { id: 1, categorId: 2 }, 'did you mean categoryId?'],
  [
    'another name of an argument',
    scenarios,
    { name: 'single' },
    'name: unknown field; did you mean scenario?',
  ],
])('a write with %s is refused', (_, rows, input, message) => {
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

it('a tool that reads has a usual method, unless only another takes the arguments', () => {
  const lists = methodRows.filter(([, { tool }]) => tool === 'list_animals')
  const choose = (input: object) => chooseMethod(lists, 'pets.list', undefined, input as never)[0]
  expect([{}, { status: 'sold' }, { id: 1 }, { breed: 'x' }].map(choose)).toEqual([
    'pets.list',
    'pets.list',
    'pets.get',
    'pets.list',
  ])
})
