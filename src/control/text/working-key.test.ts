import { expect, it } from 'vitest'
import type { Scenario } from '../../world/scenario.ts'
import { workingKey } from './working-key.ts'

it('a key that the state accepts: the sandbox itself, the first listed key, or none', () => {
  const listed: Scenario = { apiKeys: ['one', 'two'], assume: { 'valid-keys': 'listed' } }
  expect(['two', 'six', null].map((sandbox) => workingKey(sandbox, listed))).toEqual([
    'two',
    '',
    'one',
  ])
  expect([workingKey(null, { ...listed, apiKeys: undefined } as never), workingKey('two')]).toEqual(
    ['', 'two'],
  )
})
