// The command line: loads the command that was typed; commander reads the rest, with our flags,
// help and messages.
import { Command, CommanderError, Help, type HelpConfiguration, Option } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { version } from '../contract/generated/version.ts'
import { findNear, say, sayMeant } from '../contract/problem.ts'
import { MOCK_NAME } from '../control/protocol.ts'
import { type Flag, nameVariable, parseAt, readFlag } from '../scenario/settings/flag.ts'
import { isRecordingFile } from '../world/row.ts'
import type { CliCommand } from './lib/flags.ts'
import { notify, print } from './lib/output.ts'

export const commands = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  exec: async () => (await import('./commands/exec.ts')).execCommand,
  surprise: async () => (await import('./commands/exec.ts')).surpriseCommand,
  seed: async () => (await import('./commands/running.ts')).seedCommand,
  reset: async () => (await import('./commands/running.ts')).resetCommand,
  snapshot: async () => (await import('./commands/running.ts')).snapshotCommand,
  record: async () => (await import('./commands/running.ts')).recordCommand,
  open: async () => (await import('./commands/serve.ts')).openCommand,
  requests: async () => (await import('./commands/requests.ts')).requestsCommand,
  timeline: async () => (await import('./commands/requests.ts')).timelineCommand,
  undo: async () => (await import('./commands/running.ts')).undoCommand,
  rewind: async () => (await import('./commands/running.ts')).rewindCommand,
  'what-if': async () => (await import('./commands/running.ts')).whatIfCommand,
  faults: async () => (await import('./commands/settings.ts')).faultsCommand,
  latency: async () => (await import('./commands/settings.ts')).latencyCommand,
  assume: async () => (await import('./commands/settings.ts')).assumeCommand,
  sandboxes: async () => (await import('./commands/settings.ts')).sandboxesCommand,
  clock: async () => (await import('./commands/settings.ts')).clockCommand,
  status: async () => (await import('./commands/running.ts')).statusCommand,
  scenarios: async () => (await import('./commands/documents.ts')).scenariosCommand,
  generate: async () => (await import('./commands/documents.ts')).generateCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  agents: async () => (await import('./commands/documents.ts')).agentsCommand,
  calibrate: async () => (await import('./commands/calibrate.ts')).calibrateCommand,
  coverage: async () => (await import('./commands/coverage.ts')).coverageCommand,
} satisfies Record<string, () => Promise<CliCommand>>

type CommandName = keyof typeof commands
const DEFAULT_COMMAND: CommandName = 'serve'

export async function run(argv: readonly string[]): Promise<void> {
  // `help clock` is `clock --help`.
  const words = argv[2] === 'help' ? [...argv.slice(3), '--help'] : argv.slice(2)
  let loaded: Record<string, CliCommand> = {}
  try {
    const loading = findNeeded(words[0]).map(
      async (name) => [name, await commands[name]()] as const,
    )
    loaded = Object.fromEntries(await Promise.all(loading))
    const { program, written } = createProgram(loaded)
    await program.parseAsync(words, { from: 'user' }).catch((error) => {
      if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
      return print(written.join(''))
    })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const problem of error.problems) notify(say(problem))
    const flags = words.filter((word) => word.startsWith('-'))
    const typed = loaded[`${words[0]}`]
    const isRunner = [typed, ...Object.values(typed?.commands ?? {})].some(
      (one) => one?.runsCommand,
    )
    // One of them may have taken the command for a value.
    if (isRunner && flags[0] && !flags.includes('--')) notify('write -- before the command')
    process.exitCode = 2
  }
}

/** As few as possible, since each command takes time to load. */
function findNeeded(first = '--'): readonly CommandName[] {
  const names = Object.keys(commands) as CommandName[]
  const name = names.find((one) => one === first)
  if (name !== undefined) return [name]
  if (!first.startsWith('-')) {
    const [near = ''] = findNear(first, [...names, ...Object.keys(OTHER_COMMANDS)])
    failUnknown(`command ${JSON.stringify(first)}`, OTHER_COMMANDS[near as 'load'] ?? near)
  }
  if (['-V', '--version'].includes(first)) return []
  return ['-h', '--help'].includes(first) ? names : [DEFAULT_COMMAND]
}

/** `written` collects the help or the version. A lone command is the default. */
export function createProgram(loaded: Readonly<Record<string, CliCommand>>) {
  const names = Object.keys(loaded)
  const written: string[] = []
  const program = new Command(MOCK_NAME)
    .description('A stateful mock of the Animal Store service.')
    .usage('[command] [options]')
    .optionsGroup('Global options:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => void written.push(text), outputError: () => {} })
  program.configureHelp(toHelpConfiguration(program))
  for (const [name, command] of Object.entries(loaded)) {
    define(program.command(name, { isDefault: names.length === 1 }), name, command)
    if (name === DEFAULT_COMMAND) program.addHelpText('after', renderEnd(command))
  }
  return { program, written }
}

function define(
  defined: Command,
  name: string,
  given: CliCommand,
  above: readonly string[] = [],
): void {
  const command = { examples: above.filter((example) => example.startsWith(name)), ...given }
  defined
    .description(command.summary)
    .addHelpText('after', renderEnd(command))
    .allowExcessArguments()
  defined.exitOverride((error) => explain(error, defined, name, command))
  for (const [syntax, help, parse] of command.arguments ?? []) {
    const read = (text: string) => (parse ? parseAt(name, parse, text) : text)
    // Commander passes the list so far.
    const readNext = (text: string, before: unknown) => [before ?? [], [read(text)]].flat()
    defined.argument(syntax, help, syntax.includes('...') ? readNext : read)
  }
  /** By the values that they set, the flags and variables that did. */
  const sources = new Map<string, string>()
  for (const flag of Object.values(command.flags ?? {})) addFlag(defined, flag, sources)
  command.configure?.(defined)
  if (command.runsCommand) defined.usage('[options] -- <command...>').passThroughOptions()
  // A command's flags may come before and after the word for a command below it.
  if (command.flags && command.commands) defined.enablePositionalOptions(false)
  for (const [word, below] of Object.entries(command.commands ?? {})) {
    define(defined.command(word), `${name} ${word}`, below, command.examples)
  }
  defined.action(() => {
    const { args, registeredArguments, processedArgs } = defined
    const excess = registeredArguments.at(-1)?.variadic
      ? undefined
      : args[registeredArguments.length]
    if (excess !== undefined) refuseExcess(excess, name, command)
    const values = processedArgs.flatMap((value, index) =>
      registeredArguments[index]?.variadic ? value : [value],
    )
    return command.run(
      defined.optsWithGlobals() as never,
      values.filter((value) => value !== undefined) as never[],
    )
  })
}

const BACK = 'seed <file>, undo or rewind <id>'
/** Other tools' names for our commands, and what people type. */
const OTHER_COMMANDS = {
  load: 'seed',
  logs: 'requests',
  start: 'serve',
  restore: BACK,
  replay: BACK,
}

function failUnknown(what: string, meant: string | undefined, command = ''): never {
  throw new UsageError(
    `unknown ${what}; ${sayMeant(meant, `see ${`${MOCK_NAME} ${command}`.trim()} --help`)}`,
  )
}

/**
 * A mistake that commander has found, and what to do. Help and the version end the program with
 * such an error too.
 */
function explain(
  error: CommanderError,
  defined: Command,
  name: string,
  { examples = [] }: CliCommand,
): never {
  if (error.exitCode === 0) throw error
  const { code, message } = error
  const missing =
    code === 'commander.missingArgument' && defined.registeredArguments[defined.args.length]
  if (missing)
    throw new UsageError(`${name} needs <${missing.name()}>, as in: ${MOCK_NAME} ${examples[0]}`)
  throw new UsageError(
    `${message.replace(/^error: /, '').replaceAll('\n', ' ')}; see ${MOCK_NAME} ${name} --help`,
  )
}

function refuseExcess(
  excess: string,
  name: string,
  { arguments: expected = [], commands }: CliCommand,
): never {
  if (commands)
    failUnknown(
      `command ${JSON.stringify(excess)}`,
      findNear(excess, Object.keys(commands))[0],
      name,
    )
  const takes =
    expected.length === 0 ? 'no arguments' : `only ${expected.map(([syntax]) => syntax).join(' ')}`
  const hint = isRecordingFile(excess)
    ? `; start a mock with the recording first: ${MOCK_NAME} open ${excess}`
    : ''
  throw new UsageError(`unexpected ${JSON.stringify(excess)}: ${name} takes ${takes}${hint}`)
}

function renderEnd({ examples = [], notes }: CliCommand): string {
  const lines = examples.map((example) => `  ${MOCK_NAME} ${example}`.trimEnd())
  return ['', 'Examples:', ...lines, ...(notes ? ['', ...notes] : [])].join('\n')
}

/**
 * The program's help includes the flags of the default command; a subcommand's help includes those
 * of its parent.
 */
function toHelpConfiguration(program: Command): HelpConfiguration {
  const help = new Help()
  return {
    visibleOptions(command) {
      const isOther = (one: Command) =>
        command === program ? one.name() === DEFAULT_COMMAND : one === command.parent
      return [
        ...program.commands.filter(isOther).flatMap(({ options }) => options),
        ...help.visibleOptions(command),
      ]
    },
    // Keeps the order above: the flags of the default command come first.
    groupItems: (_all, visible, groupOf) => help.groupItems(visible, visible, groupOf),
    optionTerm: ({ short, flags }) => (short === undefined ? `    ${flags}` : flags),
    // Without the variable: a note in the help says how all of them are named.
    optionDescription: ({ description, defaultValueDescription: preset }) =>
      preset === undefined ? description : `${description} (default: ${preset})`,
    subcommandTerm: (command) => help.subcommandTerm(command).replace(' [options]', ''),
  }
}

function addFlag(defined: Command, flag: Flag, sources: Map<string, string>): void {
  const { syntax, help, group, parse = String, default: preset, conflicts = [], sets } = flag
  const option = new Option(syntax, help)
  if (sets !== undefined) option.attributeName = () => sets
  const value = option.attributeName()
  const variable = nameVariable(syntax)
  // Commander does not tell the parser where a value comes from. Its listeners come after these.
  defined.on(`option:${option.name()}`, () => sources.set(value, `${option.long}`))
  defined.on(`optionEnv:${option.name()}`, () => sources.set(value, variable))
  const read = (text: string) => readFlag(flag, text, sources.get(value) ?? variable)
  if (group !== undefined) {
    option.helpGroup(`${group}:`)
    const text = process.env[variable]
    // Commander takes every value of a switch's variable for "on", and an empty variable for a
    // value.
    if (text && (option.required || read(text))) option.env(variable)
  }
  const readNext = (text: string, before: unknown) => [before ?? [], read(text)].flat()
  if (option.required) option.argParser(option.variadic ? readNext : read)
  if (preset !== undefined) option.default(parse(preset), preset)
  defined.addOption(option)
  // Commander would name the first of the options that set the same value.
  defined.hook('preAction', () => {
    const other = sources.has(value) && conflicts.find((one) => sources.has(one))
    if (other)
      throw new UsageError(`${sources.get(value)} cannot be used with ${sources.get(other)}`)
  })
}
