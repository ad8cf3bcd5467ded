import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { createMock } from '../mock/mock.ts'
import type { MockFlags } from './flags.ts'
import { listen } from './start-mock.ts'

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
  await expect(start({ port })).rejects.toThrow(`Port ${port} is in use; free it or choose another with --port (0 picks a free one)`)
})

it('names a host that this machine does not have', async () => {
  await expect(start({ port: 0, host: '192.0.2.1' })).rejects.toThrow(`"192.0.2.1" is not an address of this machine`)
})

it('leaves other errors as they are', async () => {
  await expect(start({ port: 65_536 })).rejects.toThrow(new UsageError('serve: port must be an integer from 0 to 65535, got 65536'))
})
