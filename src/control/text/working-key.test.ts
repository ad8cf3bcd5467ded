import { expect, it } from 'vitest'
import type { Scenario } from '../../world/scenario.ts'
import { fieldsFor, workingKey } from './working-key.ts'

it('a key that the state accepts: the sandbox itself, the first listed key, or none', () => {
  const listed: Scenario = { apiKeys: ['one', 'two'], assume: { 'valid-keys': 'listed' } }
  const unlisted: Scenario = { assume: { 'valid-keys': 'listed' } }
  expect(['two', 'six', null].map((sandbox) => workingKey(sandbox, listed))).toEqual([
    'two',
    'one',
    'one',
  ])
  expect(workingKey(null, unlisted)).toBe('')
  expect(['two', 'invalid', null].map((sandbox) => workingKey(sandbox))).toEqual([
    'two',
    'any-key',
    'any-key',
  ])
})

it('a request names its sandbox in a header, unless its key chooses it', () => {
  expect(fieldsFor('w1', 'w1')).toEqual({ authorization: 'Bearer w1' })
  expect(fieldsFor('w1', 'one')).toEqual({ authorization: 'Bearer one', 'x-mock-sandbox': 'w1' })
  expect(fieldsFor('w1', '')).toEqual({ 'x-mock-sandbox': 'w1' })
  expect(fieldsFor(null, 'one')).toEqual({ authorization: 'Bearer one' })
})
