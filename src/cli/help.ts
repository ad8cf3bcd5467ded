// How the help texts look, for all commands alike.
import { type Command, Help, type HelpConfiguration } from 'commander'

export const NAME = 'animal-store-mock'
export const DEFAULT_COMMAND = 'serve'

/** The help of the program shows the flags of the default command too: they are what most people look for. */
export function toHelpConfiguration(program: Command): HelpConfiguration {
  const help = new Help()
  return {
    visibleOptions(command) {
      const shown = command === program ? program.commands.find((one) => one.name() === DEFAULT_COMMAND) : undefined
      return [...(shown?.options ?? []), ...help.visibleOptions(command)]
    },
    // In the order of what is shown, so that those of the default command come first.
    groupItems: (_all, visible, groupOf) => help.groupItems(visible, visible, groupOf),
    // Flags without a short name line up with the others.
    optionTerm: ({ short, flags }) => (short === undefined ? `    ${flags}` : flags),
    // The variables follow one rule, which is told once.
    optionDescription: ({ description, defaultValue }) =>
      defaultValue === undefined || typeof defaultValue === 'boolean' ? description : `${description} (default: ${defaultValue})`,
    subcommandTerm: (command) => help.subcommandTerm(command).replace(' [options]', ''),
  }
}

/** The end of a help text: commands to copy, and what else there is to know. */
export function toExamples(commands: readonly string[], ...rest: readonly string[]): string {
  const lines = commands.map((command) => `  ${NAME} ${command}`.trimEnd())
  return ['', 'Examples:', ...lines, ...(rest.length > 0 ? ['', ...rest] : [])].join('\n')
}
