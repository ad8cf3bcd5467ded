// The reference tables of the documentation, from the tables in the code. A page marks the place of a table with
// `<!-- table: limits -->`; the build writes everything up to the next empty line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliCommand } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands/index.ts'
import { flagTables, mockFlags } from '../src/cli/flags.ts'
import { methods } from '../src/control/methods.ts'
import { controlDocs } from '../src/generated/control-docs.ts'
import { questions } from '../src/generated/questions.ts'
import * as limits from '../src/limits.ts'
import { tools } from '../src/mcp/tools.ts'
import { scenarios } from '../src/scenarios.ts'
import { type Flag, type FlagTable, nameVariable } from '../src/settings/flag.ts'
import { settingTexts } from '../src/settings/texts.ts'
import { kinds } from '../src/surprise/kinds.ts'

type Row = readonly string[]
/** An interface, or some of its fields. */
type Fields = readonly [file: string, type: string, only?: readonly string[]]

const source = (file: string) => new URL(`../src/${file}`, import.meta.url)

const limitsText = readFileSync(source('limits.ts'), 'utf8')
/** In the order of the file; as exports they are in alphabetical order. */
const limitNames = [...limitsText.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name)

/** The page about a command, a flag or an option. */
const PAGES: Readonly<Record<string, string>> = {
  agents: 'agents.md#without-mcp',
  assume: 'assumptions.md',
  'allowed-host': 'safety.md',
  allowedHosts: 'safety.md',
  before: 'timeline.md#what-a-request-saw',
  calibrate: 'calibrate.md',
  clock: 'faults.md#the-clock',
  console: 'console.md#in-your-page',
  'control-token': 'safety.md',
  controlToken: 'safety.md',
  coverage: 'coverage.md',
  exec: 'ci.md',
  fail: 'faults.md#faults-in-one-word',
  failOn: 'testing.md#requests-that-fail-a-test',
  faults: 'faults.md',
  generate: 'scenarios.md#generated-animals',
  host: 'safety.md',
  latency: 'faults.md#durations',
  mcp: 'agents.md',
  now: 'faults.md#the-clock',
  persist: 'scenarios.md#keep-your-changes',
  probe: 'calibrate.md#what-it-sends',
  requests: 'requests.md',
  require: 'coverage.md#requirements',
  rewind: 'timeline.md#rewind',
  sandbox: 'sandboxes.md',
  sandboxes: 'sandboxes.md',
  scenario: 'scenarios.md',
  scenarios: 'scenarios.md',
  seed: 'scenarios.md#change-a-running-mock',
  snapshot: 'scenarios.md#change-a-running-mock',
  storage: 'scenarios.md#keep-your-changes',
  surprise: 'surprise.md',
  undo: 'timeline.md#undo',
  watch: 'scenarios.md#your-own',
}

/** The options of `createMock` that a table does not repeat. */
const OTHERS: Fields = ['', 'createMock']

/** The limits that people meet. */
const MET = [
  'MAX_BODY_BYTES',
  'MAX_DELAY_MS',
  'MAX_LOG_ENTRIES',
  'MAX_LOGGED_BODY_CHARACTERS',
  'MAX_SANDBOXES',
  'MAX_PETS_PER_REQUEST',
  'MAX_DOCUMENT_BYTES',
  'MAX_FAULTS',
  'MIN_TOKEN_CHARACTERS',
  'STOP_TIMEOUT_MS',
]

/** The fields of options and documents, and the interfaces that have them with a comment each. */
const FIELDS: Readonly<Record<string, readonly Fields[]>> = {
  'option of createMock': [
    ['mock/mock-options.ts', 'MockOptions'],
    ['world/start.ts', 'Scenario', ['pets']],
    ['world/start.ts', 'Settings'],
  ],
  'field of a scenario': [
    ['scenario/document.ts', 'ScenarioDocument'],
    ['world/start.ts', 'Scenario'],
    ['world/start.ts', 'Settings'],
  ],
  'field of a fault': [
    ['world/faults.ts', 'FaultConditions'],
    ['world/faults.ts', 'Effects'],
  ],
  'field of an expected request': [['kits/match-request.ts', 'ExpectedRequest']],
  'option of createFetch': [['mock/fetch.ts', 'FetchOptions']],
  'option of createHandlers': [['hosts/msw.ts', 'HandlerOptions']],
  'option of serve': [['hosts/node/serve.ts', 'ServeOptions']],
  'option of middleware': [
    ['hosts/node/middleware.ts', 'MiddlewareOptions'],
    ['hosts/node/serve.ts', 'ServeOptions', ['control']],
  ],
  'option of connect': [['client/connect.ts', 'ConnectOptions']],
  'option of calibrate': [['calibrate/calibrate.ts', 'CalibrateOptions']],
  'option of generatePets': [
    ['generate/settings.ts', 'GenerateSettings'],
    ['generate/generate-pets.ts', 'GenerateOptions'],
  ],
  'option of mockStore': [
    ['kits/kit-options.ts', 'StoreParameters'],
    ['kits/kit-options.ts', 'InterceptionOptions'],
    ['kits/kit-options.ts', 'ReportOptions'],
    OTHERS,
  ],
  'option of withStore': [
    ['kits/playwright.ts', 'WithStoreOptions'],
    ['kits/kit-options.ts', 'StoreParameters'],
    ['world/start.ts', 'Settings', ['faults', 'now']],
    ['kits/kit-options.ts', 'ReportOptions'],
  ],
  'option of storeLoader': [
    ['kits/kit-options.ts', 'InterceptionOptions'],
    ['kits/storybook.ts', 'LoaderOptions'],
  ],
  'option of openConsole': [['hosts/page.ts', 'ConsoleOptions']],
  'option of animalStore': [
    ['hosts/vite.ts', 'AnimalStoreOptions'],
    ['hosts/node/middleware.ts', 'MiddlewareOptions', ['baseUrl', 'controlToken']],
    OTHERS,
  ],
}

const tables: Readonly<Record<string, () => readonly Row[] | Promise<readonly Row[]>>> = {
  commands: async () => [
    ['command', 'does', 'for example'],
    ...(await Promise.all(Object.entries(commands).map(async ([name, load]) => toCommandRows(name, await load())))).flat(),
  ],
  'flags of serve and exec': () => [
    ['flag', 'does'],
    ...toFlagRows(mockFlags),
    ...toFlagRows(flagTables.serve, mockFlags, '`serve`: '),
    ...toFlagRows(flagTables.exec, mockFlags, '`exec`: '),
  ],
  'flags for a running mock': () => [['flag', 'does'], ...toFlagRows(flagTables.remote)],
  'flags of other commands': () => [
    ['command', 'flag', 'does'],
    ...Object.entries({ ...flagTables, 'surprise run': flagTables.surpriseRun, 'scenarios show': flagTables.show }).flatMap(
      ([name, table]) =>
        ['serve', 'exec', 'remote', 'surpriseRun', 'show'].includes(name)
          ? []
          : toFlagRows(table, { ...flagTables.remote, ...(name.startsWith('surprise') && mockFlags) }).map((row) => [
              name === 'setting' ? '`faults`, `latency`, `sandboxes`, `clock`' : `\`${name}\``,
              ...row,
            ]),
    ),
  ],
  'limits that people meet': () => [['limit', 'value'], ...MET.map(toLimitRow)],
  limits: () => [['limit', 'value'], ...limitNames.filter((name) => !MET.includes(name)).map(toLimitRow)],
  methods: () => [
    ['method', 'route', 'does'],
    ...Object.entries(methods).map(([name, row]) => [`\`${name}\``, `\`${row.method} /__mock${row.path}\``, controlDocs[name] ?? '']),
  ],
  tools: () => [
    ['tool', 'control methods'],
    ...tools.map(({ name, description }) => {
      const calls = Object.entries(methods).flatMap(([method, { tool }]) => (tool === name ? `\`${method}\`` : []))
      return [`\`${name}\``, calls.join(', ') || description]
    }),
  ],
  assumptions: () => [
    ['question', 'default', 'alternatives'],
    ...questions.map(({ id, question, default: chosen, choices }) => [
      `\`${id}\`: ${question}`,
      `\`${chosen}\``,
      choices.flatMap((choice) => (choice.id === chosen ? [] : `\`${choice.id}\``)).join(' · ') || '–',
    ]),
  ],
  scenarios: () => [['name', 'state'], ...Object.values(scenarios).map(({ name, description = '' }) => [`\`${name}\``, description])],
  surprises: () => [['kind', 'do not rely on'], ...Object.entries(kinds).map(([kind, { relied }]) => [`\`${kind}\``, relied])],
  bindings: () => [
    ['binding', 'as the flag', 'does'],
    ...Object.values(settingTexts).flatMap(({ flags }) =>
      Object.values<Flag>(flags).map((flag) => [`\`${nameVariable(flag)}\``, toFlagName(flag), flag.help]),
    ),
  ],
  ...Object.fromEntries(
    Object.entries(FIELDS).map(([what, interfaces]) => [what, () => [[what, 'is'], ...interfaces.flatMap(readFields)]]),
  ),
}

/** A page with its tables. */
export async function fillTables(text: string): Promise<string> {
  const parts = text.split(/(?<=<!-- table: [\w ]+ -->\n)[\s\S]*?(?=\n\n|\n$)/)
  const filled = parts.map(async (part) => {
    const [, name] = /<!-- table: ([\w ]+) -->\n$/.exec(part) ?? []
    if (name === undefined) return part
    const make = tables[name]
    if (!make) throw new Error(`There is no table "${name}"`)
    const [head = [], ...rows] = await make()
    return part + [head, head.map(() => '---'), ...rows].map(toLine).join('\n')
  })
  return (await Promise.all(filled)).join('')
}

/** Writes the tables into the pages. */
export async function fillDocs(root: string): Promise<void> {
  for (const name of readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))) {
    const path = join(root, 'docs', name)
    const text = readFileSync(path, 'utf8')
    const filled = await fillTables(text)
    if (filled !== text) writeFileSync(path, filled)
  }
}

function toLine(cells: Row): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/(?<!`)(<[\w|]+>)(?!`)/g, '`$1`')).join(' | ')} |`
}

function toLink(text: string, name: string): string {
  return PAGES[name] === undefined ? text : `[${text}](${PAGES[name]})`
}

function toFlagName({ syntax }: Flag): string {
  return `\`${/--[a-z-]+/.exec(syntax)?.[0]}\``
}

/** The flags of a table that another one lacks. */
function toFlagRows(table: FlagTable, without: FlagTable = {}, prefix = ''): Row[] {
  return Object.entries(table)
    .filter(([name, { syntax }]) => without[name]?.syntax !== syntax)
    .map(([, { syntax, help, default: preset }]) => {
      const [long = ''] = /--[^,]+/.exec(syntax) ?? []
      const [short] = /^-\w/.exec(syntax) ?? []
      const name = /--(?:no-)?([a-z-]+)/.exec(long)?.[1] ?? ''
      const shown = toLink(`\`${long}\``, name) + (short ? `, \`${short}\`` : '')
      return [shown, `${prefix}${help}${preset === undefined ? '' : ` (default: ${preset})`}`]
    })
}

function toCommandRows(name: string, { summary, arguments: words = [], examples, commands: below = {} }: CliCommand): Row[] {
  const typed = [name, ...words.map(([syntax]) => syntax)].join(' ')
  const example = examples.find((one) => one !== name && one !== '')
  return [
    [toLink(`\`${typed}\``, name), summary, example === undefined ? '' : `\`${example}\``],
    ...Object.entries(below).flatMap(([word, command]) => toCommandRows(`${name} ${word}`, command)),
  ]
}

/** The fields of an interface with their comments, which end before an example. */
function readFields([file, type, only]: Fields): Row[] {
  if (file === '') return [[`the others of \`${type}\``, 'As there.']]
  const text = readFileSync(source(file), 'utf8')
  const [body = ''] = new RegExp(`interface ${type}\\b[\\s\\S]*?\\n\\}`).exec(text) ?? []
  return [...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\$?\w+)\??:/gm)].flatMap(([, comment = '', name = '']) => {
    const said = comment
      .replaceAll(/^ +\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .replace(/ ?@example.*/, '')
    return only && !only.includes(name) ? [] : [[toLink(`\`${name}\``, name), said.trim()]]
  })
}

/** The doc comment of a limit, and its value. */
function toLimitRow(name: string): Row {
  const [, comment = ''] = new RegExp(`/\\*\\* (.*) \\*/\\nexport const ${name} `).exec(limitsText) ?? []
  return [comment, showLimit(name, Object.entries(limits).find(([one]) => one === name)?.[1] ?? 0)]
}

/** `1 MiB`, `30 s`, `1,000`. */
function showLimit(name: string, value: number): string {
  const unit = Object.entries({ GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 }).find(([, size]) => value >= size)
  if (name.endsWith('_BYTES') && unit) return `${value / unit[1]} ${unit[0]}`
  const [, word] = /_(CHARACTERS|SECONDS)$/.exec(name) ?? []
  if (word !== undefined) return `${value.toLocaleString('en')} ${word.toLowerCase()}`
  return name.endsWith('_MS') ? `${value / 1000} s` : value.toLocaleString('en')
}
