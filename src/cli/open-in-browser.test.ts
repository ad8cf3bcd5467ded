import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openInBrowser } from './open-in-browser.ts'

const URL = 'http://127.0.0.1:7387/__mock/'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-in-browser-'))
  vi.stubEnv('PATH', folder)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** A program of that name, which writes its arguments down before it ends. */
function install(name: string, code = 0): void {
  const text = `#!/bin/sh\nfor argument; do echo "$argument"; done > '${folder}/part'\n/bin/mv '${folder}/part' '${folder}/done'\nexit ${code}\n`
  writeFileSync(join(folder, name), text, { mode: 0o755 })
}

function pretend(platform: NodeJS.Platform): void {
  const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  Object.defineProperty(process, 'platform', { ...own, value: platform })
  // Node has looked already when this returns.
  queueMicrotask(() => Object.defineProperty(process, 'platform', own))
}

it.skipIf(process.platform === 'win32').each([
  ['linux', 'xdg-open', [URL]],
  ['freebsd', 'xdg-open', [URL]],
  ['darwin', 'open', [URL]],
  ['win32', 'cmd', ['/c', 'start', '""', URL]],
] as const)('opens an address on %s with %s', async (platform, name, expected) => {
  install(name)
  const notes: string[] = []
  pretend(platform)
  openInBrowser(URL, (text) => notes.push(text))
  await vi.waitFor(() => expect(readFileSync(join(folder, 'done'), 'utf8').trimEnd().split('\n')).toEqual(expected), { timeout: 10_000 })
  expect(notes).toEqual([])
})

it.skipIf(process.platform === 'win32').each([
  ['is missing', () => {}],
  ['fails', () => install('xdg-open', 3)],
])('notes that no browser could be opened where the program %s', async (_, prepare) => {
  prepare()
  pretend('linux')
  const told = await new Promise<string>((resolve) => openInBrowser(URL, resolve))
  expect(told).toBe(`no browser could be opened with xdg-open: the console is at ${URL}`)
})
