import { expect, it } from 'vitest'
import { notFound, UsageError } from './errors.ts'

it('says each problem in its own line, and which name is near', () => {
  expect(new UsageError(['one', 'two']).message).toBe('one\ntwo')
  expect(notFound('Sandbox', 'keys', ['key']).problems[0]).toHaveProperty('advice')
})

it('knows a UsageError of another build by its name', () => {
  const other = Object.assign(new Error('of another build'), { name: 'UsageError' })
  expect(other).toBeInstanceOf(UsageError)
  for (const none of [new Error('a'), { name: 'UsageError' }, 'UsageError', undefined, null])
    expect(none instanceof UsageError).toBe(false)
})
