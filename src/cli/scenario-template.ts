// What `scenarios new` writes: a small scenario that works as it is, with every field of one in a comment.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../contract/errors.ts'

const SCHEMA = 'node_modules/animal-store-mock/fixtures/scenario.schema.json'

/** Where an editor that shows the file finds the schema of a scenario. */
export function findSchema(file: string): string {
  const schema = relative(dirname(resolve(file)), resolve(SCHEMA))
    .split(sep)
    .join('/')
  return schema.startsWith('.') ? schema : `./${schema}`
}

/** The first line of a YAML file, which editors read. */
export function toSchemaLine(file: string): string {
  return `# yaml-language-server: $schema=${findSchema(file)}\n`
}

const TEMPLATE = `description: What this scenario is for, in a sentence

# extends: default          # start from a shipped scenario, or from a file in this folder or below
pets: # instead of those of the extended scenario; ids are optional
  - { name: Rex, categoryId: 1, status: available } # available, pending, sold, or none
  - { id: 7, name: Mia, categoryId: 2 }
# generate: { count: 40, seed: 7, status: { available: 3, sold: 1, absent: 1 } }
# nextId: 100
# apiKeys: [qa-key]         # only these are valid
# now: 2030-12-06T00:00:00Z # where the clock starts
# frozen: true
# latency: 20-80            # of every response: 200, 1.5s, or a range
# assume: { default-status: available } # see: animal-store-mock assume --why

# faults:
#   - { operation: createPet, status: 503, times: 2, retryAfter: 1 }
#   - { operation: '*', delay: 200ms-1.5s, rate: 0.5 }
#   - { operation: listPets, drop: true, after: 3 }
`

/** Writes the template to a new file. */
export async function writeTemplate(file: string): Promise<void> {
  if (!/\.ya?ml$/i.test(file)) throw new UsageError(`${file}: expected a name that ends in .yaml`)
  try {
    await mkdir(dirname(resolve(file)), { recursive: true })
    await writeFile(file, toSchemaLine(file) + TEMPLATE, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${file}: ${code === 'EEXIST' ? 'the file exists already' : `cannot be written (${code})`}`)
  }
}
