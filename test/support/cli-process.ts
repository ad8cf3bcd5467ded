// The built command line as real processes, and what they print. None of them outlives its test.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const BIN = fileURLToPath(new URL('../../bin/animal-store-mock.js', import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** The address that it announced, with the version segment. */
  readonly url: string
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until what it has printed matches. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>
  readonly ended: Promise<Outcome>
}

export interface Settings {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Flags of Node's own. */
  readonly nodeArgs?: readonly string[]
  /** An open file for stdout. */
  readonly stdout?: number
}

/** Runs a command to its end. */
export function runCli(args: readonly string[], settings?: Settings): Promise<Outcome> {
  return start(args, settings).ended
}

/**
 * Starts a mock, on a free port if nothing else is said, and waits until it has said where it is.
 */
export async function startCli(
  args: readonly string[] = [],
  settings?: Settings,
  port: readonly string[] = ['--port', '0'],
): Promise<Running> {
  const started = start([...port, ...args], settings)
  const text = await started.until('stderr', /^ {2}API {8}\S+\n[\s\S]*\n\n/m)
  return { ...started, url: / API {8}(\S+)/.exec(text)?.[1] as string }
}

/** Starts whatever it is. */
export function start(
  args: readonly string[],
  { env = {}, cwd, nodeArgs = [], stdout }: Settings = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): Omit<Running, 'url'> {
  const child = spawn(process.execPath, [...nodeArgs, BIN, ...args], {
    env: { ...cleanEnvironment(), ...env },
    cwd,
    stdio: [stdin, stdout ?? 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  let wake = () => {}
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
      wake()
    })
  }
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, ...printed })
      wake()
    })
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async until(name, pattern) {
      while (!pattern.test(printed[name])) {
        if (child.exitCode !== null)
          throw new Error(`it ended with ${child.exitCode}: ${printed.stderr}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return printed[name]
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

/** Nothing that would change what the command line does, or slow its start down. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ANIMAL_STORE_|NODE_|VITEST|NO_COLOR|FORCE_COLOR)/.test(name),
  )
  return Object.fromEntries(kept)
}

/** A new folder for a test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
}

/** Asks a mock with a key; with a pet, to add it. */
export async function ask(
  url: string,
  { key = 'any-key', headers = {}, pet }: AskOptions = {},
): Promise<Answer> {
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(pet ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(pet ? { method: 'POST', body: JSON.stringify(pet) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  }
}

interface AskOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pet?: unknown
}
