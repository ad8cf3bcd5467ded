// The commands for a mock that runs already.
import type { Command } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { flag, valueFlag } from './flag.ts'
import { toExamples } from './help.ts'
import { parseCount, parseToken, parseUrl } from './parse-flags.ts'
import type { RequestsFlags, SnapshotFlags, StatusFlags } from './remote-commands.ts'
import { DEFAULT_PORT } from './serve-flags.ts'
import type { RemoteFlags } from './with-mock.ts'

const OPERATIONS = Object.keys(contract.operations)

export function addRemoteCommands(program: Command): void {
  define(program, 'seed', 'load a scenario into a running mock', ['seed sold-out', 'seed ./situation.yaml --sandbox worker-1'])
    .argument('<name|file>', 'a shipped scenario, or a file of your own')
    .action(async (nameOrFile: string, flags: RemoteFlags) => (await load()).runSeed(nameOrFile, flags))
  define(program, 'reset', 'take a running mock back to its scenario', ['reset', 'reset --url http://127.0.0.1:8080/v1']).action(
    async (flags: RemoteFlags) => (await load()).runReset(flags),
  )
  define(program, 'snapshot', 'the whole world of a running mock, as a scenario', ['snapshot', 'snapshot -o situation.yaml'])
    .addOption(flag('-o, --output <file>', 'write it to a file, JSON or YAML by its ending'))
    .action(async (flags: SnapshotFlags) => (await load()).runSnapshot(flags))
  define(program, 'requests', 'what a running mock was asked, and what it answered', [
    'requests --follow',
    'requests --operation createPet --status 400 --json',
  ])
    .addOption(flag('-f, --follow', 'go on with every request that comes in'))
    .addOption(flag('--operation <name>', `only ${list(OPERATIONS, 'or')}`).choices(OPERATIONS))
    .addOption(valueFlag('--status <n>', 'only this status; 0 for dropped ones', parseCount))
    .addOption(valueFlag('--method <method>', 'only this method', (text) => text.toUpperCase()))
    .addOption(valueFlag('--limit <n>', 'at most so many, the latest ones', parseCount))
    .addOption(flag('--json', 'whole entries, a line of JSON each'))
    .action(async (flags: RequestsFlags) => (await load()).runRequests(flags))
  define(program, 'clock', 'the clock of a running mock: show, move or stop it', [
    'clock',
    'clock set 2030-12-06',
    'clock advance P1D',
    'clock freeze',
  ])
    .argument('[action]', 'set, advance, freeze or unfreeze')
    .argument('[value]', 'a date for set, an ISO 8601 duration for advance')
    .action(async (action: string | undefined, value: string | undefined, flags: RemoteFlags) => {
      const change = toClockChange(action, value)
      return (await load()).runClock(change, flags)
    })
  define(program, 'status', 'what a running mock holds, and how it is set', ['status', 'status --json'])
    .addOption(flag('--json', 'as JSON'))
    .action(async (flags: StatusFlags) => (await load()).runStatus(flags))
}

function define(program: Command, name: string, description: string, examples: readonly string[]): Command {
  return program
    .command(name)
    .description(description)
    .addOption(
      valueFlag('--url <address>', 'where the mock is, with or without /v1', (text) => parseUrl(text, contract.basePath)).default(
        `http://127.0.0.1:${DEFAULT_PORT}`,
      ),
    )
    .addOption(flag('--sandbox <key>', 'the world of this API key', 'SANDBOX_KEY'))
    .addOption(valueFlag('--token <token>', 'the token of the control API, if it asks for one', parseToken, 'CONTROL_TOKEN'))
    .addHelpText(
      'after',
      toExamples(
        examples,
        'Variables: ANIMAL_STORE_URL, ANIMAL_STORE_SANDBOX_KEY, ANIMAL_STORE_CONTROL_TOKEN, and one for each other flag.',
      ),
    )
}

/** What the words after `clock` ask for; undefined if only to show it. */
export function toClockChange(
  action: string | undefined,
  value: string | undefined,
): Readonly<Record<string, string | boolean>> | undefined {
  switch (action) {
    case undefined:
      return undefined
    case 'set':
      if (value === undefined) throw new UsageError('clock set: expected a date like 2030-12-06 after it')
      return { now: value }
    case 'advance':
      if (value === undefined) throw new UsageError('clock advance: expected an ISO 8601 duration like P1D after it')
      return { advance: value }
    case 'freeze':
    case 'unfreeze':
      if (value !== undefined) throw new UsageError(`clock ${action}: expected nothing after it, got ${JSON.stringify(value)}`)
      return { frozen: action === 'freeze' }
    default:
      throw new UsageError(`clock: expected set, advance, freeze or unfreeze, got ${JSON.stringify(action)}`)
  }
}

function load() {
  return import('./remote-commands.ts')
}
