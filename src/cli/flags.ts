// Every flag of the command line, in one table: how it is typed, what it means, how its text is read. The help, the variables and the
// types of the values follow from here; the code that uses a flag is the only other place that knows it.
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import {
  parseAddress,
  parseApiKey,
  parseAssume,
  parseControlToken,
  parseCount,
  parseDelay,
  parseFail,
  parseHostName,
  parseInteger,
  parseMethod,
  parseNow,
  parseOrigin,
  parsePercent,
  parsePort,
  parsePrintedCount,
  parseToken,
  parseUrl,
} from '../mock/parse-settings.ts'
import type { FlagTable, FlagValues } from './flag.ts'

export const DEFAULT_PORT = 7387

const LOG_STYLES = ['pretty', 'json', 'silent'] as const
const FORMATS = ['json', 'yaml'] as const
export type Format = (typeof FORMATS)[number]
const OPERATIONS = Object.keys(contract.operations) as (keyof typeof contract.operations)[]

/** Of a mock that is started, by `serve` or by `exec`. */
export const mockFlags = {
  port: {
    syntax: '-p, --port <n>',
    group: 'Server',
    help: `port (default: ${DEFAULT_PORT} or the next free one; exec: any free one); 0 picks a free one`,
    parse: parsePort,
  },
  host: { syntax: '--host <address>', group: 'Server', help: 'address to listen on (default: 127.0.0.1 and ::1)', parse: parseAddress },
  allowedHost: {
    syntax: '--allowed-host <host...>',
    group: 'Server',
    help: 'accept these host names too, besides localhost and IP addresses',
    parse: parseHostName,
  },
  scenario: { syntax: '-s, --scenario <name|file>', group: 'Data', help: 'scenario to start from', default: 'default' },
  watch: { syntax: '--watch', group: 'Data', help: 'reload when the scenario file changes; keep the last valid version' },
  seed: { syntax: '--seed <n>', group: 'Data', help: "generate animals instead of the scenario's", parse: parseInteger },
  count: { syntax: '--count <n>', group: 'Data', help: 'how many animals to generate', parse: parseCount },
  now: { syntax: '--now <date>', group: 'Data', help: "where the mock's clock starts, e.g. 2030-12-06", parse: parseNow },
  frozen: { syntax: '--frozen', group: 'Data', help: 'stop the clock there' },
  delay: { syntax: '--delay <ms|min-max>', group: 'Behaviour', help: 'delay every response', parse: parseDelay },
  fail: {
    syntax: '--fail <operation=status...>',
    group: 'Behaviour',
    help: 'make an operation fail: createPet=503, or only twice: createPet=503:2',
    parse: parseFail,
  },
  assume: {
    syntax: '--assume <question=choice...>',
    group: 'Behaviour',
    help: 'choose behaviour that the spec leaves open',
    parse: parseAssume,
  },
  sandbox: { syntax: '--sandbox', group: 'Behaviour', help: 'give every API key a world of its own' },
  apiKey: {
    syntax: '--api-key <key...>',
    group: 'Access',
    help: 'accept only these keys (default: any bearer token but "invalid")',
    parse: parseApiKey,
    isSecret: true,
  },
  corsOrigin: {
    syntax: '--cors-origin <origin...>',
    group: 'Access',
    help: 'let pages of these origins read responses; "*" for all (default: loopback only)',
    parse: parseOrigin,
  },
  controlToken: {
    syntax: '--control-token <token>',
    group: 'Access',
    help: 'require this token for the control API and the console',
    parse: parseControlToken,
    isSecret: true,
  },
  controlTokenFile: { syntax: '--control-token-file <file>', group: 'Access', help: 'read the control token from a file' },
  control: { syntax: '--no-control', group: 'Access', help: 'turn the control API and the console off' },
  log: {
    syntax: '--log <style>',
    group: 'Output',
    help: `one line per request: ${list(LOG_STYLES, 'or')} (default: pretty; exec: silent)`,
    choices: LOG_STYLES,
  },
  readyFile: { syntax: '--ready-file <file>', group: 'Output', help: 'write the address to a file once the mock is listening' },
} as const satisfies FlagTable

export const execFlags = {
  ...mockFlags,
  coverage: { syntax: '--coverage <file>', group: 'Output', help: 'write what the command tried of the API to a file, for coverage' },
} as const satisfies FlagTable

export const serveFlags = {
  ...mockFlags,
  open: { syntax: '--open', group: 'Output', help: 'open the console in the browser' },
} as const satisfies FlagTable

/** Of the commands that talk to a running mock. */
export const remoteFlags = {
  url: {
    syntax: '--url <address>',
    group: 'Running mock',
    help: 'address of the mock, with or without /v1',
    parse: parseUrl,
    default: `http://127.0.0.1:${DEFAULT_PORT}${contract.basePath}`,
    variable: 'URL',
  },
  sandbox: { syntax: '--sandbox <key>', group: 'Running mock', help: 'use the world of this API key', variable: 'SANDBOX_KEY' },
  token: {
    syntax: '--token <token>',
    group: 'Running mock',
    help: 'control token, if the mock requires one',
    parse: parseToken,
    isSecret: true,
    variable: 'CONTROL_TOKEN',
  },
  /** For tests of servers that stall. */
  timeout: { syntax: '--timeout <ms>', help: 'how long the mock may be silent', parse: parseCount, isInternal: true },
} as const satisfies FlagTable

const json = { syntax: '--json', help: 'print JSON' } as const
const format = { syntax: '--format <format>', help: list(FORMATS, 'or'), choices: FORMATS, default: 'json' } as const

export const snapshotFlags = {
  output: { syntax: '-o, --output <file>', help: 'write a file instead: JSON or YAML, by its extension' },
  ...remoteFlags,
} as const satisfies FlagTable

export const requestsFlags = {
  follow: { syntax: '-f, --follow', help: 'print the requests so far, then stream new ones' },
  operation: { syntax: '--operation <name>', help: `only ${list(OPERATIONS, 'or')}`, choices: OPERATIONS },
  status: { syntax: '--status <n>', help: 'only this status; 0 for dropped connections', parse: parseCount },
  method: { syntax: '--method <method>', help: 'only this method', parse: parseMethod },
  limit: { syntax: '--limit <n>', help: 'only the last n', parse: parseCount },
  all: { syntax: '--all', help: 'the requests of all sandboxes in one list' },
  json: { ...json, help: 'print complete entries, one line of JSON each' },
  har: { syntax: '--har', help: "print an HTTP archive (HAR 1.2), for a browser's developer tools" },
  ...remoteFlags,
} as const satisfies FlagTable

export const statusFlags = {
  diff: { syntax: '--diff', help: 'show what differs from the loaded scenario' },
  json,
  ...remoteFlags,
} as const satisfies FlagTable

export const showFlags = { format } as const satisfies FlagTable

export const generateFlags = {
  count: { syntax: '--count <n>', help: 'how many animals', parse: parsePrintedCount, default: '10' },
  seed: { syntax: '--seed <n>', help: 'the same seed gives the same animals', parse: parseInteger, default: '1' },
  format,
} as const satisfies FlagTable

export const assumptionsFlags = { json } as const satisfies FlagTable

const REPORT_FORMATS = ['text', 'json', 'md'] as const

export const coverageFlags = {
  require: { syntax: '--require <cell...>', help: 'fail unless each of these cells was tried' },
  min: { syntax: '--min <percent>', help: 'fail below this percentage (deprecated operations excluded)', parse: parsePercent },
  format: { syntax: '--format <format>', help: list(REPORT_FORMATS, 'or'), choices: REPORT_FORMATS, default: 'text' },
} as const satisfies FlagTable

export type MockFlags = FlagValues<typeof mockFlags>
export type ServeFlags = FlagValues<typeof serveFlags>
export type RemoteFlags = FlagValues<typeof remoteFlags>
export type RequestsFlags = FlagValues<typeof requestsFlags>
