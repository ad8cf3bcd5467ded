// The entry of the command line: a start in the ordinary way at once, everything else through commander.
import { isUsageError } from '../contract/errors.ts'
import { readPlainFlags } from './plain-flags.ts'
import { note } from './say.ts'
import { runServe } from './serve.ts'

const MISUSE = 2

/** Runs the command line; a mistake in it is told in one line, with exit code 2. */
export async function run(argv: readonly string[]): Promise<void> {
  const flags = readPlainFlags(argv.slice(2), process.env)
  try {
    if (flags) await runServe(flags)
    else await (await import('./commands.ts')).runCommand(argv, MISUSE)
  } catch (error) {
    if (!isUsageError(error)) throw error
    for (const problem of error.problems) note(problem)
    process.exitCode = MISUSE
  }
}
