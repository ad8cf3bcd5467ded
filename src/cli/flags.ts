// The shape of a command, and the flags that several have: the help, the variables and the types of the values follow.
import type { Command } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { PORT } from '../contract/options.ts'
import { joinWords } from '../contract/problem.ts'
import { DEFAULT_PORT, parseMockUrl, rowId } from '../control/methods.ts'
import { animalCount, animalSeed, DEFAULT_COUNT, DEFAULT_SEED } from '../generate/settings.ts'
import { contract } from '../generated/contract.ts'
import { type FlagTable, type FlagValues, parseBy } from '../settings/flag.ts'
import { hostSchema } from '../settings/rows.ts'
import { hostFlags, settingTexts } from '../settings/texts.ts'

export interface CliCommand<Values = never> {
  readonly summary: string
  /** `run` gets what `parse` returns, or the text itself. */
  readonly arguments?: readonly (readonly [syntax: string, help: string, parse?: (text: string) => unknown])[]
  readonly flags?: FlagTable
  /** By default those of the command above that begin with its name. */
  readonly examples?: readonly string[]
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  /** Its argument is a command, after `--`. */
  readonly runsCommand?: true
  configure?(command: Command): void
  run(flags: Values, args: readonly never[]): void | Promise<void>
}

export function defineCommand<const Table extends FlagTable>(
  command: CliCommand<FlagValues<Table>> & { readonly flags?: Table },
): CliCommand {
  return command
}

export const oneOf = <T extends string>(names: readonly T[]) => parseBy<T>({ enum: names })
export const integerFrom = (minimum: number, maximum?: number) => parseBy({ type: 'integer', minimum, ...(maximum && { maximum }) })
const parsePort = parseBy(PORT)
const parseHost = parseBy<string>(hostSchema)
export const parseSeed = parseBy(animalSeed)
export const parseRowId = parseBy(rowId)

const STYLES = ['pretty', 'json', 'silent'] as const
export type Format = 'json' | 'yaml'

const { apiKeys, clock, latency, faults, surprise, assume } = settingTexts
const { sandbox, ...access } = hostFlags

export function group<const Table extends FlagTable>(heading: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, { ...flag, group: heading }])) as Table
}

export const scenarioFlag = { syntax: '-s, --scenario <name|file>', help: 'scenario to start from', default: 'default' } as const

export const mockFlags = {
  ...group('Server', {
    port: { syntax: '-p, --port <n>', help: `port (default: ${DEFAULT_PORT} or the next free one); 0 picks a free one`, parse: parsePort },
    host: { syntax: '--host <address>', help: 'address to listen on (default: 127.0.0.1 and ::1)' },
    allowedHost: { syntax: '--allowed-host <host...>', help: 'accept these names besides localhost and IP addresses', parse: parseHost },
  }),
  ...group('Data', {
    scenario: scenarioFlag,
    watch: { syntax: '--watch', help: 'reload the shared state when the scenario file changes' },
    persist: { syntax: '--persist <file>', help: 'resume from this file if it exists, and save changes to it', conflicts: ['sandbox'] },
    seed: { syntax: '--seed <n>', help: `generate animals instead of the scenario's; ${DEFAULT_SEED} with --count`, parse: parseSeed },
    count: { syntax: '--count <n>', help: `how many animals to generate; ${DEFAULT_COUNT} with --seed`, parse: parseBy(animalCount) },
    ...clock.flags,
  }),
  ...group('Behaviour', { ...latency.flags, ...faults.flags, ...assume.flags, ...surprise.flags, sandbox }),
  ...group('Access', {
    ...apiKeys.flags,
    ...access,
    control: { syntax: '--no-control', help: 'turn the control API and the console off' },
  }),
  ...group('Output', {
    log: { syntax: '--log <style>', help: `how to log requests: ${joinWords(STYLES, 'or')}`, parse: oneOf(STYLES), default: 'pretty' },
    readyFile: { syntax: '--ready-file <file>', help: 'write the address to a file once the mock is listening' },
  }),
} as const

export const mockNotes = [
  'Where several values are possible, list them, separate them by commas or repeat the option.',
  'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
]

export const globalFlags = group('Running mock', {
  port: {
    syntax: '-p, --port <n>',
    help: 'port of the mock on this machine; short for --url',
    parse: (text: string) => `http://localhost:${parsePort(text)}`,
    sets: 'url',
  },
  url: {
    syntax: '--url <address>',
    help: 'address of the mock, with or without /v1; or set ANIMAL_STORE_URL',
    parse: parseUrl,
    // This name stands for both loopback addresses.
    default: `http://localhost:${DEFAULT_PORT}${contract.basePath}`,
  },
  controlToken: { ...access.controlToken, help: 'control token, if the mock requires one; or set ANIMAL_STORE_CONTROL_TOKEN' },
})
export const remoteFlags = { sandbox: { syntax: '--sandbox <key>', help: 'use the sandbox of this API key' }, ...globalFlags } as const

export const json = { syntax: '--json', help: 'print JSON' } as const

export const formats = <const Name extends string>(...names: readonly [Name, ...Name[]]) =>
  ({ syntax: '--format <format>', help: joinWords(names, 'or'), parse: oneOf(names), default: names[0] as string }) as const

function parseUrl(text: string): string {
  if (/^\d+$/.test(text)) throw new UsageError(`for a port, write --port ${text}`)
  return parseMockUrl(text)
}

export type MockFlags = FlagValues<typeof mockFlags>
export type RemoteFlags = FlagValues<typeof remoteFlags>
