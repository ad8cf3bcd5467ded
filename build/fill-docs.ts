// The reference tables of the documentation, from the tables in the code. A page marks the place of a table with
// `<!-- table: limits -->`; the build writes everything up to the next empty line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { methods } from '../src/control/methods.ts'
import { questions } from '../src/generated/questions.ts'
import * as limits from '../src/limits.ts'
import { tools } from '../src/mcp/tools.ts'
import { scenarios } from '../src/scenarios.ts'
import { reasons } from '../src/surprise.ts'
import { type Exported, readSource } from './read-source.ts'

type Row = readonly string[]

/** In the order of the file, with their doc comments. */
const documentedLimits = readSource(fileURLToPath(new URL('../src/limits.ts', import.meta.url))).exported

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

const tables: Readonly<Record<string, () => readonly Row[]>> = {
  'limits that people meet': () => [
    ['limit', 'value'],
    ...MET.flatMap((met) => documentedLimits.filter(({ name }) => name === met).map(toLimitRow)),
  ],
  limits: () => [['limit', 'value'], ...documentedLimits.map(toLimitRow)],
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
  surprises: () => [['kind', 'do not rely on'], ...Object.entries(reasons).map(([kind, { relied }]) => [`\`${kind}\``, relied])],
}

/** A page with its tables. */
export function fillTables(text: string): string {
  const parts = text.split(/(?<=<!-- table: [\w ]+ -->\n)[\s\S]*?(?=\n\n|\n$)/)
  const filled = parts.map((part) => {
    const [, name] = /<!-- table: ([\w ]+) -->\n$/.exec(part) ?? []
    if (name === undefined) return part
    const make = tables[name]
    if (!make) throw new Error(`There is no table "${name}"`)
    const [head = [], ...rows] = make()
    return part + [head, head.map(() => '---'), ...rows].map(toLine).join('\n')
  })
  return filled.join('')
}

/** Writes the tables into the pages. */
export function fillDocs(root: string): void {
  for (const name of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))) {
    const path = join(root, 'docs', name)
    const text = readFileSync(path, 'utf8')
    const filled = fillTables(text)
    if (filled !== text) writeFileSync(path, filled)
  }
}

function toLine(cells: Row): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/(?<!`)(<[\w|]+>)(?!`)/g, '`$1`')).join(' | ')} |`
}

/** The doc comment of a limit, and its value. */
function toLimitRow({ name, comment }: Exported): Row {
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
