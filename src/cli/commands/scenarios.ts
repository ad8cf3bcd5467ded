// `scenarios`: which are shipped, what is in one, whether a file is valid. Needs no running mock.
import { readFile } from 'node:fs/promises'
import { escapeUnsafe } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { say } from '../../contract/problem.ts'
import { isScenarioFile } from '../../scenario/document.ts'
import { findScenario, readScenarioFile } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { packageFile, print } from '../output.ts'
import { toDocumentText } from '../print-document.ts'
import { writeTemplate } from '../scenario-template.ts'
import { count } from '../wording.ts'

const show = defineCommand({
  summary: 'print a scenario, with what it extends and generates resolved',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: flagTables.show,
  examples: ['scenarios show sold-out --format yaml', 'scenarios show flaky --source'],
  async run({ format, source }, [nameOrFile = '']) {
    const scenario = await findScenario(nameOrFile)
    await print(source ? await readSource(nameOrFile) : await toDocumentText(scenario, format))
  },
})

/** The text of a scenario as it was written. */
function readSource(nameOrFile: string): Promise<string> {
  if (isScenarioFile(nameOrFile)) return readFile(nameOrFile, 'utf8')
  return readFile(packageFile(`fixtures/${nameOrFile}.yaml`), 'utf8')
}

const create = defineCommand({
  summary: 'write a template with comments to a new file',
  arguments: [['[file]', 'its name; scenario.yaml by default']],
  flags: {},
  examples: ['scenarios new', 'scenarios new scenarios/monday.yaml'],
  async run(_flags, [file = 'scenario.yaml']) {
    await writeTemplate(file)
    await print(`Wrote ${escapeUnsafe(file)}; start with: animal-store-mock --scenario ${escapeUnsafe(file)} --watch\n`)
  },
})

const check = defineCommand({
  summary: 'report every problem in scenario files; exit code 1 if there is any',
  arguments: [['<file...>', 'scenario files, JSON or YAML']],
  flags: {},
  examples: ['scenarios check ./scenario.yaml ./other.json'],
  async run(_flags, files) {
    for (const file of files) {
      try {
        const scenario = await readScenarioFile(file)
        await print(`${escapeUnsafe(file)}: ok, ${count(scenario.pets?.length ?? 0, 'animal')}\n`)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        await print(error.problems.map((problem) => `${escapeUnsafe(say(problem))}\n`).join(''))
        process.exitCode = 1
      }
    }
  },
})

export const scenariosCommand = defineCommand({
  summary: 'list the shipped scenarios; show one, check or write your own',
  flags: {},
  examples: ['scenarios', 'scenarios show sold-out', 'scenarios check ./scenario.yaml', 'scenarios new'],
  commands: { show, check, new: create },
  async run() {
    const { scenarios } = await import('../../scenarios.ts')
    const rows = Object.entries(scenarios).map(
      ([name, { description = '', pets = [] }]) => [name, count(pets.length, 'animal'), description] as const,
    )
    const widthOf = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
    const [names, counts] = [widthOf(0), widthOf(1)]
    await print(rows.map(([name, count, description]) => `${name.padEnd(names)}  ${count.padStart(counts)}  ${description}\n`).join(''))
  },
})
