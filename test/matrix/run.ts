// The packed package on every Node that it is for, with every msw that it is for: `npm run test:matrix`. Each combination runs the
// programs of test/package/; all of them must print the same, and the animals must be those of the golden file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTypes, createProject, ownVersion, pack, run } from '../package/install.ts'

/** msw 3 needs Promise.withResolvers, which Node 20 does not have. */
const MATRIX: Readonly<Record<string, readonly string[]>> = { '2.15.0': ['20', '22', '24', '26'], '3.0.4': ['22', '24', '26'] }

interface Row {
  readonly node: string
  readonly msw: string
  readonly result: string
  readonly seconds: string
}

const golden = JSON.parse(readFileSync(new URL('../../src/generate/generate-pets.golden.json', import.meta.url), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
const trash = [folder]
const rows: Row[] = []
const problems: string[] = []
const outputs = new Set<string>()

function record(node: string, msw: string, check: () => void): void {
  const before = performance.now()
  let result = 'ok'
  try {
    check()
  } catch (error) {
    result = 'FAILED'
    problems.push(`Node ${node}, msw ${msw}: ${(error as Error).message}`)
  }
  rows.push({ node, msw, result, seconds: ((performance.now() - before) / 1000).toFixed(1) })
}

/** The program of that version; npm's registry has them as packages. */
function findNode(version: string): string {
  return run('npx', ['-y', '-p', `node@${version}`, '--', 'node', '-p', 'process.execPath'], folder).trim()
}

function useEveryDoor(node: string, project: string): void {
  const output = run(node, ['doors.mjs'], project)
  if (JSON.stringify(JSON.parse(output).golden) !== JSON.stringify(golden)) throw new Error('the generated animals are not the golden ones')
  outputs.add(output)
  if (outputs.size > 1) throw new Error('it prints something else than the combination before it')
  run(node, ['doors.cjs'], project)
  const command = join(project, 'node_modules/animal-store-mock/bin/animal-store-mock.js')
  run(
    node,
    [
      command,
      'exec',
      '--',
      node,
      '-e',
      'fetch(process.env.ANIMAL_STORE_URL + "/pets").then(({ status }) => process.exit(status === 401 ? 0 : 1))',
    ],
    project,
  )
}

try {
  const { tarball } = pack(folder)
  const nodes = new Map([...new Set(Object.values(MATRIX).flat())].map((version) => [version, findNode(version)]))
  for (const [msw, versions] of Object.entries(MATRIX)) {
    const project = createProject(tarball, [`msw@${msw}`, ownVersion('openapi-fetch')])
    trash.push(project)
    for (const version of versions) {
      const node = nodes.get(version) as string
      record(run(node, ['--version'], folder).trim(), msw, () => useEveryDoor(node, project))
    }
    for (const resolution of ['nodenext', 'bundler'] as const) record(`types, ${resolution}`, msw, () => checkTypes(project, resolution))
  }
} finally {
  for (const path of trash) rmSync(path, { recursive: true, force: true })
}

console.table(rows)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
