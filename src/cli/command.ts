// What a command is made of. Each has a file of its own in commands/, which is loaded when the command runs.
import type { Command } from 'commander'
import type { FlagTable, FlagValues } from './flag.ts'

export interface CliCommand {
  /** One line for the list of commands. */
  readonly summary: string
  /** What is typed after the command, each with its help. */
  readonly arguments?: readonly (readonly [syntax: string, help: string])[]
  readonly flags: FlagTable
  /** What can be typed after the program's name. */
  readonly examples: readonly string[]
  /** Whatever else the help should say. */
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  /** Settings of commander's that only this command needs. */
  configure?(command: Command): void
  /** Changes what was typed after the command before commander reads it. */
  arrange?(args: readonly string[]): readonly string[]
  run(flags: never, args: readonly string[]): void | Promise<void>
}

interface Definition<Table extends FlagTable> extends Omit<CliCommand, 'flags' | 'run'> {
  readonly flags: Table
  run(flags: FlagValues<Table>, args: readonly string[]): void | Promise<void>
}

/** A command whose `run` gets the values of its own flags. */
export function defineCommand<Table extends FlagTable>(definition: Definition<Table>): CliCommand {
  return definition
}
