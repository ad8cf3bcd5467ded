// The kit for Jest, with hooks and a state as Jest's: its failed tests leave a recording. Jest
// itself runs in the matrix of environments.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { createFolder } from '../support/cli-process.ts'

const hooks = vi.hoisted(() => new Map<string, () => Promise<void>>())

vi.mock('@jest/globals', () => {
  const hook = (name: string) => (run: () => Promise<void>) => void hooks.set(name, run)
  const names = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']
  const expect = {
    extend: () => {},
    getState: () => ({ currentTestName: 'a recorded test fails' }),
  }
  return { ...Object.fromEntries(names.map((name) => [name, hook(name)])), expect }
})

it('a failed test in Jest has a recording, and the line that opens it; one that passes has none', async () => {
  const folder = createFolder()
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const state = { hasStarted: false, currentlyRunningTest: { errors: [] as unknown[] } }
  Object.assign(globalThis, { [Symbol('JEST_STATE_SYMBOL')]: state })
  const { mockStore } = await import('../../src/kits/jest.ts')
  const store = mockStore({
    baseUrl: 'https://api.example.com/v1',
    record: join(folder, 'recordings'),
  })

  /** A test of that outcome, as Jest runs it. */
  async function play(errors: unknown[]): Promise<void> {
    state.currentlyRunningTest = { errors: [] }
    await hooks.get('beforeEach')?.()
    store.control.faults.add({ operation: 'listPets', status: 503 })
    await fetch('https://api.example.com/v1/pets', { headers: { authorization: 'Bearer k' } })
    state.currentlyRunningTest = { errors }
    await hooks.get('afterEach')?.()
  }

  await hooks.get('beforeAll')?.()
  await play([])
  expect([readdirSync(folder), printed.mock.calls]).toEqual([[], []])
  await play([new Error('expected 200, got 503')])
  await hooks.get('afterAll')?.()
  const [, file = ''] =
    /^To see it again: npx animal-store-mock open (.*) --at \d+$/m.exec(
      String(printed.mock.calls[0]?.[0]),
    ) ?? []
  expect(
    readdirSync(join(folder, 'recordings')).map((name) => join(folder, 'recordings', name)),
  ).toEqual([file])
  const { rows } = readRecording(readFileSync(file, 'utf8'), file)
  expect(rows.map(({ row }) => row)).toMatchObject([
    { method: 'faults.add' },
    { method: 'GET', status: 503 },
  ])
})
