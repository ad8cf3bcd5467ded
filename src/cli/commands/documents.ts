// `scenarios`, `generate` and `agents`: texts to read or to start from. They need no running mock.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { MAX_PRINTED_PETS } from '../../contract/limits.ts'
import { count, say } from '../../contract/problem.ts'
import { PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { findScenario, readScenarioFile } from '../../hosts/node/scenario-files.ts'
import { animalCount, DEFAULT_SEED } from '../../scenario/generate/settings.ts'
import { scenarioList } from '../../scenario/generated/scenario-list.ts'
import { isYamlFile } from '../../scenario/scenario-names.ts'
import { parseNumberBy } from '../../scenario/settings/flag.ts'
import { defineCommand } from '../lib/command.ts'
import { json, parseSeed, yaml } from '../lib/flags.ts'
import { alignColumns, print, printLines } from '../lib/output.ts'
import { renderDocument } from '../lib/render-document.ts'
import { quoteWord } from '../lib/shell-word.ts'

const SCHEMA = 'node_modules/animal-store-mock/fixtures/scenario.schema.json'
const formats = { yaml, json } as const
const parsePrinted = parseNumberBy({ ...animalCount, maximum: MAX_PRINTED_PETS })

function readShipped(path: string): Promise<string> {
  const root = dirname(createRequire(import.meta.url).resolve('animal-store-mock/package.json'))
  return readFile(join(root, path), 'utf8')
}

const show = defineCommand({
  summary: 'print a scenario with `extends` and `generate` resolved',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: formats,
  async run(flags, [nameOrFile = '']) {
    const scenario = await findScenario(nameOrFile)
    await print(await renderDocument(scenario, flags.yaml ? 'yaml' : 'json'))
  },
})

const create = defineCommand({
  summary: 'write a template with comments to a new file',
  arguments: [['[file]', 'its name; scenario.yaml by default']],
  async run(_flags, [file = 'scenario.yaml']) {
    if (!isYamlFile(file)) throw new UsageError(`${file}: expected a name that ends in .yaml`)
    const template = await readShipped('fixtures/template.txt')
    if (existsSync(file)) throw new UsageError(`${file}: the file exists already`)
    await replaceFile(file, nameSchema(file) + template, PUBLIC)
    await printLines([
      `Wrote ${file}; start with: animal-store-mock --scenario ${quoteWord(file)} --watch`,
    ])
  },
})

/** A comment that editors read. */
function nameSchema(file: string): string {
  const path = relative(dirname(resolve(file)), resolve(SCHEMA)).replaceAll(sep, '/')
  const schema = path.startsWith('.') ? path : `./${path}`
  return `# yaml-language-server: $schema=${schema}\n`
}

const check = defineCommand({
  summary: 'report the problems in scenario files; exit code 1 if there is any',
  arguments: [['<file...>', 'scenario files, JSON or YAML']],
  flags: { json },
  async run(flags, files) {
    const checked: Checked[] = []
    for (const file of files) {
      const result = await checkFile(file)
      checked.push(result)
      if (!flags.json) await printLines(describeCheck(result))
    }
    if (flags.json) await print(toJsonText(checked))
    if (checked.some(({ problems }) => problems.length > 0)) process.exitCode = 1
  },
})

type Checked = Readonly<{ file: string; pets: number; problems: readonly string[] }>

async function checkFile(file: string): Promise<Checked> {
  try {
    const { pets = [] } = await readScenarioFile(file)
    return { file, pets: pets.length, problems: [] }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { file, pets: 0, problems: error.problems.map(say) }
  }
}

function describeCheck({ file, pets, problems }: Checked): readonly string[] {
  return problems.length > 0 ? problems : [`${file}: ok, ${count(pets, 'animal')}`]
}

export const scenariosCommand = defineCommand({
  summary: 'list the shipped scenarios; show one, check or write your own',
  examples: [
    'scenarios',
    'scenarios show sold-out --yaml',
    'scenarios check ./scenario.yaml',
    'scenarios new',
  ],
  flags: { json },
  commands: { show, check, new: create },
  async run(flags) {
    if (flags.json) return print(toJsonText(scenarioList))
    const rows = scenarioList.map(({ name, pets, description }) => [
      name,
      count(pets, 'animal'),
      description,
    ])
    await printLines(alignColumns(rows, 1))
  },
})

export const generateCommand = defineCommand({
  summary: 'print generated animals as a scenario',
  flags: {
    count: {
      syntax: '--count <n>',
      help: 'how many animals',
      parse: parsePrinted,
      default: '10',
    },
    seed: {
      syntax: '--seed <n>',
      help: 'the same seed gives the same animals',
      parse: parseSeed,
      default: String(DEFAULT_SEED),
    },
    ...formats,
  },
  examples: ['generate --count 5 --seed 7', 'generate --count 100 --yaml > scenario.yaml'],
  async run(flags) {
    const { count: amount, seed } = flags
    const { generatePets } = await import('../../scenario/generated-animals.ts')
    const scenario = {
      name: `generated-${seed}`,
      description: `${count(amount, 'animal')} from seed ${seed}`,
      pets: generatePets({ count: amount, seed }),
    }
    await print(await renderDocument(scenario, flags.yaml ? 'yaml' : 'json'))
  },
})

/** What an agent reads to decide whether to read the rest. */
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n+/

export const agentsCommand = defineCommand({
  summary: 'print what a coding agent should know, for the AGENTS.md of your project',
  examples: ['agents', 'agents >> AGENTS.md'],
  async run() {
    const skill = await readShipped('SKILL.md')
    await print(skill.replace(FRONT_MATTER, ''))
  },
})
