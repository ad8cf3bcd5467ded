// The built command as a process of its own, on a port of its own, with all that it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface MockProcess {
  readonly port: number
  readonly pid: number
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  /** Bytes in memory. */
  rss(): number
  isRunning(): boolean
  signal(name: NodeJS.Signals): void
  /** How it ended; waits for that. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const BIN = fileURLToPath(new URL('../../bin/animal-store-mock.js', import.meta.url))
const BUILT = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const START_LIMIT = 20_000
/** What `--log` prints for a hundred thousand requests; more than that is nobody's to read. */
const KEPT = 2 ** 25

/** Starts `animal-store-mock` with these flags and waits until it listens; the test's end is its end. */
export async function startMockProcess(flags: readonly string[] = [], nodeFlags: readonly string[] = []): Promise<MockProcess> {
  if (!existsSync(BUILT)) throw new Error('there is no built command to start: npm run build makes it')
  const folder = mkdtempSync(join(tmpdir(), 'mock-process-'))
  const readyFile = join(folder, 'ready')
  const child = spawn(process.execPath, [...nodeFlags, BIN, '--port', '0', '--ready-file', readyFile, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      if (said[stream].length < KEPT) said[stream] += text
    })
  }
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  onTestFinished(async () => {
    if (isRunning()) child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  const startedAt = performance.now()
  while (!existsSync(readyFile)) {
    if (!isRunning() || performance.now() - startedAt > START_LIMIT) throw new Error(`the mock did not start: ${said.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const pid = child.pid as number
  return {
    port: Number(new URL(readFileSync(readyFile, 'utf8')).port),
    pid,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    isRunning,
    signal: (name) => void child.kill(name),
    ended,
  }
}

/** A line of a stack trace: nothing that a client does may bring one about. */
export const STACK = /^\s+at .+[:)]/m
