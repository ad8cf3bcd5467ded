// `exec`: a mock for as long as another command runs.
import { describe, expect, it } from 'vitest'
import { runCli, start } from '../support/cli-process.ts'

/** A command that runs this script in Node. */
const node = (script: string) => [process.execPath, '--input-type=module', '-e', script]

const LIST = `
  const { ANIMAL_STORE_URL: url } = process.env
  const response = await fetch(url + '/pets', { headers: { authorization: 'Bearer any-key' } })
  console.log(response.status, (await response.json()).length, new URL(url).pathname)
`

describe('exec', () => {
  it('gives the command a mock of its own, as the flags want it', async () => {
    expect(await runCli(['exec', '--scenario', 'single', '--', ...node(LIST)])).toEqual({ code: 0, stdout: '200 1 /v1\n', stderr: '' })
  })

  it('needs no dashes before a command, and leaves the flags behind it to the command', async () => {
    const { code, stdout } = await runCli(['exec', process.execPath, '-p', '1 + 1'])
    expect([code, stdout]).toEqual([0, '2\n'])
  })

  it('passes the exit code on, and stops the mock', async () => {
    const { code, stdout } = await runCli(['exec', '--', ...node('console.log(process.env.ANIMAL_STORE_URL); process.exitCode = 7')])
    expect(code).toBe(7)
    await expect(fetch(stdout.trim())).rejects.toThrow()
  })

  it('keeps its log away from what the command prints', async () => {
    const { code, stdout, stderr } = await runCli(['exec', '--log', 'json', '--', ...node(LIST)])
    expect([code, stdout]).toEqual([0, '200 20 /v1\n'])
    expect(JSON.parse(stderr)).toMatchObject({ operation: 'listPets', status: 200 })
  })

  it('lets our own commands find the mock, token included', async () => {
    const bin = new URL('../../bin/animal-store-mock.js', import.meta.url).pathname
    const { code, stdout } = await runCli([
      'exec',
      '-s',
      'empty',
      '--control-token',
      's3cret-of-16-chars',
      '--',
      process.execPath,
      bin,
      'status',
      '--json',
    ])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { scenario: 'empty', pets: 0 }])
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('hands %s to the command, which may end in its own way', async (signal) => {
    const script = `process.on('${signal}', () => process.exit(42)); setInterval(() => {}, 1000); console.log('ready')`
    const running = start(['exec', '--', ...node(script)])
    await running.until('stdout', /ready/)
    expect((await running.stop(signal)).code).toBe(42)
  })

  it('tells by its exit code that a signal ended the command', async () => {
    const { code } = await runCli(['exec', '--', ...node("process.kill(process.pid, 'SIGKILL')")])
    expect(code).toBe(137)
  })
})
