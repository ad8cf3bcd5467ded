// Every way in with what it should not be given: functions (calls.txt), control routes (requests.txt), commands (commands.txt). One line says
// what is wrong and what was meant, and nothing has changed. To add a case, write its line into a file and run this spec with `-u`.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { replay } from '../support/play.ts'
import { replayCalls } from '../support/play-calls.ts'
import { replayCommands } from '../support/play-commands.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.parse('2026-11-15T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

it('functions refuse it with a UsageError, change nothing and tell no listener', async () => {
  await expect(await replayCalls(read('calls.txt'))).toMatchFileSnapshot('calls.txt')
})

it('control routes refuse it with an Error body', async () => {
  await expect(await replay(read('requests.txt'))).toMatchFileSnapshot('requests.txt')
})

it('commands refuse it on stderr, with exit code 2', async () => {
  const played = await replayCommands(read('commands.txt'))
  await expect(played).toMatchFileSnapshot('commands.txt')
  expect(played.match(/^= 2$/gm)?.length).toBe(played.match(/^\$ /gm)?.length)
  expect(played).not.toMatch(/^\|/m)
})
