// A command whose output goes to a device that is always full.
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { BIN, cleanEnvironment, startCli } from './cli-process.ts'

export async function fullDisk(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const { url } = await startCli(['--scenario', 'crowded'])
  await fetch(`${url}/pets`)
  const stdout = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...cleanEnvironment(), ANIMAL_STORE_URL: url },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })))
}
