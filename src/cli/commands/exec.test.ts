import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { run } from '../main.ts'

it.skipIf(process.platform === 'win32')('runs a batch file on Windows in its shell, with its line in a variable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-'))
  const told = join(folder, 'told')
  // It stands for cmd.exe.
  writeFileSync(join(folder, 'shell'), `#!/bin/sh\n(echo "$@"; echo "$ANIMAL_STORE_COMMAND_LINE") > '${told}'\nexit 7\n`, { mode: 0o755 })
  const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  const home = process.cwd()
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', own)
    process.exitCode = undefined
    process.chdir(home)
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  process.chdir(folder)
  writeFileSync('tool.cmd', '')
  vi.stubEnv('PATH', '.;elsewhere')
  vi.stubEnv('ComSpec', join(folder, 'shell'))
  Object.defineProperty(process, 'platform', { ...own, value: 'win32' })
  await run(['node', 'animal-store-mock', 'exec', '--', 'tool', 'a b'])
  expect(process.exitCode).toBe(7)
  expect(readFileSync(told, 'utf8')).toBe('/d /v:off /s /c "%ANIMAL_STORE_COMMAND_LINE%"\n"tool.cmd" "a b"\n')
})
