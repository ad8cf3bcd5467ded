// The commands that start a mock.
import type { Command } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import { addMockFlags, addServeFlags } from './define-serve-flags.ts'
import { DEFAULT_COMMAND, toExamples } from './help.ts'
import { runServe } from './serve.ts'
import type { ServeFlags } from './serve-flags.ts'

const VARIABLES = 'Each flag can come from a variable too, --api-key from ANIMAL_STORE_API_KEY and so on.'

export function addServe(program: Command): void {
  const end = toExamples(
    [
      '',
      '--scenario sold-out --port 8080',
      '--scenario ./situation.yaml --watch',
      '--fail createPet=503:2 --delay 200-800',
      '--assume invalid-query=clamp --now 2030-12-06',
      '--api-key qa-key --sandbox --log json',
    ],
    'Where it is goes to stderr, a line for each request to stdout.',
    VARIABLES,
  )
  addServeFlags(program.command(DEFAULT_COMMAND, { isDefault: true }))
    .description('start the mock (the default command)')
    .allowExcessArguments()
    .action((flags: ServeFlags, command: Command) => {
      refuseArguments(command, program)
      return runServe(flags)
    })
    .addHelpText('after', end)
  program.addHelpText('after', end)
}

export function addExec(program: Command): void {
  addMockFlags(program.command('exec'), 'stderr', 'silent')
    .usage('[flags] -- <command...>')
    .argument('<command...>', 'what to run, with its own flags')
    .description('run a command beside a mock on a free port')
    .passThroughOptions()
    .action(async (command: readonly string[], flags: ServeFlags) => (await import('./exec.ts')).runExec(command, flags))
    .addHelpText(
      'after',
      toExamples(
        ['exec -- npm test', 'exec --scenario flaky --sandbox -- npx playwright test'],
        'The command finds the mock by ANIMAL_STORE_URL, and its exit code is passed on.',
        VARIABLES,
      ),
    )
}

/** For commands that have others below them: what is left over is one that does not exist. */
export function refuseArguments({ args: [first] }: Command, parent: Command): void {
  if (first === undefined) return
  const names = parent.commands.map((command) => command.name())
  throw new UsageError(`unknown command ${JSON.stringify(first)}: expected ${list(names, 'or')}`)
}
