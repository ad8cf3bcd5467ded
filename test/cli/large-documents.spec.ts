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

/** What a text is answered with, and the longest that another request takes meanwhile. */
async function watchOthers(url: string, body: unknown): Promise<{ status: number; message: string; longest: number }> {
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
  return { ...(await answer), longest }
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

it('is refused without holding up others, whatever text is sent to a running mock', { timeout: 120_000 }, async () => {
  const { url, child } = await startCli(['--log', 'silent'])
  const texts: Readonly<Record<string, string>> = {
    '5 MiB of closing brackets': ']'.repeat(MAX_YAML_TEXT_BYTES),
    'a million documents': '---\n'.repeat(2 ** 20),
    'a long key with a long list below it': `? "${'k'.repeat(20_000)}"\n: [${'1,'.repeat(20_000)}]`,
    '200,000 comment lines': '# x\n'.repeat(200_000),
    '50,000 unknown fields': Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join('\n'),
    '30,000 animals without anything': `pets:\n${'- {}\n'.repeat(30_000)}`,
  }
  for (const [title, text] of Object.entries(texts)) {
    // Other processes can make a response late, so one good run of three is enough.
    const runs: Awaited<ReturnType<typeof watchOthers>>[] = []
    do runs.push(await watchOthers(url, { file: 'a.yaml', text }))
    while (runs.length < 3 && runs.every(({ longest }) => longest >= 1_000))
    expect(Math.min(...runs.map(({ longest }) => longest)), title).toBeLessThan(1_000)
    expect(
      runs.map(({ status, message }) => ({ status, isShort: message.length < 100_000 })),
      title,
    ).toEqual(runs.map(() => ({ status: 400, isShort: true })))
  }
  expect(child.exitCode).toBeNull()
})
