import { expect, it } from 'vitest'
import { createEngine } from './mock.ts'

it('reports every row to a host that stores its states, whose revision says what has changed', () => {
  const rows: number[] = []
  const { mock, worlds } = createEngine({ pets: [] }, { onRow: (id) => rows.push(id), countSandboxes: () => 0 })
  const headers: Record<string, string> = { authorization: 'Bearer some-key', 'content-type': 'application/json' }
  const body = new TextEncoder().encode('{"name":"Pip","categoryId":1}')
  const { items } = worlds.of()
  mock.answer({ method: 'GET', target: '/v1/pets', header: (name) => headers[name] })
  expect(items.revision).toBe(0)
  mock.answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body })
  expect([rows, [...items.between(0)]]).toEqual([
    [1, 2],
    [
      ['pet 1', undefined],
      ['next-id', 1n],
    ],
  ])
})
