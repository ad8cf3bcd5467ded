import { expect, it } from 'vitest'
import { createEngine } from './mock.ts'

it('reports every change and every request to a host that stores its states', () => {
  const told: unknown[] = []
  const { mock } = createEngine(
    { pets: [] },
    {
      onPetChange: (change) => told.push(['pet', change]),
      onChange: ({ what, sandbox }) => told.push([what, sandbox]),
      onExchange: (id) => told.push(['exchange', id]),
      countSandboxes: () => 0,
    },
  )
  const headers: Record<string, string> = { authorization: 'Bearer some-key', 'content-type': 'application/json' }
  const body = new TextEncoder().encode('{"name":"Pip","categoryId":1}')
  mock.answer({ method: 'GET', target: '/v1/pets', header: () => undefined })
  mock.answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body })
  mock.control.faults.add({ operation: '*', status: 503 })
  mock.control.reset()
  expect(told).toEqual([
    ['exchange', 1],
    ['pet', { id: '1', text: '{"id":1,"name":"Pip","categoryId":1}' }],
    ['exchange', 2],
    ['faults', null],
    ['reset', null],
  ])
})
