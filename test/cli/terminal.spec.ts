// The mock on a terminal: its colour and its end. `script` gives it one.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BIN, createFolder } from '../support/cli-process.ts'

const hasScript = process.platform === 'linux' && isThere('script')

function isThere(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`])
    return true
  } catch {
    return false
  }
}

/** Runs a command line on a separate terminal. */
function onTerminal(line: string, env: Readonly<Record<string, string | undefined>> = {}) {
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { ...process.env, CI: undefined, NO_COLOR: undefined, TERM: 'xterm', ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  const listeners = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    printed += chunk
    for (const listener of listeners) listener()
  })
  return {
    type: (text: string) => void child.stdin.write(text),
    printed: () => printed,
    until: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const listener = () => {
          const match = pattern.exec(printed)
          if (match) resolve(match[0])
        }
        listeners.add(listener)
        listener()
      }),
    ended: new Promise<number | null>((resolve) => child.on('exit', resolve)),
  }
}

const SERVE = `'${process.execPath}' '${BIN}' --port 0`

// Ctrl-C reaches everything in the foreground: without `exec` a shell such as dash would die of it,
// and its code be read.
describe.runIf(hasScript)('the mock on a terminal', () => {
  it('shows addresses in colour unless NO_COLOR is set, and ends with Ctrl-C', async () => {
    const colourful = onTerminal(`exec ${SERVE}`)
    await colourful.until(/API {8}.\[36mhttp:\/\/127\.0\.0\.1:\d+\/v1.\[39m/)
    colourful.type('\u0003')
    const plain = onTerminal(`exec ${SERVE}`, { NO_COLOR: '1' })
    await plain.until(/API {8}http:\/\/127\.0\.0\.1:\d+\/v1\r\n/)
    plain.type('\u0003')
    expect(await colourful.ended).toBe(0)
    expect(await plain.ended).toBe(0)
  })
})

describe.runIf(hasScript)('exec on a terminal', () => {
  it('does not pass Ctrl-C on to the command, which gets it from the terminal', async () => {
    const script = join(createFolder(), 'count.mjs')
    // As the terminal would, but to exec alone; signals keep their order, so that what it hands on
    // of the first comes before the second.
    writeFileSync(
      script,
      `let count = 0
      process.on('SIGINT', () => count++)
      process.on('SIGTERM', () => (console.log('interrupted ' + count), process.exit()))
      setInterval(() => {}, 1000)
      process.kill(process.ppid, 'SIGINT')
      process.kill(process.ppid, 'SIGTERM')`,
    )
    const node = `'${process.execPath}'`
    const { printed, ended } = onTerminal(
      `exec ${node} '${BIN}' exec -- ${node} '${script}' 2> /dev/null`,
    )
    expect(await ended).toBe(0)
    expect(printed()).toContain('interrupted 0\r\n')
  })
})
