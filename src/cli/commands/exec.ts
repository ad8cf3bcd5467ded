// `exec`: a mock for as long as another command runs, which finds it by ANIMAL_STORE_URL.
import { type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageError } from '../../contract/errors.ts'
import type { Serving } from '../../hosts/node/serve.ts'
import type { Mock } from '../../mock/mock.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { findWarning } from '../banner.ts'
import { type CliCommand, defineCommand } from '../command.ts'
import { flagTables, type MockFlags, mockNotes } from '../flags.ts'
import { notify } from '../output.ts'
import { startMock } from '../start-mock.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** For a command that is given another one to run. */
export const takesCommand: Pick<CliCommand, 'arguments' | 'configure'> = {
  arguments: [['<command...>', 'what to run, with its own options']],
  configure: (command) => void command.usage('[options] -- <command...>').passThroughOptions(),
}

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  ...takesCommand,
  flags: flagTables.exec,
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --sandbox -- npx playwright test',
    'exec --coverage coverage/store.json --har requests.har -- npm run e2e',
  ],
  notes: ['The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code. The log goes to stderr.', ...mockNotes],
  async run({ port = 0, coverage, har, ...flags }, command) {
    const files = coverage === undefined && har === undefined ? undefined : await import('../run-files.ts')
    await files?.removeOldFiles({ coverage, har })
    let entries: readonly LogEntry[] = []
    const { mock, url, code } = await runWithMock(
      command,
      { ...flags, port },
      {
        onMock(started) {
          if (files && har !== undefined) entries = files.recordRequests(started)
        },
        onSpawn: (serving) => announce(serving, flags),
      },
    )
    process.exitCode = code
    // Only now has every response ended, one way or the other.
    await files?.writeFiles({ coverage, har }, mock, url, entries)
  },
})

/** To stderr: the output is the command's own. */
function announce({ url, controlUrl, controlToken }: Serving, flags: MockFlags): void {
  notify(`API ${url}${controlUrl === undefined ? '' : `, console ${controlUrl}/`}`)
  // A token that you set is not printed: logs are read by others.
  if (controlToken !== undefined && flags.controlToken === undefined) notify(`control token ${controlToken}`)
  const warning = findWarning(flags)
  if (warning !== undefined) notify(`warning: ${warning}`)
}

interface RunSettings {
  readonly stdio?: SpawnOptions['stdio']
  readonly env?: NodeJS.ProcessEnv
  /** Called before the command starts. */
  onMock?(mock: Mock): void
  /** Called once the command runs. */
  onSpawn?(serving: Serving): void
}

/** Runs the command to its end; returns its exit code and the mock that it had. */
export async function runWithMock(command: readonly string[], flags: MockFlags, settings: RunSettings) {
  if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
  const { mock, serving, stop } = await startMock(flags, 'silent', () => process.stderr)
  const { url, controlToken } = serving
  settings.onMock?.(mock)
  const env = {
    ...process.env,
    ...settings.env,
    ANIMAL_STORE_URL: url,
    // One that is in the environment already would be another mock's.
    ANIMAL_STORE_CONTROL_TOKEN: controlToken,
    // For kits, whose mocks are in the command's own process.
    ANIMAL_STORE_SURPRISE: flags.surprise?.toString(),
    ANIMAL_STORE_KINDS: flags.kinds?.join(),
    ANIMAL_STORE_ONLY: flags.only?.join(),
  }
  try {
    const code = await runChild(command, { stdio: settings.stdio ?? 'inherit', env }, () => settings.onSpawn?.(serving))
    return { mock, url, code }
  } finally {
    await stop()
  }
}

function runChild(command: readonly string[], options: SpawnOptions, onSpawn: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const [file = '', ...args] = process.platform === 'win32' ? toWindowsCommand(command) : command
    const child = spawn(file, args, { ...options, windowsVerbatimArguments: true })
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
      reject(new UsageError(`${command[0]}: ${code === 'ENOENT' ? 'no such command' : `cannot be run (${code})`}`))
    })
    child.once('exit', (code, signal) => {
      end()
      resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
    })
  })
}

/**
 * npm and its like are batch files, which only cmd.exe runs. In quotes it leaves everything but `%` alone, here and where the batch file
 * hands it on. A quote is doubled: a program takes that for one, and for cmd.exe the quotes go on; `\"` would end them.
 */
export function toWindowsCommand(command: readonly string[]): string[] {
  const quote = (text: string) => `"${text.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + end + end)}"`
  return [process.env.ComSpec ?? 'cmd.exe', '/d', '/v:off', '/s', '/c', `"${command.map(quote).join(' ')}"`]
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
}
