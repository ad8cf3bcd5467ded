// `completion`: prints a script that completes commands and options in a shell.
import { MOCK_NAME } from '../../control/protocol.ts'
import { parseBy } from '../../scenario/settings/flag.ts'
import { type CliCommand, defineCommand } from '../lib/command.ts'
import { quiet } from '../lib/flags.ts'
import { print } from '../lib/output.ts'
import { DEFAULT_COMMAND } from '../lib/program.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]
type Commands = Readonly<Record<string, CliCommand>>
/** What can follow these words of a command. */
type Completion = Readonly<{ path: readonly string[]; words: readonly string[] }>

/** A function gives the commands, since this one is in their table. */
export const createCompletion = (listCommands: () => Commands) =>
  defineCommand({
    summary: 'print a script that completes commands and options in your shell',
    arguments: [['<shell>', SHELLS.join(', '), parseBy<Shell>({ enum: SHELLS })]],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/animal-store-mock.fish',
    ],
    async run(_flags, [shell = 'bash']: readonly Shell[]) {
      await print(scripts[shell](listCompletions(listCommands())))
    },
  })

function listCompletions(commands: Commands): Completion[] {
  const start = commands[DEFAULT_COMMAND]
  const words = [...Object.keys(commands), 'help', '--version', ...(start ? listFlags(start) : [])]
  const below = Object.entries(commands).flatMap(([name, command]) => complete([name], command))
  // The longest path first, since the scripts take the first that fits.
  const sorted = below.sort((one, other) => other.path.length - one.path.length)
  return [...sorted, { path: [], words }]
}

/** A command below another one has the flags of that too. */
function complete(
  path: readonly string[],
  command: CliCommand,
  inherited: readonly string[] = [],
): Completion[] {
  const { commands = {} } = command
  const flags = [...new Set([...listFlags(command), ...inherited])]
  const own = { path, words: [...Object.keys(commands), ...flags] }
  const entries = Object.entries(commands)
  const below = entries.flatMap(([name, one]) => complete([...path, name], one, flags))
  return [own, ...below]
}

function listFlags({ flags = {} }: CliCommand): string[] {
  const syntaxes = [...Object.values(flags), quiet].map(({ syntax }) => syntax)
  return [...syntaxes.flatMap((syntax) => syntax.match(/--[a-z-]+/) ?? []), '--help']
}

const scripts: Readonly<Record<Shell, (completions: readonly Completion[]) => string>> = {
  bash: (completions) => `_animal_store_mock() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${renderCases(completions, (words) => `words='${words}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _animal_store_mock ${MOCK_NAME}
`,
  zsh: (completions) => `_animal_store_mock() {
  local -a found
  case "\${words[2,CURRENT-1]} " in
${renderCases(completions, (words) => `found=(${words})`)}
  esac
  compadd -- $found
  _files
}
autoload -Uz compinit
(( $+functions[compdef] )) || compinit
compdef _animal_store_mock ${MOCK_NAME}
`,
  fish: (completions) => `function __animal_store_mock
  set -l words (commandline -opc)
  set -e words[1]
  switch "$words "
${renderSwitch(completions)}
  end
end
complete -c ${MOCK_NAME} -a '(__animal_store_mock)'
`,
}

/** The cases of sh. Options may come between the words of a path. */
function renderCases(
  completions: readonly Completion[],
  assign: (words: string) => string,
): string {
  const lines = completions.map(({ path, words }) => {
    const pattern = path.map((word) => `"${word} "*`).join('')
    return `    ${pattern || '*'}) ${assign(words.join(' '))} ;;`
  })
  return lines.join('\n')
}

function renderSwitch(completions: readonly Completion[]): string {
  const lines = completions.flatMap(({ path, words }) => {
    const pattern = path.map((word) => `${word} *`).join('')
    return [`    case '${pattern || '*'}'`, `      string split ' ' '${words.join(' ')}'`]
  })
  return lines.join('\n')
}
