// What the tests of memory say when there is no process any more: not that it has NaN bytes.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { readRss } from './rss.ts'

it('tells the memory of a process that lives', async () => {
  const running = await startCli(['--log', 'silent'])
  expect(await readRss(running)).toBeGreaterThan(2 ** 20)
})

it.runIf(process.platform === 'linux')('tells how a process ended that its parent has not noticed yet', async () => {
  const running = await startCli(['--log', 'silent'])
  running.child.kill('SIGKILL')
  // Until this loop ends, nothing in here hears of its end: the system keeps the process as a zombie, which has no memory.
  while (!/^State:\s+Z/m.test(readFileSync(`/proc/${running.child.pid}/status`, 'utf8')));
  expect(running.child.signalCode).toBeNull()
  await expect(readRss(running)).rejects.toThrow('the process ended with SIGKILL; it had written: animal-store-mock')
})

it('tells how a process ended that is gone', async () => {
  const running = await startCli(['--log', 'silent'])
  await running.stop()
  await expect(readRss(running)).rejects.toThrow('the process ended with exit code 0; it had written: animal-store-mock')
})
