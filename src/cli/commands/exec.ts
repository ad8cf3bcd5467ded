// `exec`: a mock for as long as another command runs, which finds it by ANIMAL_STORE_URL.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { UsageError } from '../../contract/errors.ts'
import { isLoopback } from '../../hosts/node/host-policy.ts'
import type { Serving } from '../../hosts/node/serve.ts'
import type { Mock } from '../../mock/mock.ts'
import { EXPOSED } from '../banner.ts'
import { defineCommand } from '../command.ts'
import { execFlags, type MockFlags } from '../flags.ts'
import { notify } from '../say.ts'
import { startMock } from '../start-mock.ts'
import { type SpawnArguments, toWindowsCommand } from '../windows-command.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  arguments: [['<command...>', 'what to run, with its own options']],
  flags: execFlags,
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --sandbox -- npx playwright test',
    'exec --coverage coverage/store.json --har requests.har -- npm run e2e',
  ],
  notes: [
    'The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code. The log goes to stderr.',
    'Where several values are possible, list them, separate them by commas or repeat the option.',
    'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
  ],
  configure: (command) => void command.usage('[options] -- <command...>').passThroughOptions(),
  /** The output is the command's own, so the log goes to stderr. */
  async run({ port = 0, coverage, har, ...flags }, command) {
    const files =
      coverage === undefined && har === undefined ? undefined : await (await import('../run-files.ts')).createRunFiles({ coverage, har })
    try {
      const { mock, url, code } = await runBeside(command, { ...flags, port }, { onSpawn: (serving) => announce(serving, flags) })
      process.exitCode = code
      // Only now has every response ended, one way or the other.
      await files?.write(mock, url)
    } catch (error) {
      await files?.removeOld()
      throw error
    }
  },
})

/** To stderr: the output is the command's own. */
function announce({ url, controlUrl, controlToken }: Serving, flags: Pick<MockFlags, 'host' | 'controlToken'>): void {
  notify(`API ${url}${controlUrl === undefined ? '' : `, console ${controlUrl}/`}`)
  // A token that you set is not printed: logs are read by others.
  if (controlToken !== undefined && flags.controlToken === undefined) notify(`control token ${controlToken}`)
  if (flags.host !== undefined && !isLoopback(flags.host)) notify(`warning: ${EXPOSED}`)
}

interface Beside {
  readonly stdio?: 'inherit' | 'ignore'
  readonly env?: NodeJS.ProcessEnv
  /** Called before the command starts. */
  onMock?(mock: Mock): void
  /** Called once the command runs. */
  onSpawn?(serving: Serving): void
}

/** Runs the command to its end; returns its exit code and the mock that it had. */
export async function runBeside(
  command: readonly string[],
  flags: MockFlags,
  beside: Beside = {},
): Promise<{ mock: Mock; url: string; code: number }> {
  if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
  const { mock, serving, stop } = await startMock(flags, { log: flags.log ?? 'silent', logTo: () => process.stderr })
  const { url, controlToken } = serving
  beside.onMock?.(mock)
  try {
    const run = (env: NodeJS.ProcessEnv) => runChild(command, beside.stdio ?? 'inherit', env, () => beside.onSpawn?.(serving))
    const code = await run({
      ...process.env,
      ...beside.env,
      ANIMAL_STORE_URL: url,
      // One that is in the environment already would be another mock's.
      ANIMAL_STORE_CONTROL_TOKEN: controlToken,
      // For kits, whose mocks are in the command's own process.
      ANIMAL_STORE_SURPRISE: flags.surprise?.toString(),
      ANIMAL_STORE_KINDS: flags.kinds?.join(),
      ANIMAL_STORE_ONLY: flags.only?.join(),
    })
    return { mock, url, code }
  } finally {
    await stop()
  }
}

function runChild(
  [command = '', ...rest]: readonly string[],
  stdio: 'inherit' | 'ignore',
  env: NodeJS.ProcessEnv,
  onSpawn: () => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { file, args, ...options } = toSpawnArguments(command, rest)
    const child = spawn(file, args, { ...options, stdio, env: { ...env, ...options.env } })
    const forward = (signal: NodeJS.Signals) => {
      // On a terminal Ctrl+C has reached the command already, and it might take a second one for impatience.
      if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal)
    }
    const end = () => {
      for (const signal of SIGNALS) process.off(signal, forward)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    child.once('spawn', onSpawn)
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      end()
      reject(new UsageError(`${command}: ${code === 'ENOENT' ? 'no such command' : `cannot be run (${code})`}`))
    })
    child.once('exit', (code, signal) => {
      end()
      resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
    })
  })
}

function toSpawnArguments(file: string, args: readonly string[]): SpawnArguments {
  if (process.platform !== 'win32') return { file, args, env: {}, windowsVerbatimArguments: false }
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  return toWindowsCommand(file, args, { env: process.env, isFile })
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
}
