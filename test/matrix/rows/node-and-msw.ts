// Every Node and every MSW that the package is for: the programs of test/package/ run with each, and print the same everywhere.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownVersion } from '../../package/install.ts'
import type { Project } from '../project.ts'
import type { Group, Row } from '../row.ts'

/** For each MSW the versions of Node; MSW 3 needs Promise.withResolvers, which Node 20 does not have. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  '2.3.5': ['20'],
  '2.7.6': ['20'],
  '2.10.5': ['20'],
  '2.15.0': ['20', '22', '24', '26'],
  '3.0.4': ['22', '24', '26'],
}
const ANSWERS = 'fetch(process.env.ANIMAL_STORE_URL + "/pets").then(({ status }) => process.exit(status === 401 ? 0 : 1))'

const golden = JSON.parse(readFileSync(new URL('../../../src/generate/generate-pets.golden.json', import.meta.url), 'utf8'))
const outputs = new Set<string>()

export const nodeAndMsw: readonly Group[] = Object.entries(VERSIONS).map(([msw, nodes]) => ({
  packages: [`msw@${msw}`, ownVersion('openapi-fetch')],
  manifest: { type: 'module' },
  prepare(project) {
    for (const file of ['imports.mjs', 'imports.cjs', 'mixed.mjs']) project.copy(`test/package/${file}`)
  },
  rows: nodes.map((node) => toRow(node, msw)),
}))

function toRow(node: string, msw: string): Row {
  return {
    environment: `Node ${node}`,
    version: `msw ${msw}`,
    check: async (project) => useEveryDoor(project, await project.node(node)),
  }
}

async function useEveryDoor({ run, read, folder }: Project, node: string): Promise<void> {
  const output = await read(node, ['imports.mjs'])
  if (JSON.stringify(JSON.parse(output).golden) !== JSON.stringify(golden)) throw new Error('the generated animals are not the golden ones')
  outputs.add(output)
  if (outputs.size > 1) throw new Error(`it prints something else than the combination before it: ${output}`)
  await run(node, ['imports.cjs'])
  await run(node, ['mixed.mjs'])
  const command = join(folder, 'node_modules/animal-store-mock/bin/animal-store-mock.js')
  await run(node, [command, 'exec', '--', node, '-e', ANSWERS])
}
