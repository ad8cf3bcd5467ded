// How help is arranged. Commander writes it.
import { type Command, Help, type HelpConfiguration } from 'commander'
import { MOCK_NAME } from '../../control/protocol.ts'
import type { CliCommand } from './command.ts'

/**
 * The program's help includes the flags of the default command; a subcommand's help includes those
 * of its parent.
 */
export function configureHelp(program: Command, defaultCommand: string): HelpConfiguration {
  const help = new Help()
  return {
    visibleOptions(command) {
      const isProgram = command === program
      const shown = program.commands.filter((one) =>
        isProgram ? one.name() === defaultCommand : one === command.parent,
      )
      return [...shown.flatMap(({ options }) => options), ...help.visibleOptions(command)]
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

/** What comes after the options and commands. */
export function renderEnd(examples: readonly string[], notes: CliCommand['notes'] = []): string {
  const lines = ['', 'Examples:']
  for (const example of examples) lines.push(`  ${MOCK_NAME} ${example}`.trimEnd())
  if (notes.length > 0) lines.push('', ...notes)
  return lines.join('\n')
}
