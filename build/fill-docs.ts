// The reference tables of the documentation, from the tables in the code. A page marks the place of
// a table with `<!-- table: limits -->`; the build writes everything up to the next empty line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TIERS } from '../src/calibrate/probe.ts'
import { type CliCommand, mockFlags, remoteFlags } from '../src/cli/lib/flags.ts'
import { commands as loaders } from '../src/cli/main.ts'
import { contract } from '../src/contract/generated/contract.ts'
import { questions } from '../src/contract/generated/questions.ts'
import * as limits from '../src/contract/limits.ts'
import type { Problem } from '../src/contract/problem.ts'
import type { ControlMethod } from '../src/control/control.ts'
import { tools } from '../src/control/mcp/tools.ts'
import { methods } from '../src/control/methods.ts'
import { MISSTEPS } from '../src/kits/kit-options.ts'
import type { Flag } from '../src/scenario/settings/flag.ts'
import { scenarios } from '../src/scenario/shipped.ts'
import { FAULT_BODIES } from '../src/world/fault-outcome.ts'
import { reasons } from '../src/world/surprise.ts'
import { type Exported, type Member, readSource } from './read-source.ts'

type Row = readonly string[]

const read = (file: string) => readSource(fileURLToPath(new URL(`../src/${file}`, import.meta.url)))

/** In the order of the file, with their doc comments. */
const documentedLimits = read('contract/limits.ts').exported

const commands: readonly (readonly [name: string, command: CliCommand])[] = await Promise.all(
  Object.entries(loaders).map(async ([name, load]) => [name, await load()] as const),
)

/** The interfaces whose fields a table of options lists: their files and names. */
const OPTIONS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  createMock: [
    ['mock/mock-options.ts', 'MockOptions'],
    ['mock/mock-options.ts', 'OwnOptions'],
  ],
  createFetch: [['mock/fetch.ts', 'FetchOptions']],
  createHandlers: [['hosts/msw.ts', 'HandlerOptions']],
  serve: [['hosts/node/serve.ts', 'ServeOptions']],
  middleware: [['hosts/node/middleware.ts', 'MiddlewareOptions']],
  connect: [['control/client/connect.ts', 'ConnectOptions']],
  calibrate: [['calibrate/calibrate.ts', 'CalibrateOptions']],
  generatePets: [
    ['scenario/generate/settings.ts', 'GenerateSettings'],
    ['scenario/generate/generate-pets.ts', 'GenerateOptions'],
  ],
  mockStore: [
    ['kits/kit-options.ts', 'InterceptionOptions'],
    ['kits/kit-options.ts', 'StoreParameters'],
    ['kits/kit-options.ts', 'ReportOptions'],
    ['kits/kit-options.ts', 'StoreOptions'],
  ],
  withStore: [['kits/playwright.ts', 'WithStoreOptions']],
  storeLoader: [['kits/storybook.ts', 'LoaderOptions']],
  openConsole: [['hosts/page.ts', 'ConsoleOptions']],
  animalStore: [['hosts/node/vite.ts', 'AnimalStoreOptions']],
  toHaveReceived: [['kits/match-request.ts', 'ExpectedRequest']],
  'a scenario': [
    ['scenario/document.ts', 'ScenarioDocument'],
    ['world/scenario.ts', 'Scenario'],
    ['world/scenario.ts', 'Settings'],
  ],
  'a fault': [
    ['world/faults.ts', 'FaultConditions'],
    ['world/faults.ts', 'Effects'],
    ['world/faults.ts', 'FaultCounts'],
  ],
}

const listChoices = (choices: readonly string[]) => choices.map((one) => `'${one}'`).join(' | ')

const operations = listChoices(Object.keys(contract.operations))

/** What a reader knows instead of our names for types. */
const PLAIN_TYPES: Readonly<Record<string, string>> = {
  AddedPet: 'Pet',
  'AddedPet[]': 'Pet[]',
  BaseUrl: 'string | URL | list',
  Delay: 'number | string | list',
  FaultBody: listChoices(Object.keys(FAULT_BODIES)),
  FaultResponse: 'object',
  Values: 'object',
  GenerateSettings: 'object',
  Int64: 'number | bigint',
  'Misstep[]': `(${listChoices(Object.keys(MISSTEPS))})[]`,
  "OperationId | '*'": `${operations} | '*'`,
  'Readonly<Partial<AssumptionChoices>>': 'object',
  'GivenScenario | NotAName': 'Scenario',
  'ScenarioDocument | GivenScenario | string': 'ScenarioDocument | string',
  'ScenarioDocument | GivenScenario | ScenarioName | ScenarioFile':
    'ScenarioDocument | ScenarioName | ScenarioFile',
  'Json | undefined': 'any value',
  LoggedMessage: 'object',
  OperationId: operations,
  'OperationId | null': `${operations} | null`,
  'AssumptionId[]': 'string[]',
  'Int64 | null': 'number | bigint | null',
  'Problem[]': 'object[]',
  'Readonly<Record<string, string | string[]>>': 'object',
  Json: 'any value',
  ReadScenario: 'Scenario',
  StateStorage: 'Storage',
  StatusWeights: 'object',
  Surprise: 'object',
  Tier: listChoices(TIERS),
  AssumptionId: 'string',
  'ChangedItem[]': 'object[]',
  Counts: 'Record<string, number>',
  'Delay | null': 'number | string | list | null',
  'PetColumn | `-${PetColumn}`': "'id' | '-id' | 'name' | …",
  "PetStatus | 'absent'": "'available' | 'pending' | 'sold' | 'absent'",
  RequestChange: '{ method?, target?, headers?, body? }',
  RecordingSource: '{ file, version, madeAt }',
  'Record<string, Counts>': 'Record<string, Record<string, number>>',
  'Record<string, Readonly<Record<string, Counts>>>': 'object',
  DelayMs: 'number | [number, number]',
  'DelayMs | null': 'number | [number, number] | null',
  'Readonly<{ status: number | null; headers: string[]; body: boolean }> | null':
    '{ status, headers, body } | null',
  'Partial<AssumptionChoices>': 'object',
  Wait: 'number | string | list',
  'typeof globalThis.fetch': 'function',
  unknown: 'any value',
  'Result | Promise<Result>': '{ result, row }',
}

/** The control methods by what they are for, each in one group. */
export const GROUPS: Readonly<Record<string, readonly ControlMethod[]>> = {
  'the state': ['summary', 'state', 'diff', 'load', 'reset', 'scenarios'],
  animals: ['pets.list', 'pets.get', 'pets.add', 'pets.update', 'pets.remove'],
  faults: [
    'faults.list',
    'faults.add',
    'faults.remove',
    'faults.clear',
    'latency.get',
    'latency.set',
  ],
  'the clock': ['clock.get', 'clock.set', 'clock.advance', 'clock.freeze'],
  'the timeline': [
    'requests',
    'timeline',
    'undo',
    'rewind',
    'whatIf',
    'clearRequests',
    'recording',
    'openRecording',
  ],
  'open questions': ['assumptions', 'assume', 'coverage'],
  sandboxes: ['sandboxes', 'removeSandbox'],
}

/** Methods of the control without a route, beside those of a group. */
const WITHOUT_ROUTE: Readonly<Record<string, readonly string[]>> = {
  sandboxes: ['sandbox', 'subscribe', 'call'],
}

/** A type by its file and name, with only some of its fields if they are named. */
type Source = readonly [file: string, name: string, fields?: readonly string[]]

/** What the methods take and return, each with the types that it extends. */
const TYPES: Readonly<Record<string, readonly Source[]>> = {
  StateSummary: [['control/control.ts', 'StateSummary']],
  StateDiff: [['control/control.ts', 'StateDiff']],
  ScenarioSummary: [['control/control.ts', 'ScenarioSummary']],
  PetFilter: [['control/control.ts', 'PetFilter']],
  PetPage: [['control/control.ts', 'PetPage']],
  ClockState: [['control/control.ts', 'ClockState']],
  RequestFilter: [
    ['control/control.ts', 'RequestFilter'],
    ['world/row-filter.ts', 'LogFilter'],
  ],
  RequestRow: [
    ['world/row.ts', 'RowHead'],
    ['world/row.ts', 'RequestRow'],
  ],
  ChangeRow: [
    ['world/row.ts', 'RowHead'],
    ['world/row.ts', 'ChangeRow'],
  ],
  TimelineRow: [
    ['world/row.ts', 'TimelineRow'],
    ['world/row.ts', 'RowHead'],
  ],
  WhatIfChange: [['control/control.ts', 'WhatIfChange']],
  WhatIf: [
    ['world/row.ts', 'RowHead', ['id']],
    [
      'world/row.ts',
      'RequestRow',
      [
        'status',
        'outcome',
        'durationMs',
        'error',
        'problems',
        'assumptions',
        'faults',
        'notes',
        'response',
      ],
    ],
    ['control/control.ts', 'WhatIf'],
  ],
  Alternative: [
    ['control/control.ts', 'Alternative'],
    ['world/row.ts', 'RequestRow', ['status', 'outcome', 'error']],
  ],
  AssumptionState: [['control/control.ts', 'AssumptionState']],
  Coverage: [['service/coverage.ts', 'Coverage']],
  OutcomeCount: [['control/control.ts', 'OutcomeCount']],
  Call: [['service/call.ts', 'Call']],
  Reply: [['service/call.ts', 'Reply']],
}

/** Fields that the comment of their type explains, in the words of a table. */
const MEANINGS: Readonly<Record<string, string>> = {
  'StateDiff.scenario': 'The name of the scenario that the state is compared with.',
  'StateDiff.pets': 'The animals that are new, that changed, and that are gone.',
  'StateDiff.latency': 'The latency before and after; null if it is the same.',
  'StateDiff.assume': 'The assumptions whose choices differ.',
  'ScenarioSummary.name': 'The name to load it by.',
  'ScenarioSummary.description': 'Its purpose, in a sentence.',
  'ScenarioSummary.pets': 'The number of its animals.',
  'ClockState.now': "The mock's time, in ISO 8601 and UTC.",
  'ClockState.frozen': 'Whether the clock stands still.',
  'RequestFilter.sandbox': 'The requests of all sandboxes, and of the shared state.',
  'WhatIfChange.assume': "Other choices, such as `{ 'invalid-query': 'clamp' }`.",
  'Alternative.change': 'The change, as `whatIf` takes it.',
  'AssumptionState.id': 'Its name, such as `invalid-query`.',
  'AssumptionState.choices': 'The choices that you have.',
  'AssumptionState.choice': 'The current choice.',
  'AssumptionState.default': 'The choice unless you change it.',
  'OutcomeCount.assumption': 'The name of the question.',
  'OutcomeCount.choice': 'The other choice.',
  'OutcomeCount.requests': 'How many requests would get another status.',
}

/** What each kind of problem means, and the fields that it has. */
const PROBLEMS: Readonly<Record<Problem['kind'], readonly [fields: string, meaning: string]>> = {
  missing: ['`path`', 'A required field is missing.'],
  mismatch: [
    '`path`, `expected`, `got?`, `choices?`, `near?`, `advice?`',
    'A value is not what was expected.',
  ],
  'unknown-field': [
    '`path`, `name`, `known`, `near?`',
    'A field is unknown; `known` lists the valid ones.',
  ],
  'duplicate-id': [
    '`path`, `id`, `also`',
    'Two animals have the same id; `also` is the path of the other one.',
  ],
  syntax: ['`of?`, `found`, `line?`, `column?`', 'A body or file is not valid JSON or YAML.'],
  'unknown-path': ['`compared`', 'The API does not have this path.'],
  'near-path': [
    '`slip`, `near`, `base`, `prefix?`',
    'The API does not have this path, but has a similar one, `near`.',
  ],
  'not-found': ['`what`, `id`', 'There is nothing with this id.'],
  'too-large': ['`maxBytes`', 'The body is too large.'],
  fault: ['`status`, `reason`', 'A fault or `Prefer` asked for this error.'],
  text: ['`path?`, `text`', 'Anything else, as a sentence.'],
  more: ['–', 'There are more problems than a message names.'],
}

/** Types that another page explains. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Scenario: 'scenarios.md#fields',
  LiveFault: 'faults.md#fields-of-a-fault',
}

/** What a page says below the table of a type. */
const NOTES: Readonly<Record<string, string>> = {
  TimelineRow:
    "If its `type` is `'request'`, it is a [RequestRow](#requestrow); if it is `'change'`, a [ChangeRow](#changerow).",
}

/** The limits that people meet. */
const MET = [
  'MAX_BODY_BYTES',
  'MAX_DELAY_MS',
  'MAX_LOG_ROWS',
  'MAX_LOGGED_BODY_CHARACTERS',
  'MAX_SANDBOXES',
  'MAX_PETS_PER_REQUEST',
  'MAX_DOCUMENT_BYTES',
  'MAX_FAULTS',
  'MIN_TOKEN_CHARACTERS',
  'STOP_TIMEOUT_MS',
]

const tables: Readonly<Record<string, () => readonly Row[]>> = {
  ...Object.fromEntries(
    Object.keys(OPTIONS).map((name) => [`options of ${name}`, () => listOptions(name)]),
  ),
  commands: () => [
    ['command', 'does'],
    ...commands.map(([name, { summary }]) => [
      `[\`${name}\`](appendix/commands.md#${name})`,
      summary,
    ]),
  ],
  ...Object.fromEntries(
    Object.entries(GROUPS).map(([name, names]) => [
      `methods for ${name}`,
      () => listMethods([...names, ...(WITHOUT_ROUTE[name] ?? [])]),
    ]),
  ),
  'limits that people meet': () => [
    ['limit', 'value'],
    ...MET.flatMap((met) => documentedLimits.filter(({ name }) => name === met).map(toLimitRow)),
  ],
  'other limits': () => [
    ['limit', 'value'],
    ...documentedLimits.filter(({ name }) => !MET.includes(name)).map(toLimitRow),
  ],
  tools: () => [
    ['tool', 'control methods'],
    ...tools.map(({ name, description }) => {
      const calls = Object.entries(methods).flatMap(([method, { tool }]) =>
        tool === name ? `\`${method}\`` : [],
      )
      return [`\`${name}\``, calls.join(', ') || description]
    }),
  ],
  assumptions: () => [
    ['question', 'default', 'alternatives'],
    ...questions.map(({ id, question, default: chosen, choices }) => [
      `\`${id}\`: ${question}`,
      `\`${chosen}\``,
      choices.flatMap((choice) => (choice.id === chosen ? [] : `\`${choice.id}\``)).join(' · ') ||
        '–',
    ]),
  ],
  scenarios: () => [
    ['name', 'state'],
    ...Object.values(scenarios).map(({ name, description = '' }) => [`\`${name}\``, description]),
  ],
  surprises: () => [
    ['kind', 'do not rely on'],
    ...Object.entries(reasons).map(([kind, { relied }]) => [`\`${kind}\``, relied]),
  ],
}

/** A page with its tables. */
export function fillTables(text: string): string {
  const parts = text.split(/(?<=<!-- table: [\w ]+ -->\n)[\s\S]*?(?=\n\n|\n$)/)
  const filled = parts.map((part) => {
    const [, name] = /<!-- table: ([\w ]+) -->\n$/.exec(part) ?? []
    if (name === undefined) return part
    const make = tables[name]
    if (!make) throw new Error(`There is no table "${name}"`)
    return part + toTable(make())
  })
  return filled.join('')
}

/** Flags that several commands have: told once. */
const SHARED: readonly (readonly [title: string, flags: readonly Flag[]])[] = [
  ['Flags for a running mock', Object.values(remoteFlags)],
  ['Flags for a new mock', Object.values(mockFlags)],
]

/** Every command with its arguments and flags. */
export function renderCommands(): string {
  return [
    '# Appendix: every command and flag',
    'The build writes this page from what `--help` prints. [Command line](../command-line.md) has variables, output and exit codes.',
    ...SHARED.flatMap(([title, flags]) => [`## ${title}`, toTable(listFlags(flags))]),
    ...commands.flatMap(([name, command]) => renderCommand(name, command, '##')),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function renderCommand(
  name: string,
  { summary, arguments: args = [], flags = {}, commands: below = {} }: CliCommand,
  level: string,
): string[] {
  const has = (flag: Flag) => Object.values(flags).some(({ syntax }) => syntax === flag.syntax)
  const taken = SHARED.filter(([, shared]) => shared.every(has))
  // A command may say something else about a flag that it shares, such as another default.
  const told = taken.flatMap(([, shared]) => shared.map((flag) => String(listFlags([flag]))))
  const own = Object.values(flags).filter((flag) => !told.includes(String(listFlags([flag]))))
  const links = taken.map(
    ([title]) =>
      ` Takes the [${title.toLowerCase()}](#${title.toLowerCase().replaceAll(' ', '-')}).`,
  )
  const rows = [
    ...args.map(([syntax, help]) => [`\`${syntax}\``, '–', help]),
    ...listFlags(own).slice(1),
  ]
  return [
    `${level} ${name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.${links.join('')}`,
    ...(rows.length === 0 ? [] : [toTable([['argument or flag', 'default', 'meaning'], ...rows])]),
    ...Object.entries(below).flatMap(([sub, command]) =>
      renderCommand(`${name} ${sub}`, command, `${level}#`),
    ),
  ]
}

/** What the control methods take and return, and what an adapter passes on. */
export function renderTypes(): string {
  return [
    '# Appendix: types',
    'The build writes this page from the code. [Control](../control.md) has the methods. `?` marks a field that can be absent.',
    'Other pages have [Scenario](../scenarios.md#fields), [LiveFault](../faults.md#fields-of-a-fault) and [events](../requests.md#events).',
    ...Object.entries(TYPES).flatMap(([name, sources]) => renderType(name, sources)),
    '## Problem',
    'One reason for a refusal, as data. A `path` is like `pets[3].status`; it is empty for a whole body. Some have `at`, a file with its line, or `caller`, the function, flag or variable that got something wrong.',
    toTable([
      ['kind', 'has', 'means'],
      ...Object.entries(PROBLEMS).map(([kind, texts]) => [`\`${kind}\``, ...texts]),
    ]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function renderType(title: string, sources: readonly Source[]): string[] {
  const comments = sources.flatMap(
    ([file]) => read(file).exported.find(({ name }) => name === title)?.comment ?? [],
  )
  const rows = sources
    .flatMap(([file, name, fields]) => {
      const members = read(file).interfaces[name] ?? []
      const gone = fields?.find((field) => !members.some((member) => member.name === field))
      if (gone) throw new Error(`${name} has no ${gone}`)
      return members.filter((member) => fields?.includes(member.name) ?? true)
    })
    .map(({ name, type, comment, isOptional, parameters }) => {
      const shown = parameters ? `${name}(${parameters.join(', ')})` : name
      const other = parameters && type.endsWith('| undefined') ? ' | undefined' : ''
      const meaning = comment || MEANINGS[`${title}.${name}`]
      if (!meaning) throw new Error(`${title}.${name} has no comment`)
      return [`\`${shown}${isOptional ? '?' : ''}\``, `\`${simplify(type)}${other}\``, meaning]
    })
  const note = NOTES[title]
  return [
    `## ${title}`,
    comments[0] ?? '',
    toTable([['field', 'type', 'meaning'], ...rows]),
    ...(note === undefined ? [] : [note]),
  ]
}

/** Writes the tables into the pages. */
export function fillDocs(root: string): void {
  writeFileSync(join(root, 'docs/appendix/commands.md'), renderCommands())
  writeFileSync(join(root, 'docs/appendix/types.md'), renderTypes())
  for (const name of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md'),
  )) {
    const path = join(root, 'docs', name)
    const text = readFileSync(path, 'utf8')
    const filled = fillTables(text)
    if (filled !== text) writeFileSync(path, filled)
  }
}

function toTable([head = [], ...rows]: readonly Row[]): string {
  return [toLine(head), `|${head.map(() => '---|').join('')}`, ...rows.map(toLine)].join('\n')
}

function toLine(cells: Row): string {
  // Placeholders such as <key> would be HTML outside code.
  const protect = (cell: string) =>
    cell.replaceAll(/`[^`]*`|<[\w|]+>/g, (part) => (part.startsWith('<') ? `\`${part}\`` : part))
  return `| ${cells.map((cell) => protect(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function listOptions(of: string): readonly Row[] {
  const members = (OPTIONS[of] ?? []).flatMap(([file, name]) => read(file).interfaces[name] ?? [])
  // The first of two comments counts: an interface may narrow a field of the one that it extends.
  const own = members.filter(
    ({ name }, index) => members.findIndex((one) => one.name === name) === index,
  )
  return [
    [of.startsWith('a ') ? 'field' : 'option', 'type', 'default', 'meaning'],
    ...own.map(
      ({ name, type, comment, isOptional, default: preset = isOptional ? '–' : 'required' }) => {
        const isCode = /^(?:\d+|true|false|'[^']*'|\{.*\}|\w+\.\w+)$/.test(preset)
        return [`\`${name}\``, `\`${simplify(type)}\``, isCode ? `\`${preset}\`` : preset, comment]
      },
    ),
  ]
}

/** A type as a reader knows it. */
function simplify(type: string): string {
  const short = type.replaceAll(/readonly | \| undefined/g, '').replaceAll(/\s+/g, ' ')
  const plain = short.replace(/^Readonly<(.*)>$/, '$1')
  if (type.startsWith('{\n')) return 'object'
  if (plain.startsWith('{ method?: string; target?')) return '{ method?, target?, headers?, body? }'
  return PLAIN_TYPES[plain] ?? plain
}

/** `(default: …)` is how help writes a default that depends on more than the flag. */
function listFlags(flags: readonly Flag[]): readonly Row[] {
  return [
    ['flag', 'default', 'meaning'],
    ...flags.map(({ syntax, help, default: preset }) => {
      const [, before = help, told, after = ''] =
        /^(.*?) \(default: ([^)]*)\)(.*)$/.exec(help) ?? []
      return [`\`${syntax}\``, preset ?? told ?? '–', before + after]
    }),
  ]
}

function listMethods(names: readonly string[]): readonly Row[] {
  return [
    ['method', 'returns', 'does'],
    ...names.map((name) => {
      const [first, ...others] = findMethod(name)
      const returned = [first, ...others].map(({ type }) => simplify(type.replace(/ & .*/, '')))
      const code = `\`${[...new Set(returned)].join(' | ')}\``
      const described = Object.keys(TYPES).find((one) => code.includes(one))
      const page =
        described === undefined
          ? ELSEWHERE[code.replaceAll(/\W/g, '')]
          : `appendix/types.md#${described.toLowerCase()}`
      const link = page === undefined ? code : `[${code}](${page})`
      return [`\`${name}(${first.parameters?.join(', ')})\``, link, first.comment]
    }),
  ]
}

/**
 * The declarations of a control method: of `pets.add` the first `add` after `pets`, and its
 * overloads.
 */
function findMethod(name: string): readonly [Member, ...Member[]] {
  const { members } = read('control/control.ts')
  const parts = name.split('.')
  const group = parts.length === 1 ? 0 : members.findIndex((member) => member.name === parts[0])
  const start = members.findIndex(
    (member, index) => index >= group && member.name === parts.at(-1) && member.parameters,
  )
  const end = members.findIndex((member, index) => index > start && member.name !== parts.at(-1))
  const [first, ...others] = members.slice(start, end)
  if (!first?.comment) throw new Error(`${name} has no comment`)
  return [first, ...others]
}

/** The doc comment of a limit, and its value. */
function toLimitRow({ name, comment }: Exported): Row {
  return [comment, showLimit(name, Object.entries(limits).find(([one]) => one === name)?.[1] ?? 0)]
}

/** `1 MiB`, `30 s`, `1,000`. */
function showLimit(name: string, value: number): string {
  const unit = Object.entries({ GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 }).find(
    ([, size]) => value >= size,
  )
  if (name.endsWith('_BYTES') && unit) return `${value / unit[1]} ${unit[0]}`
  const [, word] = /_(CHARACTERS|SECONDS)$/.exec(name) ?? []
  if (word !== undefined) return `${value.toLocaleString('en')} ${word.toLowerCase()}`
  return name.endsWith('_MS') ? `${value / 1000} s` : value.toLocaleString('en')
}
