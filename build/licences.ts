// What the published files contain of others, with the licence of each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder and the name of the package that a module is of. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/

/** Every package that has a part in the files, with the text of its licence; each text once. */
export function renderLicences(root: string, moduleIds: readonly string[]): string {
  // Of faker the files have the words, if not the code.
  const folders = new Set([
    join(root, 'node_modules/@faker-js/faker'),
    ...moduleIds.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []),
  ])
  const byText = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string
      version: string
    }
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} has no licence file, and cannot be bundled without one`)
    const text = readFileSync(join(folder, file), 'utf8').trim()
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  const sections = [...byText].map(([text, names]) => `## ${names.join(', ')}\n\n${text}\n`)
  const about = 'The files in this folder contain code or words of these packages.'
  return `# Third-party licences\n\n${about}\n\n${sections.join('\n')}`
}
