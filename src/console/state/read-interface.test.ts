import { expect, it } from 'vitest'
import type { Json } from '../../contract/int64-json.ts'
import { openapi } from '../../generated/openapi.ts'
import { readInterface } from './read-interface.ts'
import { toRequest } from './send-request.ts'

const operations = readInterface({ ...(openapi as unknown as { [name: string]: Json }), servers: [{ url: 'http://127.0.0.1:7387/v1' }] })
const [list, create, get] = operations

it('reads the operations, their fields and their answers from the contract', () => {
  expect(operations.map(({ id, method, path, sunset }) => [id, method, path, sunset])).toEqual([
    ['listPets', 'GET', '/v1/pets', undefined],
    ['createPet', 'POST', '/v1/pets', undefined],
    ['getPet', 'GET', '/v1/pets/{petId}', '2030-12-05'],
  ])
  expect(list?.fields).toMatchObject([
    { name: 'limit', place: 'query', type: 'integer, 1–100', fallback: '20', isRequired: false },
    { name: 'status', place: 'query', choices: ['available', 'pending', 'sold'] },
  ])
  expect(create?.fields).toMatchObject([{ name: 'name', place: 'body', isRequired: true }, { type: 'int64' }, { isRequired: false }])
  expect(create?.answers.map(({ status }) => status)).toEqual(['201', '400', '401'])
  expect(JSON.parse(create?.body ?? '')).toEqual({ name: 'Rex the Beagle', categoryId: 1, status: 'available' })
  expect(JSON.parse(list?.answers[1]?.example ?? '')).toMatchObject({ code: 'Unauthorized' })
  expect(get?.isDeprecated).toBe(true)
})

it('makes nothing of what is no contract', () => {
  expect(readInterface(null)).toEqual([])
  expect(readInterface({ paths: { '/x': { get: { parameters: [{}] } } } })).toMatchObject([{ id: '', fields: [{ name: '' }] }])
})

it('turns what was filled in into a request', () => {
  const draft = { values: { limit: '1 &', status: '', petId: '../1' }, body: '{}', prefer: '' }
  expect(list && toRequest(list, draft, 'k')).toEqual({
    method: 'GET',
    target: '/v1/pets?limit=1%20%26',
    headers: { Authorization: 'Bearer k' },
    body: undefined,
  })
  expect(get && toRequest(get, draft, '').target).toBe('/v1/pets/..%2F1')
  expect(create && toRequest(create, { ...draft, prefer: 'drop' }, '')).toEqual({
    method: 'POST',
    target: '/v1/pets',
    headers: { 'Content-Type': 'application/json', Prefer: 'drop' },
    body: '{}',
  })
})
