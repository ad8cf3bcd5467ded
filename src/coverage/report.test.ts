import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { toReport } from './to-report.ts'

it('has a row for each parameter and field, with the cells by the part that the row does not say', () => {
  const { answer, control } = createMock({ pets: [], faults: [{ operation: 'getPet', status: 503, times: 1 }] })
  const ask = (method: string, target: string, body?: string) =>
    answer({
      method,
      target,
      header: (name) => ({ authorization: 'Bearer k', 'content-type': 'application/json' })[name],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    })
  ask('GET', '/v1/pets?limit=1')
  ask('GET', '/v1/pets/1')
  ask('GET', '/v1/pets/1')
  ask('GET', '/v1/nothing')
  ask('PUT', '/v1/pets')
  ask('POST', '/v1/pets', '{"name":"Rex","categoryId":1}')
  ask('GET', '/v1/pets?limit=0')
  const report = toReport(control.coverage())
  const [list, create, get] = report.operations
  expect(list?.rows.map(({ name, cells }) => `${name}: ${cells.map((cell) => `${cell.name} ${cell.count}`).join(', ')}`)).toEqual([
    'called: called 2',
    'responses: 200 1, 401 0',
    'limit: absent 0, lowest 1, highest 0, inside 0, outside 1, malformed 0',
    'status: absent 2, outside 0, malformed 0, available 0, pending 0, sold 0',
  ])
  expect(list?.rows[2]?.cells[1]).toEqual({ id: 'listPets.limit=lowest', name: 'lowest', count: 1 })
  expect([create?.tried, create?.total, create?.calls, create?.isDeprecated]).toEqual([5, 20, 1, false])
  expect([get?.calls, get?.isDeprecated]).toEqual([1, true])
  expect([report.requests, report.tried, report.total, report.percent]).toEqual([7, 10, 35, 28])
  expect(report.faults).toEqual([{ name: 'getPet 503', count: 1, retried: 1 }])
  expect(report.deprecated).toEqual([{ name: 'getPet', count: 1 }])
  expect(report.undocumented).toEqual([{ name: 'listPets.400', count: 1 }])
  expect(report.nearMisses).toEqual([
    { name: 'Unknown path', count: 1 },
    { name: 'Method not allowed', count: 1 },
  ])
  expect(report.questions.map(({ id, count, operations }) => [id, count, operations])).toEqual([
    ['invalid-query', 1, [{ name: 'listPets', count: 1 }]],
    ['default-status', 1, [{ name: 'createPet', count: 1 }]],
    ['sunset-header', 1, [{ name: 'getPet', count: 1 }]],
  ])
})
