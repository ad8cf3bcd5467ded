// Documents as large as they may be, through the built command line: what a snapshot writes loads back, and a large or hostile text
// delays other clients for a bounded time.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_YAML_TEXT_BYTES } from '../../src/limits.ts'
import { createFolder, type Running, runCli, startCli } from '../support/cli-process.ts'
import { createOwnTime } from '../support/own-time.ts'

/** Two seconds on a machine that does nothing else; processor time grows on a busy one. */
const MAX_STALL_MS = 6_000

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

/** What a scenario is answered with, and the processor time that the server takes for it. */
async function measure({ url, child }: Running, path: string, body: unknown): Promise<{ status: number; message: string; took: number }> {
  const ownTime = createOwnTime(child.pid as number)
  const start = ownTime()
  return { ...(await put(url, path, body)), took: ownTime() - start }
}

const toPets = (count: number, toText: (index: number) => string) =>
  `{"pets":[${Array.from({ length: count }, (_, index) => toText(index)).join(',')}]}`

describe('a large state', () => {
  it('of 60,000 animals is saved, and the file seeds it again', async () => {
    const folder = createFolder()
    const file = join(folder, 'world.json')
    const { url } = await startCli(['--count', '60000', '--seed', '7', '--log', 'silent'])
    expect(await runCli(['snapshot', '--url', url, '--output', file])).toMatchObject({ code: 0 })
    expect(readFileSync(file).length).toBeGreaterThan(4 * 2 ** 20)
    expect(await runCli(['scenarios', 'check', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('60,000 animals') })
    expect(await runCli(['seed', file, '--url', url])).toMatchObject({ code: 0 })
    expect(await (await fetch(toControl(url, '/health'))).json()).toMatchObject({ pets: 60_000 })
  }, 120_000)

  it('too large to send is refused with what to do, and loads with --scenario', async () => {
    const file = join(createFolder(), 'large.json')
    writeFileSync(
      file,
      toPets(170_000, (id) => `{"id":${id},"name":"${'n'.repeat(70)}","categoryId":1}`),
    )
    const { url } = await startCli(['--scenario', file, '--log', 'silent'])
    expect(await (await fetch(toControl(url, '/health'))).json()).toMatchObject({ pets: 170_000 })
    expect(await runCli(['seed', file, '--url', url])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/16777216 bytes.*--scenario/),
    })
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

it('is refused within two seconds, whatever text is sent to a running mock', { timeout: 120_000 }, async () => {
  const running = await startCli(['--log', 'silent'])
  /** As much of it as may be sent. */
  const fill = (part: string) => part.repeat(MAX_YAML_TEXT_BYTES / part.length)
  const texts: Readonly<Record<string, string>> = {
    'closing brackets': fill(']'),
    'opening brackets': fill('['),
    braces: fill('{a: '),
    documents: fill('---\n'),
    commas: fill(','),
    'comment lines': fill('# x\n'),
    quotes: fill('"'),
    digits: `nextId: ${'9'.repeat(MAX_YAML_TEXT_BYTES - 8)}`,
    aliases: `a: &a [1]\nb: [${'*a,'.repeat(20_000)}]`,
    'a long key with a long list below it': `? "${'k'.repeat(20_000)}"\n: [${'1,'.repeat(20_000)}]`,
    'unknown fields': Array.from({ length: 8_000 }, (_, index) => `k${index}: `).join('\n'),
    'animals without anything': `pets:\n${'- {}\n'.repeat(13_000)}`,
  }
  for (const [title, text] of Object.entries(texts)) {
    const { status, message, took } = await measure(running, '/scenario', { file: 'a.yaml', text })
    expect({ title, status, isShort: message.length < 100_000 }).toEqual({ title, status: 400, isShort: true })
    expect(took, title).toBeLessThan(MAX_STALL_MS)
  }
  expect(running.child.exitCode).toBeNull()
})

it('is loaded in the place of a short one that was sent before it, and a reset brings it back', { timeout: 120_000 }, async () => {
  const { url } = await startCli(['--log', 'silent'])
  const large = toPets(100_000, (id) => `{"id":${id},"name":"n","categoryId":1}`)
  expect(await put(url, '/state', { pets: [] })).toEqual({ status: 200, message: '' })
  expect(await put(url, '/state', large)).toEqual({ status: 200, message: '' })
  const api = { headers: { authorization: 'Bearer any-key', 'content-type': 'application/json' } }
  expect(await (await fetch(`${url}/pets/99999`, api)).json()).toEqual({ id: 99_999, name: 'n', categoryId: 1 })
  const added = await fetch(`${url}/pets`, { ...api, method: 'POST', body: '{"name":"Rex","categoryId":1}' })
  expect(await added.json()).toEqual({ id: 100_000, name: 'Rex', categoryId: 1 })
  const reset = await fetch(toControl(url, '/reset'), { method: 'POST', headers: { 'x-mock-control': '1' } })
  expect(await reset.json()).toMatchObject({ pets: 100_000 })
})
