// `coverage: 'file'`: what the processes of a test run leave behind, and that shards lose nothing of it.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Coverage, createMock } from '../src/index.ts'
import { createLinkedProject, type ExampleProject } from './support/example-project.ts'

const SHARDS = [1, 2, 3, 4]

function createSuite(): ExampleProject {
  return createLinkedProject('test/kit-coverage', ['@playwright/test', 'animal-store-mock', 'vite', 'vitest'])
}

/** Runs a suite, and keeps what it left in a folder of its own. */
async function runInto({ folder, run }: ExampleProject, target: string, command: string, env = {}): Promise<void> {
  await run(command, env)
  mkdirSync(join(folder, 'kept'), { recursive: true })
  renameSync(join(folder, 'coverage'), join(folder, 'kept', target))
}

async function merge({ run }: ExampleProject, files: string): Promise<Coverage> {
  return JSON.parse(await run(`animal-store-mock coverage ${files} --format json`)).coverage
}

it('has the counts and names of every test, and four shards of a Vitest run are equal to one', { timeout: 120_000 }, async () => {
  const project = createSuite()
  await runInto(project, 'whole', 'vitest run')
  for (const shard of SHARDS) await runInto(project, `shard-${shard}`, `vitest run --shard ${shard}/${SHARDS.length}`)

  const whole = await merge(project, 'kept/whole/store/*.json')
  expect(whole.requests).toBe(36)
  expect(whole.cells).toMatchObject({ listPets: 20, 'listPets.limit=lowest': 1, 'listPets.limit=inside': 3, 'createPet.400': 4, getPet: 4 })
  expect(whole.beside).toMatchObject({ 'fault:listPets 503': 4, 'retried:listPets 503': 4 })
  expect(whole.tests['list-order']).toContain('part 1 > lists animals')
  expect(whole.tests['default-status']).toEqual(SHARDS.map((part) => `part ${part} > adds one`))
  expect(await merge(project, 'kept/shard-*/store/*.json')).toEqual(whole)

  const report = await project.run('animal-store-mock coverage kept/whole/store/*.json')
  expect(report.slice(report.indexOf('What status'))).toMatchInlineSnapshot(`
    "What status does an animal get if none is sent?
        default-status: 4 responses (createPet), in part 1 > adds one; part 2 > adds one; part 3 > adds one; part 4 > adds one
        [absent] · available · pending · sold
      Do the responses of getPet announce its removal?
        sunset-header: 4 responses (getPet), in part 1 with sandboxes > has one for each key; part 2 with sandboxes > has one for each key; part 3 with sandboxes > has one for each key; part 4 with sandboxes > has one for each key
        [sunset] · none
    "
  `)
  // A process has one file, though each of its test files has two stores; none has a secret in it.
  const files = readdirSync(join(project.folder, 'kept/shard-1/store'))
  expect(files).toHaveLength(1)
  const text = readFileSync(join(project.folder, 'kept/shard-1/store', files[0] as string), 'utf8')
  expect(JSON.parse(text).contract).toBe(createMock().control.coverage().contract)
  expect(text).not.toMatch(/any-key|key-1|Rex/)
})

it.each(['sandbox', 'server'])('is written by the workers of Playwright, with the mode %s', { timeout: 60_000 }, async (mode) => {
  const project = createSuite()
  // One mock for all counts for itself, and the workers know the names.
  const command =
    mode === 'sandbox' ? 'animal-store-mock exec --sandbox --coverage coverage/store/mock.json -- playwright test' : 'playwright test'
  await project.run(command, { MODE: mode })
  const whole = await merge(project, 'coverage/store/*.json')
  expect(whole).toMatchObject({ requests: 12, cells: { listPets: 4, createPet: 4 }, beside: { 'retried:listPets 503': 4 } })
  expect(whole.tests['default-status']).toEqual(SHARDS.map((part) => `part ${part} › adds one`))
  for (const file of readdirSync(join(project.folder, 'coverage/store'))) {
    const { requests } = JSON.parse(readFileSync(join(project.folder, 'coverage/store', file), 'utf8'))
    expect(requests > 0).toBe(mode === 'server' || file === 'mock.json')
  }
})

it('that cannot be written is said in one line', { timeout: 60_000 }, async () => {
  const { folder, run } = createSuite()
  writeFileSync(join(folder, 'coverage'), 'a file')
  const output = await run('vitest run part-1', { NO_COLOR: '1' }).catch((error: Error) => error.message)
  expect(output).toMatch(/UsageError: coverage\/store\/\d+-\d+-\w+\.json: coverage cannot be written \(ENOTDIR\)/)
})
