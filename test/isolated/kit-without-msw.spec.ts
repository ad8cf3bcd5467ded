// A project without MSW: the kit says what is missing. As a module that cannot be imported, so
// apart from other specs.
import { expect, it, vi } from 'vitest'
import { UsageError } from '../../src/contract/errors.ts'
import { createKit } from '../../src/kits/create-kit.ts'

vi.mock('msw', () => {
  throw new Error("Cannot find package 'msw'")
})

it('a store that needs MSW is refused with a UsageError where MSW is not installed', async () => {
  const hooks: (() => Promise<void>)[] = []
  const ignore = () => {}
  const runner = {
    kit: 'kit',
    intercept: 'msw',
    expect,
    isRunning: () => false,
    beforeEach: ignore,
    afterEach: ignore,
    afterAll: ignore,
  } as const
  createKit({ ...runner, beforeAll: (run) => void hooks.push(run) })()
  await expect(hooks[0]?.()).rejects.toThrow(UsageError)
  const before = globalThis.fetch
  createKit({ ...runner, intercept: 'fetch', beforeAll: (run) => void hooks.push(run) })()
  await hooks[1]?.()
  expect(globalThis.fetch).not.toBe(before)
})
