// The mock on a terminal: keys, colour, and the terminal as it was. `script` gives it one.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BIN, start } from '../support/cli-process.ts'

const hasScript = process.platform === 'linux' && isThere('script')

function isThere(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`])
    return true
  } catch {
    return false
  }
}

/** Runs a command line on a terminal of its own. */
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

// Ctrl-C reaches everything in the foreground: without `exec` a shell such as dash would die of it, and its code be read.
describe.runIf(hasScript)('the mock on a terminal', () => {
  it('listens to h, r and q, and leaves the terminal as it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const stty = (name: string) => `stty -a > '${join(folder, name)}'`
    const { type, until, ended } = onTerminal(`${stty('before')}; ${SERVE}; code=$?; ${stty('after')}; exit $code`)
    await until(/Keys {7}press h \+ Enter for help\r\n\r\n/)
    type('h\n')
    await until(
      / {2}o \+ Enter {2}open the console\r\n {2}r \+ Enter {2}reset to the scenario\r\n {2}q \+ Enter {2}quit\r\n {2}h \+ Enter {2}show this help/,
    )
    type('nothing\nR\n')
    await until(/animal-store-mock: Reset to default \(18 animals\)/)
    type('q\n')
    expect(await ended).toBe(0)
    expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(readFileSync(join(folder, 'before'), 'utf8'))
  })

  it('opens the console with o', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const opened = join(folder, 'opened')
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > '${opened}'\n`, { mode: 0o755 })
    const { type, until, ended } = onTerminal(SERVE, { PATH: `${folder}:${process.env.PATH}` })
    const [, url] = /Console +\S*?(http:\S+\/__mock\/)/.exec(await until(/Console[\s\S]*press h/)) ?? []
    type('o\n')
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`${url}\n`)
    type('q\n')
    expect(await ended).toBe(0)
  })

  it('shows addresses in colour, unless NO_COLOR says otherwise', async () => {
    const colourful = onTerminal(SERVE)
    await colourful.until(/API {8}.\[36mhttp:\/\/127\.0\.0\.1:\d+\/v1.\[39m/)
    colourful.type('q\n')
    const plain = onTerminal(SERVE, { NO_COLOR: '1' })
    await plain.until(/API {8}http:\/\/127\.0\.0\.1:\d+\/v1\r\n/)
    plain.type('q\n')
    expect(await colourful.ended).toBe(0)
    expect(await plain.ended).toBe(0)
  })

  it('ends with Ctrl-C as ever', async () => {
    const { type, until, ended } = onTerminal(`exec ${SERVE}`)
    await until(/press h/)
    type('\u0003')
    expect(await ended).toBe(0)
  })

  it('has no keys in CI', async () => {
    const { type, until, printed, ended } = onTerminal(`exec ${SERVE}`, { CI: 'true' })
    await until(/Try it[^\n]*\n/)
    expect(printed()).not.toContain('press h')
    type('\u0003')
    expect(await ended).toBe(0)
  })

  it('says that a reset leaves the sandboxes alone', async () => {
    const { type, until, ended } = onTerminal(`exec ${SERVE} --sandbox --no-control`)
    await until(/press h/)
    type('h\nr\n')
    expect(await until(/ {2}\S \+ Enter[\s\S]*keep their state\r\n/)).toBe(
      [
        '  r + Enter  reset to the scenario',
        '  q + Enter  quit',
        '  h + Enter  show this help',
        'animal-store-mock: Reset to default (18 animals)',
        'animal-store-mock: Sandboxes are on: existing ones keep their state',
        '',
      ].join('\r\n'),
    )
    type('q\n')
    expect(await ended).toBe(0)
  })

  it('goes on in the background, where reading from the terminal would stop it', async () => {
    // The system tells the group of a process after its name, which may look like the end of one.
    const name = 'no) de'
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    symlinkSync(process.execPath, join(folder, name))
    const serve = `'${join(folder, name)}' '${BIN}' --port 0`
    const { until, type, ended } = onTerminal(`bash -c "set -m; ${serve} & sleep 1; jobs; kill %1; wait"`)
    await until(/Running/)
    type('\n')
    await ended
  })
})

describe.runIf(hasScript)('exec on a terminal', () => {
  it('leaves Ctrl-C to the terminal, from which the command has it already', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const script = join(folder, 'count.mjs')
    // As the terminal would, but to exec alone; signals keep their order, so that what it hands on of the first comes before the second.
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
    const { printed, ended } = onTerminal(`exec ${node} '${BIN}' exec -- ${node} '${script}' 2> /dev/null`)
    expect(await ended).toBe(0)
    expect(printed()).toContain('interrupted 0\r\n')
  })
})

describe('the mock without a terminal', () => {
  it('has no keys and no colour', async () => {
    const { until, stop } = start(['--port', '0'])
    const banner = await until('stderr', /Try it[^\n]*\n/)
    expect(banner).not.toContain('press h')
    expect(banner).not.toContain('\u001b')
    await stop()
  })
})
