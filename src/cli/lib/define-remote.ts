// Commands for a running mock: each says what it asks the mock, and how the answer reads.
import { toJsonText } from '../../contract/escape.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { FlagTable, FlagValues } from '../../scenario/settings/flag.ts'
import type { CliCommand } from './command.ts'
import { globalFlags, json, type RemoteFlags, remoteFlags } from './flags.ts'
import { print, printLines } from './output.ts'
import { withState } from './with-mock.ts'

type Ask<T, Values> = (mock: ControlClient, args: readonly never[], flags: Values) => Promise<T>
type Lines = readonly string[] | undefined
type CommandTexts = Pick<CliCommand, 'summary' | 'arguments' | 'examples' | 'notes' | 'configure'>

interface RemoteCommand<Table extends FlagTable, T, Values = FlagValues<Table> & RemoteFlags>
  extends CommandTexts {
  /** Besides those of every such command. `--json` prints the answer as it is. */
  readonly flags?: Table
  /** Concerns the whole mock, so there is no --sandbox. */
  readonly isGlobal?: boolean
  readonly ask: Ask<T, Values>
  readonly actions?: Readonly<Record<string, CommandTexts & { readonly ask: Ask<T, Values> }>>
  /** Whether the answer is one that a check must fail on, with exit code 1. */
  isFailure?(value: T): boolean
  /** Undefined if the answer is to be printed as with `--json`. */
  render(value: T, flags: Values, args: readonly never[]): Lines | Promise<Lines>
}

export function defineRemote<const Table extends FlagTable, T>(
  command: RemoteCommand<Table, T>,
): CliCommand {
  const { flags, isGlobal, ask, actions, isFailure, render, ...texts } = command
  type Flags = FlagValues<Table> & RemoteFlags & { readonly json?: boolean }

  const show = (asked: Ask<T, Flags>) => async (values: Flags, args: readonly never[]) => {
    const use = (mock: ControlClient) => asked(mock, args, values)
    const value = await withState(values, use, { isQuiet: isGlobal })
    if (isFailure?.(value)) process.exitCode = 1
    const lines = values.json ? undefined : await render(value, values, args)
    return lines ? printLines(lines) : print(toJsonText(value))
  }

  const defined: CliCommand = {
    ...texts,
    flags: { ...flags, json, ...(isGlobal ? globalFlags : remoteFlags) },
    run: show(ask),
  }
  if (!actions) return defined
  const commands: Record<string, CliCommand> = {}
  for (const [name, action] of Object.entries(actions))
    commands[name] = { ...action, run: show(action.ask) }
  return { ...defined, commands }
}
