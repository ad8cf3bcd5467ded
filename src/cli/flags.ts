// The shape of a command, and every flag in one table: the help, the variables and the types of the values follow from it.
import type { Command } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { suggest } from '../contract/near-names.ts'
import { joinWords } from '../contract/problem.ts'
import { contract } from '../generated/contract.ts'
import { parseDelay, parseDuration } from '../settings/duration.ts'
import { type FlagTable, type FlagValues, parseInteger } from '../settings/flag.ts'
import { parseAssume, settingTexts } from '../settings/texts.ts'

export interface CliCommand<Values = never> {
  readonly summary: string
  /** `run` gets what `parse` returns, or the text itself. */
  readonly arguments?: readonly (readonly [syntax: string, help: string, parse?: (text: string) => unknown])[]
  readonly flags: FlagTable
  readonly examples: readonly string[]
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  configure?(command: Command): void
  run(flags: Values, args: readonly never[]): void | Promise<void>
}

export function defineCommand<Table extends FlagTable>(command: CliCommand<FlagValues<Table>> & { readonly flags: Table }): CliCommand {
  return command
}

export const DEFAULT_PORT = 7387
const MAX_PORT = 65_535

const LOG_STYLES = ['pretty', 'json', 'silent'] as const
export type Format = 'json' | 'yaml'
/** As in `calibrate`, which a mock must not import: it could call the real service. */
const TIERS = ['read', 'refused-writes', 'create-animal'] as const
const OPERATIONS = Object.keys(contract.operations) as (keyof typeof contract.operations)[]

const { apiKeys, clock, latency, faults, surprise, assume } = settingTexts

function group<const Table extends FlagTable>(heading: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, { ...flag, group: heading }])) as Table
}

export const mockFlags = {
  ...group('Server', {
    port: {
      syntax: '-p, --port <n>',
      help: `port (default: ${DEFAULT_PORT} or the next free one; exec: any free one); 0 picks a free one`,
      parse: parsePort,
    },
    host: { syntax: '--host <address>', help: 'address to listen on (default: 127.0.0.1 and ::1)' },
    allowedHost: { syntax: '--allowed-host <host...>', help: 'accept these host names too, besides localhost and IP addresses' },
  }),
  ...group('Data', {
    scenario: { syntax: '-s, --scenario <name|file>', help: 'scenario to start from', default: 'default' },
    watch: { syntax: '--watch', help: 'reload the shared state when the scenario file changes' },
    persist: { syntax: '--persist <file>', help: 'resume from this file if it exists, and save changes to it', conflicts: ['sandbox'] },
    seed: { syntax: '--seed <n>', help: "generate animals instead of the scenario's", parse: parseInteger },
    count: { syntax: '--count <n>', help: 'how many animals to generate', parse: parseInteger },
    ...clock.flags,
  }),
  ...group('Behaviour', {
    ...latency.flags,
    ...faults.flags,
    ...assume.flags,
    ...surprise.flags,
    sandbox: { syntax: '--sandbox', help: 'give every API key a sandbox: its own state' },
  }),
  ...group('Access', {
    ...apiKeys.flags,
    corsOrigin: {
      syntax: '--cors-origin <origin...>',
      help: 'let pages of these origins read responses; "*" for all (default: loopback only)',
    },
    controlToken: { syntax: '--control-token <token>', help: 'require this token for the control API and the console' },
    control: { syntax: '--no-control', help: 'turn the control API and the console off' },
  }),
  ...group('Output', {
    log: {
      syntax: '--log <style>',
      help: `one line per request: ${joinWords(LOG_STYLES, 'or')} (default: pretty; exec: silent)`,
      parse: oneOf(LOG_STYLES),
    },
    readyFile: { syntax: '--ready-file <file>', help: 'write the address to a file once the mock is listening' },
  }),
} as const

export const mockNotes = [
  'Where several values are possible, list them, separate them by commas or repeat the option.',
  'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
]

const remoteFlags = {
  sandbox: { syntax: '--sandbox <key>', help: 'use the sandbox of this API key' },
  ...group('Running mock', {
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
    controlToken: { syntax: '--control-token <token>', help: 'control token, if the mock requires one; or set ANIMAL_STORE_CONTROL_TOKEN' },
  }),
} as const

const OF_RUNNING = ['url', 'sandbox', 'controlToken']

const json = { syntax: '--json', help: 'print JSON' } as const
const formats = <const Name extends string>(...names: readonly [Name, ...Name[]]) =>
  ({ syntax: '--format <format>', help: joinWords(names, 'or'), parse: oneOf(names), default: names[0] as string }) as const
const format = formats('json', 'yaml')
const report = formats('text', 'json', 'md')

const rowFlags = {
  follow: { syntax: '-f, --follow', help: 'print the requests so far, then new ones as they come' },
  operation: { syntax: '--operation <name>', help: `only ${joinWords(OPERATIONS, 'or')}`, parse: oneOf(OPERATIONS) },
  status: { syntax: '--status <n>', help: 'only this status; 0 for dropped connections', parse: parseInteger },
  method: { syntax: '--method <method>', help: 'only this method', parse: (text: string) => text.toUpperCase() },
  limit: { syntax: '--limit <n>', help: 'only the last n (with --all: 1000 by default)', parse: parseInteger },
  all: { syntax: '--all', help: 'the requests of all sandboxes in one list', conflicts: ['sandbox'] },
  verbose: { syntax: '-v, --verbose', help: 'print the bodies too, for bug reports' },
  format: {
    syntax: '--format <format>',
    help: "text, json (complete entries; with --follow one line each) or har (an HTTP archive, for a browser's developer tools)",
    parse: oneOf(['text', 'json', 'har']),
    default: 'text',
  },
} as const

const { port, host, allowedHost, corsOrigin, controlToken, control, log, readyFile } = mockFlags
const openFlag = group('Output', { open: { syntax: '--open', help: 'open the console in the browser' } })

export const flagTables = {
  serve: { ...mockFlags, ...openFlag },
  exec: {
    ...mockFlags,
    ...group('Output', {
      coverage: { syntax: '--coverage <file>', help: "write the command's API coverage to a file" },
      record: { syntax: '--record <file|folder>', help: 'write a recording of the run: this .jsonl file, or exec.jsonl in a folder' },
    }),
  },
  open: {
    at: { syntax: '--at <id>', help: 'start before this request or change instead of at the end', parse: parseInteger },
    ...{ port, host, allowedHost, corsOrigin, controlToken, control, log, readyFile },
    ...openFlag,
  },
  surpriseRun: {
    ...mockFlags,
    seeds: { syntax: '--seeds <n>', help: 'how many seeds to try, from --surprise or 1 on', parse: parseInteger, default: '10' },
  },
  remote: remoteFlags,
  setting: { json, ...remoteFlags },
  assume: {
    why: { syntax: '--why', help: 'explain every question and its choices; needs no running mock' },
    scenario: { syntax: '-s, --scenario <name|file>', help: 'with --why: mark the choices of this scenario', default: 'default' },
    json,
    ...remoteFlags,
  },
  snapshot: {
    output: { syntax: '-o, --output <file>', help: 'write a file instead: JSON or YAML, by its extension' },
    before: { syntax: '--before <id>', help: 'the state just before this request or change, without API keys', parse: parseInteger },
    ...remoteFlags,
  },
  record: { output: { syntax: '-o, --output <file>', help: 'write a file instead of standard output' }, ...remoteFlags },
  requests: { ...rowFlags, ...remoteFlags },
  whatIf: {
    assume: { syntax: '--assume <question=choice...>', help: 'with other choices for what the spec leaves open', parse: parseAssume },
    withoutFaults: { syntax: '--without-faults', help: 'without any fault' },
    now: { syntax: '--now <date>', help: 'at another time, e.g. 2030-12-06' },
    latency: { syntax: '--latency <duration|range>', help: 'with another latency', parse: parseDelay },
    data: { syntax: '--data <body>', help: 'with another body' },
    json,
    ...remoteFlags,
  },
  status: {
    diff: { syntax: '--diff', help: 'show what differs from the loaded scenario' },
    wait: { syntax: '--wait <duration>', help: 'wait until the mock answers, e.g. 30s', parse: parseDuration },
    json,
    ...remoteFlags,
  },
  show: { format, source: { syntax: '--source', help: 'print it as it was written, with its comments' } },
  generate: {
    count: { syntax: '--count <n>', help: 'how many animals', parse: parseInteger, default: '10' },
    seed: { syntax: '--seed <n>', help: 'the same seed gives the same animals', parse: parseInteger, default: '1' },
    format,
  },
  coverage: {
    require: { syntax: '--require <cell...>', help: 'fail unless each of these cells was tried' },
    min: { syntax: '--min <percent>', help: 'fail below this percentage (deprecated operations excluded)', parse: parsePercent },
    format: report,
  },
  mcp: {
    start: { syntax: '--start', help: 'start a mock for it, also if one is running', conflicts: OF_RUNNING },
    scenario: { ...mockFlags.scenario, help: 'start a mock for it, from this scenario', conflicts: OF_RUNNING },
    ...remoteFlags,
  },
  calibrate: {
    probe: {
      syntax: '--probe <tier>',
      help: 'read, refused-writes or create-animal (the API cannot delete it)',
      parse: oneOf(TIERS),
      default: 'read',
    },
    keyStdin: { syntax: '--key-stdin', help: 'read the API key of the service from standard input' },
    har: { syntax: '--har <file>', help: 'decide from recorded traffic instead; nothing is sent' },
    expect: { syntax: '--expect <file>', help: 'compare with an earlier result instead of the defaults' },
    output: { syntax: '-o, --output <file>', help: 'write a scenario with the choices that the service shows' },
    format: report,
    verbose: { syntax: '-v, --verbose', help: 'print every response, also those that are as specified' },
    dryRun: { syntax: '--dry-run', help: 'print the requests and send nothing' },
  },
} as const satisfies Readonly<Record<string, FlagTable>>

export type MockFlags = FlagValues<typeof mockFlags>
export type ServeFlags = FlagValues<typeof flagTables.serve>
export type RemoteFlags = FlagValues<typeof remoteFlags>
export type RequestsFlags = FlagValues<typeof flagTables.requests>

function oneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw new UsageError(suggest(text, choices))
    return found
  }
}

function parsePort(text: string): number {
  const port = parseInteger(text)
  if (port < 0 || port > MAX_PORT) throw new UsageError(`expected a port from 0 to ${MAX_PORT}`)
  return port
}

function parsePercent(text: string): number {
  const percent = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(percent <= 100)) throw new UsageError('expected a percentage from 0 to 100')
  return percent
}

function parseUrl(text: string): string {
  if (/^\d+$/.test(text)) throw new UsageError(`for a port, write --port ${text} or --url http://127.0.0.1:${text}`)
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new UsageError(`expected the address of a mock like http://127.0.0.1:${DEFAULT_PORT}${contract.basePath}`)
  }
  return parsed.origin + parsed.pathname
}
