// Runs a command next to a mock, for `exec` and `surprise`.
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { UsageError } from '../../contract/errors.ts'
import { nameVariable } from '../../scenario/settings/flag.ts'
import { surpriseFlags } from '../../scenario/settings/texts.ts'
import { globalFlags, type MockFlags, mockFlags } from './flags.ts'
import { notify } from './output.ts'
import { exitCodeOf, type Running, SIGNALS } from './start-mock.ts'

export const takesCommand = {
  arguments: [['<command...>', 'what to run, with its own options']],
  runsCommand: true,
} as const

/** Flags of the mock next to the command. */
export const flagsBeside = {
  ...mockFlags,
  port: { ...mockFlags.port, help: 'port (default: any free one)' },
  log: { ...mockFlags.log, default: 'silent' },
} as const

/** A command has no exit code if a signal ended it. */
type Exit = [code: number | null, signal: NodeJS.Signals]

/** Returns the exit code of the command, and stops the mock. */
export async function runCommand(
  command: readonly string[],
  flags: MockFlags,
  running: Running,
  options: SpawnOptions,
): Promise<number> {
  const env = { ...process.env, ...options.env, ...listVariables(flags, running) }
  let forward: (signal: NodeJS.Signals) => void = () => {}
  try {
    if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
    const [file = '', ...args] = process.platform === 'win32' ? toWindowsCommand(command) : command
    const child = spawn(file, args, { ...options, env, windowsVerbatimArguments: true })
    if (options.stdio === 'inherit') child.once('spawn', () => announce(running))
    forward = (signal) => {
      // On a terminal Ctrl+C has already reached the command, and a second SIGINT may make it quit
      // at once.
      if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    const [code, signal] = (await once(child, 'exit')) as Exit
    return code ?? exitCodeOf(signal)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'no such command' : `cannot be run (${code})`
    throw new UsageError(`${command[0]}: ${reason}`)
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
  if (warning !== undefined) notify(`warning: ${warning}`)
}

/**
 * npm is a batch file, which only cmd.exe runs. Inside quotes cmd.exe changes nothing but `%`. A
 * quote is doubled: programs read that as one quote, and for cmd.exe the quoted text goes on, which
 * `\"` would end.
 */
function toWindowsCommand(command: readonly string[]): string[] {
  const quote = (text: string) =>
    `"${text.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + end + end)}"`
  const line = command.map(quote).join(' ')
  return [process.env.ComSpec ?? 'cmd.exe', '/d', '/v:off', '/s', '/c', `"${line}"`]
}
