import { expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { createMock } from '../../mock/mock.ts'
import type { Fault } from '../../world/faults.ts'

const withCondition = (when: unknown) => ({ operation: '*', status: 503, when }) as Fault

it('a state keeps the end and a digest of the key of a condition, and takes them back', () => {
  const { control } = createMock({ faults: [withCondition({ apiKey: 'key-of-anna' })] })
  const [fault] = control.faults.list()
  expect(fault?.when).toEqual({ apiKey: expect.stringMatching(/^…anna#[0-9a-f]{8}$/) })
  const all = JSON.stringify([control.state(), control.recording(), control.diff()])
  expect(all).not.toContain('key-of-anna')
  const again = createMock({ scenario: control.state() }).control.faults.list()
  expect(again).toEqual([fault])
})

it.each([
  [{}, 'faults[0].when: expected a query, a body, headers or an apiKey, got an empty object'],
  [{ query: { status: {} } }, 'faults[0].when.query.status: expected a text, a number, true, f'],
  [{ headers: { 'a b': 'c' } }, 'faults[0].when.headers: expected names of header fields, got "a'],
  [{ headers: { Cookie: 'a' } }, 'faults[0].when.headers: Cookie is named like a secret'],
  [{ query: { token: 'a' } }, 'faults[0].when.query: token is named like a secret'],
  [
    { body: { a: [{ password: 'x' }] } },
    'faults[0].when.body: a field of it is named like a secret',
  ],
  [{ status: 'sold' }, 'faults[0].when.status: unknown field; expected query, headers, body or ap'],
  [{ apiKey: 'a b' }, 'faults[0].when.apiKey: expected a bearer token'],
  [{ body: '\ud800' }, 'faults[0].when.body: expected JSON data'],
  [{ body: undefined }, 'faults[0].when: expected a query, a body, headers or an apiKey'],
])('the condition %o is refused: %s', (when, message) => {
  const start = () => createMock({ faults: [withCondition(when)] })
  expect(start).toThrow(UsageError)
  expect(start).toThrow(message)
})
