// Documents as large as they may be, through the built command line: what a snapshot writes loads back, and whoever sends a
// large or hostile text does not make others wait.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_YAML_TEXT_BYTES } from '../../src/limits.ts'
import { createFolder, runCli, startCli } from '../support/cli-process.ts'

const toControl = (url: string, path: string) => `${url.replace(/\/v1$/, '')}/__mock${path}`

async function put(url: string, path: string, body: unknown): Promise<{ status: number; message: string }> {
  const response = await fetch(toControl(url, path), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { message = '' } = (await response.json()) as { message?: string }
  return { status: response.status, message }
}

/** The longest that another request takes while a text is read. */
async function findLongestWait(url: string, body: unknown): Promise<number> {
  let isAnswered = false
  const answer = put(url, '/scenario', body).finally(() => {
    isAnswered = true
  })
  let longest = 0
  while (!isAnswered) {
    const start = performance.now()
    expect((await fetch(toControl(url, '/health'))).status).toBe(200)
    longest = Math.max(longest, performance.now() - start)
  }
  await answer
  return longest
}

describe('a large world', () => {
  it('of 100,000 animals is saved, and the file seeds it again', async () => {
    const folder = createFolder()
    const file = join(folder, 'world.json')
    const { url } = await startCli(['--count', '100000', '--seed', '7', '--log', 'silent'])
    expect(await runCli(['snapshot', '--url', url, '--output', file])).toMatchObject({ code: 0 })
    expect(readFileSync(file).length).toBeGreaterThan(5 * 2 ** 20)
    expect(await runCli(['scenarios', 'check', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('100000 animals') })
    expect(await runCli(['seed', file, '--url', url])).toMatchObject({ code: 0 })
    expect(await (await fetch(toControl(url, '/health'))).json()).toMatchObject({ pets: 100_000 })
  }, 120_000)

  it('comes of one line that generates 80,000', async () => {
    const file = join(createFolder(), 'many.yaml')
    writeFileSync(file, 'generate: { count: 80000 }\n')
    const { url } = await startCli(['--log', 'silent'])
    expect(await runCli(['seed', file, '--url', url])).toMatchObject({ code: 0 })
    expect(await put(url, '/state', { generate: { count: 80_000 } })).toEqual({ status: 200, message: '' })
    expect(await put(url, '/scenario', { file: 'a.yaml', text: 'generate: { count: 1000000 }' })).toEqual({
      status: 400,
      message: 'a.yaml:1 generate.count: expected at most 100000 over HTTP (serve --count takes more), got 1000000',
    })
  }, 120_000)
})

describe('a text that is sent to a running mock', () => {
  it.each<[string, string]>([
    ['5 MiB of closing brackets', ']'.repeat(MAX_YAML_TEXT_BYTES)],
    ['a million documents', '---\n'.repeat(2 ** 20)],
    ['a long key with a long list below it', `? "${'k'.repeat(20_000)}"\n: [${'1,'.repeat(20_000)}]`],
    ['200,000 comment lines', '# x\n'.repeat(200_000)],
    ['50,000 unknown fields', Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['100,000 animals without anything', `pets:\n${'- {}\n'.repeat(100_000)}`],
  ])(
    'is refused without holding up others: %s',
    async (_, text) => {
      const { url, child } = await startCli(['--log', 'silent'])
      const { status, message } = await put(url, '/scenario', { file: 'a.yaml', text })
      expect(status).toBe(400)
      expect(message.length).toBeLessThan(100_000)
      // Other processes can make a response late, so one good run of three is enough.
      const waits: number[] = []
      do waits.push(await findLongestWait(url, { file: 'a.yaml', text }))
      while (waits.length < 3 && Math.min(...waits) >= 1_000)
      expect(Math.min(...waits)).toBeLessThan(1_000)
      expect(child.exitCode).toBeNull()
    },
    60_000,
  )
})
