import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createReport } from './report.ts'

it('has a row for each parameter and field, with the cells that are missing', () => {
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
  const report = createReport(control.coverage())
  const [list, create, get] = report.operations
  expect(list?.rows).toEqual([
    { name: 'called', tried: 1, total: 1, missing: [] },
    { name: 'responses', tried: 1, total: 2, missing: ['401'] },
    { name: 'limit', tried: 1, total: 4, missing: ['absent', 'highest', 'inside'] },
    { name: 'status', tried: 1, total: 4, missing: ['available', 'pending', 'sold'] },
  ])
  expect([create?.tried, create?.total, create?.isDeprecated, get?.isDeprecated]).toEqual([5, 15, false, true])
  expect([report.requests, report.tried, report.total, report.percent]).toEqual([7, 9, 26, 34])
  expect(report.seen).toEqual({
    'Invalid values': { 'listPets.limit=outside': 1 },
    Faults: { 'getPet 503': 1 },
    'Undocumented responses': { 'listPets.400': 1 },
    'Near misses': { 'Unknown path': 1, 'Method not allowed': 1 },
  })
  expect(report.questions.map(({ id, count, operations }) => [id, count, operations])).toEqual([
    ['error-codes', 4, ['getPet', 'unknown path', 'listPets']],
    ['invalid-query', 1, ['listPets']],
    ['default-status', 1, ['createPet']],
    ['unknown-category', 1, ['createPet']],
    ['sunset-header', 1, ['getPet']],
  ])
})
