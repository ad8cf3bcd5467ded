import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'

const BIG = 9007199254740993n

function log(method: string, target: string, body?: string) {
  const { answer, control } = createMock({ pets: [] })
  const headers: Record<string, string> = { authorization: 'Bearer k', 'content-type': 'application/json' }
  answer({ method, target, header: (name) => headers[name], ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }) })
  const { query, petId, json } = control.requests()[0] ?? {}
  return { query, petId, json }
}

it.each<[line: string, body: string | undefined, parts: object]>([
  ['GET /v1/pets?limit=5&tag=a&tag=b%20c&api_key=x', undefined, { query: { limit: '5', tag: ['a', 'b c'], api_key: '…' }, petId: null }],
  [`GET /v1/pets/${BIG}?`, undefined, { query: {}, petId: BIG }],
  ['GET http://a.test/v1/pets/7?x', undefined, { query: { x: '' }, petId: 7 }],
  ['GET /v1/pets/x', undefined, { query: {}, petId: null }],
  ['GET /v1/nowhere/7', undefined, { query: {}, petId: null }],
  ['POST /v1/pets', `{"name":"Rex","categoryId":${BIG}}`, { query: {}, petId: null, json: { name: 'Rex', categoryId: BIG } }],
  ['POST /v1/pets', '{"name":', { query: {}, petId: null }],
])('%s %s', (line, body, parts) => {
  const [method = '', target = ''] = line.split(' ')
  expect(log(method, target, body)).toEqual({ json: undefined, ...parts })
})

it('prints as before', () => {
  const { answer, control } = createMock()
  answer({ method: 'GET', target: `/v1/pets/${BIG}`, header: () => undefined })
  expect(JSON.stringify(control.requests())).not.toMatch('petId')
})
