import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { createMock } from '../mock/mock.ts'
import type { MockFlags } from './flags.ts'
import { listen } from './listen.ts'

const start = async (flags: Partial<MockFlags>) => {
  const serving = await listen(createMock(), { control: true, ...flags } as MockFlags)
  onTestFinished(serving.close)
  return serving
}

it('does not move on from a port that was asked for', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  onTestFinished(() => void blocker.close())
  const { port } = blocker.address() as { port: number }
  await expect(start({ port })).rejects.toThrow(
    new UsageError(`Port ${port} is in use; free it or choose another with --port (0 picks a free one)`),
  )
})

it('names a host that is none of this machine', async () => {
  await expect(start({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
    new UsageError(`"192.0.2.1" is not an address of this machine; choose another with --host, or omit it`),
  )
})

it('leaves other errors as they are', async () => {
  await expect(start({ port: 65_536 })).rejects.toThrow(new UsageError('serve: port must be an integer from 0 to 65535, got 65536'))
})

it('takes the token from a file, without the space around it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'token')
  const refuse = async (text: string, problem: string, name = file) => {
    writeFileSync(file, text)
    await expect(start({ port: 0, controlTokenFile: name })).rejects.toThrow(new UsageError(`${name}: ${problem}`))
  }
  for (const token of ['a-token-of-some-length', 'a'.repeat(32_766)]) {
    writeFileSync(file, ` ${token}\n`)
    expect((await start({ port: 0, controlTokenFile: file })).controlToken).toBe(token)
  }
  await refuse('a'.repeat(32_769), 'expected a token, got 32769 bytes')
  await refuse('', 'cannot be read (ENOTDIR)', join(file, 'within'))
  await refuse('', 'no such file', join(folder, 'other'))
  await refuse('', 'expected a regular file', folder)
})
