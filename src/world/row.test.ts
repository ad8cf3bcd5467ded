import { expect, it } from 'vitest'
import { MAX_LOGGED_BODY_CHARACTERS } from '../contract/limits.ts'
import { createMock } from '../mock/mock.ts'
import { addValues, isCut, type RequestRow } from './row.ts'

const id = 9223372036854775807n

it.each<[method: string, target: string, body: string, parts: unknown[]]>([
  ['GET', '/v1/pets', '', [{}, null, undefined]],
  [
    'GET',
    '/v1/pets?status=sold&limit=1&limit=%32?',
    '',
    [{ status: 'sold', limit: ['1', '2?'] }, null, undefined],
  ],
  ['GET', '/v1/pets??a=+%2B', '', [{ '?a': ' +' }, null, undefined]],
  ['GET', `/v1/pets/${id}?a`, '', [{ a: '' }, id, undefined]],
  ['GET', '/v1/pets/%31', '', [{}, 1, undefined]],
  ['GET', '/v1/pets/x', '', [{}, null, undefined]],
  ['GET', '/v1/5', '', [{}, null, undefined]],
  ['POST', '/v1/pets', `{"categoryId":${id}}`, [{}, null, { categoryId: id }]],
  ['POST', '/v1/pets', '{', [{}, null, undefined]],
])('a logged %s %s %s has its query, id and body as values', (method, target, text, parts) => {
  const { answer, control } = createMock()
  answer({ method, target, headers: {}, body: new TextEncoder().encode(text) })
  const [row] = control.requests()
  expect([row?.query, row?.petId, row?.json]).toEqual(parts)
})

it('a row of a recording that someone has written by hand has no id if its path cannot be decoded', () => {
  const row = { operation: 'getPet', target: '/v1/pets/%' } as RequestRow
  expect(addValues(row).petId).toBeNull()
})

it.each([
  ['x'.repeat(MAX_LOGGED_BODY_CHARACTERS), false],
  [`${'x'.repeat(MAX_LOGGED_BODY_CHARACTERS)}…`, true],
  [`${'x'.repeat(MAX_LOGGED_BODY_CHARACTERS)}y`, false],
  ['x…', false],
])('isCut tells whether the log has cut off the end of a body', (body, cut) =>
  expect(isCut(body)).toBe(cut),
)
