// The reference tables of the documentation, from the tables in the code. A page marks the place of
// a table with `<!-- table: limits -->`; the build writes everything up to the next empty line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { questions } from '../src/contract/generated/questions.ts'
import { scenarios } from '../src/scenario/shipped.ts'
import { reasons } from '../src/world/surprise.ts'
import { listLimits } from './docs-limits.ts'
import { listMethods, purposes } from './docs-methods.ts'
import { listOptions, OPTIONS } from './docs-options.ts'
import { listOutcomes } from './docs-outcomes.ts'
import { checkPlainTypes } from './docs-source.ts'
import { renderTypes } from './docs-types.ts'
import { code, type Row, renderTable } from './markdown.ts'

const tables: Record<string, () => readonly Row[]> = {
  limits: listLimits,
  assumptions: listAssumptions,
  scenarios: listScenarios,
  surprises: listSurprises,
  outcomes: listOutcomes,
}
for (const name of Object.keys(OPTIONS)) tables[`options of ${name}`] = () => listOptions(name)
for (const name of purposes) tables[`methods for ${name}`] = () => listMethods(name)

function listAssumptions(): readonly Row[] {
  const rows: Row[] = [['question', 'default', 'alternatives']]
  for (const { id, question, default: chosen, choices } of questions) {
    const others = choices.filter((choice) => choice.id !== chosen)
    const alternatives = others.map((choice) => code(choice.id)).join(' · ') || '–'
    rows.push([`${code(id)}: ${question}`, code(chosen), alternatives])
  }
  return rows
}

function listScenarios(): readonly Row[] {
  const rows: Row[] = [['name', 'state']]
  for (const [name, { description = '' }] of Object.entries(scenarios))
    rows.push([code(name), description])
  return rows
}

function listSurprises(): readonly Row[] {
  const rows: Row[] = [['kind', 'do not rely on']]
  for (const [kind, { relied }] of Object.entries(reasons)) rows.push([code(kind), relied])
  return rows
}

/** A page with its tables. */
export function fillTables(text: string): string {
  const parts = text.split(/(?<=<!-- table: [\w ]+ -->\n)[\s\S]*?(?=\n\n|\n$)/)
  return parts.map(addTable).join('')
}

/** Adds the table that the end of the text names. */
function addTable(text: string): string {
  const [, name] = /<!-- table: ([\w ]+) -->\n$/.exec(text) ?? []
  if (name === undefined) return text
  const list = tables[name]
  if (!list) throw new Error(`There is no table "${name}"`)
  return text + renderTable(list())
}

/** Writes the tables into the pages. */
export function fillDocs(root: string): void {
  const docs = join(root, 'docs')
  writeFileSync(join(docs, 'appendix/types.md'), renderTypes())
  for (const name of readdirSync(docs, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue
    const path = join(docs, name)
    const text = readFileSync(path, 'utf8')
    const filled = fillTables(text)
    if (filled !== text) writeFileSync(path, filled)
  }
  checkPlainTypes()
}
