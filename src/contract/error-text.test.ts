import { STATUS_CODES } from 'node:http'
import { expect, it } from 'vitest'
import { toErrorText, toReason } from './error-text.ts'

/** Node keeps the names of older RFCs, and names that are not registered. */
const OTHERWISE_IN_NODE: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  418: 'Client Error',
  422: 'Unprocessable Content',
  509: 'Server Error',
}

it('knows the name of every error status', () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index)
  const nameless = (status: number) => (status < 500 ? 'Client Error' : 'Server Error')
  expect(statuses.map(toReason)).toEqual(
    statuses.map((status) => OTHERWISE_IN_NODE[status] ?? STATUS_CODES[status] ?? nameless(status)),
  )
})

it.each([
  ['names', 'ContentTooLarge'],
  ['snake', 'content_too_large'],
  ['upper', 'CONTENT_TOO_LARGE'],
] as const)('spells codes as %s', (spelling, code) => {
  expect(toErrorText(413, 'too "large"', spelling)).toBe(
    `{"code":"${code}","message":"too \\"large\\"","status":413}`,
  )
})
