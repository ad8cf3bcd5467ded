import { expect, it } from 'vitest'
import { MAX_LOGGED_BODY_CHARACTERS } from '../contract/limits.ts'
import { createMock } from '../mock/mock.ts'
import type { KeptRequest } from './kept-row.ts'
import type { RequestRow } from './row.ts'
import { restoreRow } from './saved-row.ts'
import { showRow } from './show-row.ts'

it.each([
  ['/v1/pets?token=abc', 'text', 'values'],
  ['/v1/pets', '{"password":1}', 'values'],
  ['/v1/pets', `{"name":"${'x'.repeat(MAX_LOGGED_BODY_CHARACTERS)}"}`, 'body'],
  ['/v1/pets', new Uint8Array([0xff]), 'body'],
  ['/v1/pets?q=…', '{"name":"…"}', undefined],
])(
  'the row of POST %s %s says what it lacks, and does so when it is restored',
  (target, sent, lacks) => {
    const { answer, control } = createMock()
    const body = typeof sent === 'string' ? new TextEncoder().encode(sent) : sent
    answer({ method: 'POST', target, headers: {}, body })
    const [row] = control.requests()
    expect(row?.lacks).toBe(lacks)
    expect(showRow(restoreRow(row as RequestRow) as KeptRequest, null).lacks).toBe(lacks)
  },
)
