import { expect, it } from 'vitest'
import type { ControlMethod } from '../control.ts'
import type { NamedRow } from '../method-row.ts'
import { methodRows } from '../methods.ts'
import { createTools } from './tools.ts'

it('two methods of one tool cannot describe an argument differently', () => {
  const name = 'pets.rename' as ControlMethod
  const input = { name: { type: 'integer', description: 'Another name.' } }
  const row: NamedRow = [name, { method: 'PUT', path: '/names', tool: 'change_animals', input }]
  expect(() => createTools([...methodRows, row])).toThrow(
    /^pets\.add and pets\.rename describe name differently/,
  )
})
