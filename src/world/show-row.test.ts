import { expect, it } from 'vitest'
import { exchange } from '../../test/support/log-rows.ts'
import { showRow } from './show-row.ts'

it('a shown request is frozen, and makes its messages when they are read', () => {
  const row = showRow(
    { ...exchange('{"password":"a"}'), fields: ['accept', '*/*'], notes: ['a note'] },
    null,
  )
  expect(row.response.body).toBe('{"password":"…"}')
  expect(Object.getOwnPropertyDescriptor(row, 'response')?.get).toBeTypeOf('function')
  for (const part of [row, row.notes, row.request, row.request.headers, row.response.headers])
    expect(Object.isFrozen(part)).toBe(true)
})
