import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../../../test/support/cli-process.ts'
import { lockFile } from './lock-file.ts'

const STARTS = 20
const PLATFORMS = ['linux', 'darwin'] as const

async function lock(path: string, platform: NodeJS.Platform) {
  const unlock = await lockFile(path, platform)
  if (unlock) onTestFinished(unlock)
  return unlock
}

async function countHolders(path: string, platform: NodeJS.Platform): Promise<number> {
  const starts = Array.from({ length: STARTS }, () => lock(path, platform))
  const unlocks = await Promise.all(starts)
  return unlocks.filter((unlock) => unlock !== undefined).length
}

it.each(PLATFORMS)(
  'on %s, one of many mocks that start at once holds a file, until it gives it back',
  async (platform) => {
    const path = join(createFolder(), 'state.json')
    const unlock = await lock(path, platform)
    expect(await countHolders(path, platform)).toBe(0)
    unlock?.()
    expect(await countHolders(path, platform)).toBe(1)
  },
)

it('two mocks hold two files', async () => {
  const folder = createFolder()
  for (const name of ['one.json', 'two.json'])
    expect(await lock(join(folder, name), process.platform)).toBeTypeOf('function')
})

it('where the lock is a socket file, one of many mocks takes over the file of a killed one', async () => {
  const folder = createFolder()
  const path = join(folder, 'state.json')
  const tmp = process.env.TMPDIR
  process.env.TMPDIR = folder
  onTestFinished(() => {
    if (tmp === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = tmp
  })
  const unlock = await lock(path, 'darwin')
  const [name = ''] = readdirSync(folder)
  const address = join(folder, name)
  unlock?.()
  const listen = `listen(${JSON.stringify(address)}, () => console.log('on'))`
  const script = `require('net').createServer().${listen}`
  const killed = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(killed.stdout, 'data')
  expect(await countHolders(path, 'darwin')).toBe(0)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(readdirSync(folder)).toEqual([name])
  expect(await countHolders(path, 'darwin')).toBe(1)
  expect(readdirSync(folder)).toEqual([name])
})
