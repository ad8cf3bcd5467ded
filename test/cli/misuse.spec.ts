// Misuse that only a process can show; the other cases are in transcripts/mistakes.txt.
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../support/cli-process.ts'

let server: Server
let taken: number

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  taken = (server.address() as { port: number }).port
})

afterAll(() => void server.close())

describe('the command line', () => {
  it('names a port that is in use, and says what to do', async () => {
    expect(await runCli(['--port', String(taken)])).toEqual({
      code: 2,
      stdout: '',
      stderr: `animal-store-mock: Port ${taken} is in use; free it or choose another with --port (0 picks a free one)\n`,
    })
  })

  it('names a version of Node that is too old, in one line', async () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })"
    const { code, stdout, stderr } = await runCli(['--version'], { nodeArgs: ['--import', `data:text/javascript,${pretend}`] })
    expect([code, stdout, stderr]).toEqual([2, '', 'animal-store-mock: Node 20.19 or newer is required, this is 18.20.8\n'])
  })

  it('escapes the control characters of an unknown command', async () => {
    const { code, stderr } = await runCli(['\u001b[2J\u202e'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^animal-store-mock: unknown command [ -~]*\n$/)])
  })
})
