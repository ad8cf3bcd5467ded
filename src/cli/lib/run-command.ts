// Runs a command next to a mock, for `exec` and `surprise`.
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { UsageError } from '../../contract/errors.ts'
import { nameVariable } from '../../scenario/settings/flag.ts'
import { surpriseFlags } from '../../scenario/settings/texts.ts'
import { globalFlags, type MockFlags, mockFlags } from './flags.ts'
import { complain, notify } from './output.ts'
import { exitCodeOf, type Running, SIGNALS } from './start-mock.ts'

export const takesCommand = {
  arguments: [['<command...>', 'what to run, with its own options']],
  runsCommand: true,
} as const

/** The flags of the mock that runs next to the command. */
export const commandMockFlags = {
  ...mockFlags,
  port: { ...mockFlags.port, help: 'port (default: any free one)' },
  log: { ...mockFlags.log, default: 'silent' },
} as const

/** A command has no exit code if a signal ended it. */
type Exit = [code: number | null, signal: NodeJS.Signals]

/** As shells have them. */
const NOT_RUN = 126
const NOT_FOUND = 127

/** `isShown`: the command prints to the terminal, so the address of the mock is printed first. */
type RunOptions = Pick<SpawnOptions, 'stdio' | 'env'> & { readonly isShown?: boolean }

type Ended = Readonly<{ code: number; isStarted: boolean }>

/** Runs a command, then stops the mock. A command that cannot be run has an exit code too. */
export async function runCommand(
  command: readonly string[],
  flags: MockFlags,
  running: Running,
  options: RunOptions,
): Promise<Ended> {
  const { isShown = false, ...given } = options
  const env = { ...process.env, ...given.env, ...listVariables(flags, running) }
  let forward: (signal: NodeJS.Signals) => void = () => {}
  try {
    if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
    const [file = '', ...args] = process.platform === 'win32' ? toWindowsCommand(command) : command
    const child = spawn(file, args, { ...given, env, windowsVerbatimArguments: true })
    if (isShown) child.once('spawn', () => announce(running))
    forward = (signal) => {
      // On a terminal Ctrl+C has already reached the command, and a second SIGINT may make it quit
      // at once.
      if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    const [code, signal] = (await once(child, 'exit')) as Exit
    return { code: code ?? exitCodeOf(signal), isStarted: true }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT'
    const reason = isMissing ? 'no such command' : `cannot be run (${code})`
    complain(`${command[0]}: ${reason}`)
    return { code: isMissing ? NOT_FOUND : NOT_RUN, isStarted: false }
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward)
    await running.stop()
  }
}

function listVariables(flags: MockFlags, { serving }: Running): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = {
    [nameVariable(globalFlags.url.syntax)]: serving.url,
    // A token in the environment belongs to another mock.
    [nameVariable(globalFlags.controlToken.syntax)]: serving.controlToken,
  }
  // For kits, whose mocks run inside the command.
  for (const name of Object.keys(surpriseFlags) as (keyof typeof surpriseFlags)[])
    variables[nameVariable(surpriseFlags[name].syntax)] = flags[name]?.toString()
  return variables
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
}

function announce({ serving, newToken, warning }: Running): void {
  const { url, controlUrl } = serving
  const console = controlUrl === undefined ? '' : `, console ${controlUrl}/`
  notify(`API ${url}${console}`)
  if (newToken !== undefined) notify(`control token ${newToken}`)
  if (warning !== undefined) complain(`warning: ${warning}`)
}

/**
 * npm is a batch file, which only cmd.exe runs. Inside quotes cmd.exe changes nothing but `%`. A
 * quote is doubled: programs read that as one quote, and for cmd.exe the quoted text goes on, which
 * `\"` would end.
 */
function toWindowsCommand(command: readonly string[]): string[] {
  const quote = (text: string) => {
    const withSlashes = text.replace(/\\+(?="|$)/g, '$&$&')
    return `"${withSlashes.replaceAll('"', '""')}"`
  }
  const line = command.map(quote).join(' ')
  return [process.env.ComSpec ?? 'cmd.exe', '/d', '/v:off', '/s', '/c', `"${line}"`]
}
