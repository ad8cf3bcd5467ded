import { expect, it } from 'vitest'
import { createEngine } from './mock.ts'

it('tells a host that keeps the worlds elsewhere of every change and every exchange, and of nothing else', () => {
  const told: unknown[] = []
  const { mock } = createEngine(
    { pets: [] },
    {
      onPetChange: (change) => told.push(['pet', change]),
      onChange: ({ what, sandbox }) => told.push([what, sandbox]),
      onExchange: (id, key) => told.push(['exchange', id, key]),
      refusesKey: () => false,
    },
  )
  const headers: Record<string, string> = { authorization: 'Bearer some-key', 'content-type': 'application/json' }
  const body = new TextEncoder().encode('{"name":"Pip","categoryId":1}')
  mock.answer({ method: 'GET', target: '/v1/pets', header: () => undefined })
  mock.answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body })
  mock.control.faults.add({ operation: '*', status: 503 })
  mock.control.reset()
  expect(told).toEqual([
    ['exchange', 1, undefined],
    ['pet', { id: '1', text: '{"id":1,"name":"Pip","categoryId":1}' }],
    ['exchange', 2, 'some-key'],
    ['faults', null],
    ['reset', null],
  ])
})
