// `scenarios`: which are shipped, what is in one, whether a file is valid. Needs no running mock.
import { escapeUnsafe } from '../../client/escape.ts'
import { isUsageError } from '../../contract/errors.ts'
import { findScenario, readScenarioFile } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { showFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { toAnimals } from '../say.ts'

const show = defineCommand({
  summary: 'print a scenario, with what it extends and generates resolved',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: showFlags,
  examples: ['scenarios show sold-out --format yaml'],
  async run({ format }, [nameOrFile = '']) {
    await print(await toDocumentText(await findScenario(nameOrFile), format))
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
        await print(`${escapeUnsafe(file)}: ok, ${toAnimals(scenario.pets?.length ?? 0)}\n`)
      } catch (error) {
        if (!isUsageError(error)) throw error
        await print(error.problems.map((problem) => `${escapeUnsafe(problem)}\n`).join(''))
        process.exitCode = 1
      }
    }
  },
})

export const scenariosCommand = defineCommand({
  summary: 'list the shipped scenarios; show one, check your own',
  flags: {},
  examples: ['scenarios', 'scenarios show sold-out', 'scenarios check ./scenario.yaml'],
  commands: { show, check },
  async run() {
    const { scenarios } = await import('../../scenarios.ts')
    const rows = Object.entries(scenarios).map(
      ([name, { description = '', pets = [] }]) => [name, toAnimals(pets.length), description] as const,
    )
    const widthOf = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
    const [names, counts] = [widthOf(0), widthOf(1)]
    await print(rows.map(([name, count, description]) => `${name.padEnd(names)}  ${count.padStart(counts)}  ${description}\n`).join(''))
  },
})
