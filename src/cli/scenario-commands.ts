// The commands about scenarios that need no running mock: which are shipped, what is in one, whether a file is in order, and
// a new one of generated animals.
import { isUsageError } from '../contract/errors.ts'
import { loadScenario, readScenarioFile } from '../scenario/files.ts'
import { escapeUnsafe } from './escape.ts'
import type { Format } from './parse-flags.ts'
import { print, toDocumentText } from './print-document.ts'
import { toAnimals } from './say.ts'

export async function runScenarios(): Promise<void> {
  const { scenarios } = await import('../scenarios.ts')
  const rows = Object.entries(scenarios).map(
    ([name, { description = '', pets = [] }]) => [name, toAnimals(pets.length), description] as const,
  )
  const width = Math.max(...rows.map(([name]) => name.length))
  print(rows.map(([name, count, description]) => `${name.padEnd(width)}  ${count.padStart(12)}  ${description}\n`).join(''))
}

export interface ShowFlags {
  readonly format: Format
}

export async function runScenariosShow(nameOrFile: string, { format }: ShowFlags): Promise<void> {
  print(await toDocumentText(await loadScenario(nameOrFile), format))
}

/** A line for every file that is in order, and one for every problem of the others; exit code 1 if there are any. */
export async function runScenariosCheck(files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      const scenario = await readScenarioFile(file)
      print(`${escapeUnsafe(file)}: ok, ${toAnimals(scenario.pets?.length ?? 0)}\n`)
    } catch (error) {
      if (!isUsageError(error)) throw error
      print(error.problems.map((problem) => `${escapeUnsafe(problem)}\n`).join(''))
      process.exitCode = 1
    }
  }
}

export interface GenerateFlags {
  readonly count: number
  readonly seed: number
  readonly format: Format
}

export async function runGenerate({ count, seed, format }: GenerateFlags): Promise<void> {
  const { generatePets } = await import('../generate/index.ts')
  const pets = generatePets({ count, seed })
  print(await toDocumentText({ name: `generated-${seed}`, description: `${toAnimals(count)} of seed ${seed}`, pets }, format))
}
