// The shape of a command. Help, variables and the types of values are derived from it.
import type { Command } from 'commander'
import type { FlagTable, FlagValues } from '../../scenario/settings/flag.ts'

export interface CliCommand<Values = never> {
  readonly summary: string
  /** `run` gets what `parse` returns, or the text itself. */
  readonly arguments?: readonly (readonly [
    syntax: string,
    help: string,
    parse?: (text: string) => unknown,
  ])[]
  readonly flags?: FlagTable
  /** By default those of the command above that begin with its name. */
  readonly examples?: readonly string[]
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  /** Its argument is a command, after `--`. */
  readonly runsCommand?: true
  /** The exit code of a mistake, so that 2 can be the command's. @default 2 */
  readonly mistakeCode?: number
  configure?(command: Command): void
  run(flags: Values, args: readonly never[]): void | Promise<void>
}

/** Infers the types of the values from the flags. */
export function defineCommand<const Table extends FlagTable>(
  command: CliCommand<FlagValues<Table>> & { readonly flags?: Table },
): CliCommand {
  return command
}
