// Explains typing mistakes, and what to do about them.
import type { Command, CommanderError } from 'commander'
import { UsageError } from '../../contract/errors.ts'
import { sayMeant } from '../../contract/problem.ts'
import { findNear } from '../../contract/suggest.ts'
import { MOCK_NAME } from '../../control/protocol.ts'
import { isRecordingFile } from '../../world/row.ts'
import type { CliCommand } from './command.ts'
import { quoteWord } from './shell-word.ts'

export function failUnknown(what: string, meant: string | undefined, command?: string): never {
  const program = command === undefined ? MOCK_NAME : `${MOCK_NAME} ${command}`
  throw new UsageError(`unknown ${what}; ${sayMeant(meant, `see ${program} --help`)}`)
}

/** A mistake that commander has found. */
export function explainMistake(
  error: CommanderError,
  defined: Command,
  name: string,
  examples: readonly string[],
): UsageError {
  const next = defined.registeredArguments[defined.args.length]
  if (error.code === 'commander.missingArgument' && next)
    return new UsageError(`${name} needs <${next.name()}>, as in: ${MOCK_NAME} ${examples[0]}`)
  const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
  return new UsageError(`${text}; see ${MOCK_NAME} ${name} --help`)
}

export function refuseExcess(excess: string, name: string, command: CliCommand): never {
  const { arguments: expected = [], commands } = command
  const quoted = JSON.stringify(excess)
  if (commands) failUnknown(`command ${quoted}`, findNear(excess, Object.keys(commands))[0], name)
  const syntaxes = expected.map(([syntax]) => syntax)
  const takes = syntaxes.length === 0 ? 'no arguments' : `only ${syntaxes.join(' ')}`
  const hint = isRecordingFile(excess)
    ? `; start a mock with the recording first: ${MOCK_NAME} open ${quoteWord(excess)}`
    : ''
  throw new UsageError(`unexpected ${quoted}: ${name} takes ${takes}${hint}`)
}
