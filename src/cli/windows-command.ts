// How a command is started on Windows. A program is started as it is; a batch file, which npm and its like are there, runs only in
// cmd.exe, which must read every character of an argument as itself.
import { win32 } from 'node:path'
import { UsageError } from '../contract/errors.ts'

/** What `spawn` of node:child_process takes. */
export interface SpawnArguments {
  readonly file: string
  readonly args: readonly string[]
  /** Variables that the command needs besides its own. */
  readonly env: Readonly<Record<string, string>>
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments: boolean
}

/** What is known of the machine; variables are found in any case, as `process.env` finds them there. */
export interface WindowsMachine {
  readonly env: Readonly<Record<string, string | undefined>>
  isFile(path: string): boolean
}

/** Programs first, as Windows itself has it. */
const PROGRAMS = ['.com', '.exe']
const BATCH_FILES = ['.bat', '.cmd']

/** cmd.exe gets the line in a variable: it looks for variables in a line, but not in the value of one. */
const LINE = 'ANIMAL_STORE_COMMAND_LINE'

export function toWindowsCommand(command: string, args: readonly string[], machine: WindowsMachine): SpawnArguments {
  const file = findFile(command, machine)
  if (file === undefined) throw new UsageError(`${command}: no such command`)
  if (!BATCH_FILES.includes(win32.extname(file).toLowerCase())) return { file, args, env: {}, windowsVerbatimArguments: false }
  if (args.some((arg) => /[\r\n]/.test(arg))) throw new UsageError(`${command}: a batch file takes no argument with a line break`)
  return {
    file: machine.env.ComSpec ?? 'cmd.exe',
    args: ['/d', '/v:off', '/s', '/c', `"%${LINE}%"`],
    env: { [LINE]: [file, ...args].map(quote).join(' ') },
    windowsVerbatimArguments: true,
  }
}

/**
 * In quotes, in which cmd.exe leaves everything alone, here and where the batch file hands it on. A quote is doubled: a program takes
 * that for one, and for cmd.exe the quotes go on; `\"` would end them.
 */
function quote(text: string): string {
  return `"${text.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + end + end)}"`
}

function findFile(command: string, { env, isFile }: WindowsMachine): string | undefined {
  const endings = [...PROGRAMS, ...BATCH_FILES]
  const names = endings.includes(win32.extname(command).toLowerCase()) ? [command] : endings.map((ending) => command + ending)
  const folders = /[\\/:]/.test(command) ? [''] : (env.PATH ?? '').replaceAll('"', '').split(win32.delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => win32.join(folder, name))).find(isFile)
}
