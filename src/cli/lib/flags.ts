// The flags that several commands have. Help, variables and the types of values are derived from
// them.
import { UsageError } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import { REQUEST_TIMEOUT_MS } from '../../contract/limits.ts'
import { checkValue, PORT, TIMEOUT_MS } from '../../contract/options.ts'
import { joinWords } from '../../contract/problem.ts'
import { DEFAULT_PORT, findUrlSandbox, parseMockUrl } from '../../control/protocol.ts'
import {
  animalCount,
  animalSeed,
  DEFAULT_COUNT,
  DEFAULT_SEED,
} from '../../scenario/generate/settings.ts'
import { hostSchema } from '../../scenario/settings/access.ts'
import { checkDuration } from '../../scenario/settings/duration.ts'
import {
  type FlagTable,
  type FlagValues,
  parseBy,
  parseNumberBy,
} from '../../scenario/settings/flag.ts'
import { hostFlags, settingTexts } from '../../scenario/settings/texts.ts'
import { SANDBOX_PATH } from '../../service/choose-sandbox.ts'

/** For a flag that takes one of these names, by default the first. */
export function oneOf<const Name extends string>(names: readonly [Name, ...Name[]]) {
  return {
    help: joinWords(names, 'or'),
    parse: parseBy<Name>({ enum: names }),
    default: names[0],
  }
}

export const parsePort = parseNumberBy(PORT)
export const parseSeed = parseNumberBy(animalSeed)
export const positive = parseNumberBy({ type: 'integer', minimum: 1 })

const STYLES = ['pretty', 'json', 'silent'] as const
const { apiKeys, clock, latency, faults, surprise, assume, ...others } = settingTexts
/** The flags of another setting are missing below: the compiler names it here. */
others satisfies Record<string, never>
const { sandbox, corsOrigin, controlToken, player } = hostFlags

export function group<const Table extends FlagTable>(heading: string, table: Table): Table {
  const entries = Object.entries(table).map(([name, flag]) => [name, { ...flag, group: heading }])
  return Object.fromEntries(entries) as Table
}

const serverFlags = group('Server', {
  port: {
    syntax: '-p, --port <n>',
    help: `port (default: ${DEFAULT_PORT} or the next free one); 0 picks a free one`,
    parse: parsePort,
  },
  host: {
    syntax: '--host <address>',
    help: 'address to listen on (default: 127.0.0.1 and ::1)',
  },
  allowedHost: {
    syntax: '--allowed-host <host...>',
    help: 'accept these names besides localhost and IP addresses',
    parse: parseBy<string>(hostSchema),
  },
  compress: {
    syntax: '--compress',
    help: 'compress responses with br, gzip or deflate, as a request accepts',
  },
  requestTimeout: {
    syntax: '--request-timeout <duration>',
    help: `how long a request may take to arrive (default: ${REQUEST_TIMEOUT_MS / 1_000}s)`,
    parse: (text) => checkValue(TIMEOUT_MS, checkDuration(text)),
  },
})

const dataFlags = group('Data', {
  scenario: {
    syntax: '-s, --scenario <name|file>',
    help: 'scenario to start from',
    default: 'default',
  },
  watch: {
    syntax: '--watch',
    help: 'reload the shared state when the scenario file changes',
  },
  persist: {
    syntax: '--persist <file>',
    help: 'resume from this file if it exists, and save changes to it',
  },
  seed: {
    syntax: '--seed <n>',
    help: `generate animals instead of the scenario's; ${DEFAULT_SEED} with --count`,
    parse: parseSeed,
  },
  count: {
    syntax: '--count <n>',
    help: `how many animals to generate; ${DEFAULT_COUNT} with --seed`,
    parse: parseNumberBy(animalCount),
  },
  ...clock.flags,
})

const behaviourFlags = group('Behaviour', {
  ...latency.flags,
  ...faults.flags,
  ...assume.flags,
  ...surprise.flags,
  sandbox,
})

const keyFlags = group('Access', apiKeys.flags)

const controlFlags = group('Access', {
  corsOrigin,
  controlToken,
  control: {
    syntax: '--no-control',
    help: 'turn the control API and the console off',
  },
})

const outputFlags = group('Output', {
  log: {
    ...oneOf(STYLES),
    syntax: '--log <style>',
    help: `how to log requests: ${joinWords(STYLES, 'or')}`,
  },
  readyFile: {
    syntax: '--ready-file <file>',
    help: 'write the address to a file once the mock is listening',
  },
  player,
})

/** For whatever is served, also a recording, which has its own data, behaviour and keys. */
export const servingFlags = {
  ...serverFlags,
  ...controlFlags,
  ...outputFlags,
}

/** For a new mock. */
export const mockFlags = {
  ...serverFlags,
  ...dataFlags,
  ...behaviourFlags,
  ...keyFlags,
  ...controlFlags,
  ...outputFlags,
}

export const mockNotes = [
  'Where several values are possible, list them, separate them by commas or repeat the option.',
  'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
]

/** This name stands for both loopback addresses. */
export const toLocalUrl = (port: number) => `http://localhost:${port}`

export const globalFlags = group('Running mock', {
  port: {
    syntax: '-p, --port <n>',
    help: 'port of the mock on this machine; short for --url',
    parse: (text) => toLocalUrl(parsePort(text)),
    sets: 'url',
  },
  url: {
    syntax: '--url <address>',
    help: 'address of the mock, with or without /v1; or set ANIMAL_STORE_URL',
    parse: parseUrl,
    default: toLocalUrl(DEFAULT_PORT) + contract.basePath,
  },
  controlToken: {
    ...controlToken,
    help: 'control token, if the mock requires one; or set ANIMAL_STORE_CONTROL_TOKEN',
  },
})
/** For a running mock. */
export const remoteFlags = {
  sandbox: { syntax: '--sandbox <key>', help: 'use the sandbox of this name or API key' },
  ...globalFlags,
} as const
export const json = { syntax: '--json', help: 'print JSON' } as const
/** Where JSON is the default. */
export const yaml = {
  syntax: '--yaml',
  help: 'print YAML instead of JSON',
  conflicts: ['json'],
} as const
/** Every command has it. */
export const quiet = { syntax: '-q, --quiet', help: 'print only results and errors' } as const

function parseUrl(text: string): string {
  if (/^\d+$/.test(text)) throw new UsageError(`for a port, write --port ${text}`)
  const mockUrl = parseMockUrl(text)
  const sandbox = findUrlSandbox(text)
  return sandbox === undefined ? mockUrl : mockUrl + SANDBOX_PATH + encodeURIComponent(sandbox)
}

export type MockFlags = FlagValues<typeof mockFlags>
export type RemoteFlags = FlagValues<typeof remoteFlags>
