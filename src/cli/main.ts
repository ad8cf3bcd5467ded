// The command line: loads the command that was typed; commander reads the rest.
import { CommanderError } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { findNear, say } from '../contract/problem.ts'
import type { CliCommand } from './lib/flags.ts'
import { failUnknown } from './lib/mistakes.ts'
import { complain, print, setQuiet } from './lib/output.ts'
import { createProgram, DEFAULT_COMMAND } from './lib/program.ts'
import { checkVariables } from './lib/variables.ts'

export const commands = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  exec: async () => (await import('./commands/exec.ts')).execCommand,
  surprise: async () => (await import('./commands/surprise.ts')).surpriseCommand,
  seed: async () => (await import('./commands/running.ts')).seedCommand,
  reset: async () => (await import('./commands/running.ts')).resetCommand,
  snapshot: async () => (await import('./commands/running.ts')).snapshotCommand,
  record: async () => (await import('./commands/running.ts')).recordCommand,
  open: async () => (await import('./commands/serve.ts')).openCommand,
  requests: async () => (await import('./commands/requests.ts')).requestsCommand,
  timeline: async () => (await import('./commands/requests.ts')).timelineCommand,
  undo: async () => (await import('./commands/running.ts')).undoCommand,
  rewind: async () => (await import('./commands/running.ts')).rewindCommand,
  held: async () => (await import('./commands/held.ts')).heldCommand,
  release: async () => (await import('./commands/held.ts')).releaseCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  'what-if': async () => (await import('./commands/what-if.ts')).whatIfCommand,
  faults: async () => (await import('./commands/settings.ts')).faultsCommand,
  keys: async () => (await import('./commands/settings.ts')).keysCommand,
  latency: async () => (await import('./commands/settings.ts')).latencyCommand,
  assume: async () => (await import('./commands/settings.ts')).assumeCommand,
  sandboxes: async () => (await import('./commands/settings.ts')).sandboxesCommand,
  clock: async () => (await import('./commands/settings.ts')).clockCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  scenarios: async () => (await import('./commands/documents.ts')).scenariosCommand,
  generate: async () => (await import('./commands/documents.ts')).generateCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  agents: async () => (await import('./commands/documents.ts')).agentsCommand,
  calibrate: async () => (await import('./commands/calibrate.ts')).calibrateCommand,
  coverage: async () => (await import('./commands/coverage.ts')).coverageCommand,
  completion: async () => (await import('./commands/completion.ts')).createCompletion(loadCommands),
} satisfies Record<string, () => Promise<CliCommand>>

type CommandName = keyof typeof commands

const BACK = 'seed <file>, undo or rewind <id>'
/** Other tools' names for our commands, and what people type. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  load: 'seed',
  logs: 'requests',
  start: 'serve',
  restore: BACK,
  replay: BACK,
}

export async function run(argv: readonly string[]): Promise<void> {
  // `help clock` is `clock --help`.
  const words = argv[2] === 'help' ? [...argv.slice(3), '--help'] : argv.slice(2)
  const [first = ''] = words
  setQuiet(false)
  const loaded: Record<string, CliCommand> = {}
  try {
    const names = findNeeded(words[0])
    const needed = await Promise.all(names.map((name) => commands[name]()))
    for (const [index, command] of needed.entries()) loaded[names[index] as CommandName] = command
    await runProgram(loaded, words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const problem of error.problems) complain(say(problem))
    if (mayHaveTakenCommand(words, loaded[first])) complain('write -- before the command')
    process.exitCode = loaded[first]?.mistakeCode ?? 2
  }
}

/** As few as possible, since each command takes time to load. */
function findNeeded(first = '--'): readonly CommandName[] {
  const names = Object.keys(commands) as CommandName[]
  const name = names.find((one) => one === first)
  if (name !== undefined) return [name]
  if (!first.startsWith('-')) {
    const [near = ''] = findNear(first, [...names, ...Object.keys(OTHER_COMMANDS)])
    failUnknown(`command ${JSON.stringify(first)}`, OTHER_COMMANDS[near] ?? near)
  }
  if (first === '-V' || first === '--version') return []
  return first === '-h' || first === '--help' ? names : [DEFAULT_COMMAND]
}

async function loadCommands(): Promise<Readonly<Record<string, CliCommand>>> {
  const entries = Object.entries(commands)
  const loaded = entries.map(async ([name, load]) => [name, await load()] as const)
  return Object.fromEntries(await Promise.all(loaded))
}

const loadAll = async () => Object.values(await loadCommands())

async function runProgram(
  loaded: Readonly<Record<string, CliCommand>>,
  words: readonly string[],
): Promise<void> {
  const { program, written } = createProgram(loaded)
  program.hook('preAction', () => checkVariables(process.env, Object.values(loaded), loadAll))
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    // Help and the version end the program with an error too.
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) throw error
    await print(written.join(''))
  }
}

/** A flag before the command may have taken the command for its value. */
function mayHaveTakenCommand(words: readonly string[], typed: CliCommand | undefined): boolean {
  const flags = words.filter((word) => word.startsWith('-'))
  if (flags.length === 0 || flags.includes('--')) return false
  const runners = [typed, ...Object.values(typed?.commands ?? {})]
  return runners.some((command) => command?.runsCommand)
}
