// The packed package in the environments that it is for, each in a project that knows nothing of
// this repository: `npm run test:matrix` for a dozen, `-- --all` for all, and with a word such as
// `jest` for the rows that have it in their name.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../package/install.ts'
import { createProject, findNode, install, NotInstalled, remove } from './project.ts'
import { INSTALLS, ROWS, type Row } from './rows.ts'

/** As many as the smallest machine has cores. */
const AT_ONCE = 2

interface Result {
  readonly name: string
  readonly result: 'ok' | 'FAILED' | 'not run'
  readonly seconds: number
  readonly output: string
}

const words = process.argv.slice(2).filter((word) => word !== '--all')
const isAll = process.argv.includes('--all') || words.length > 0
const rows = ROWS.filter(
  (row) =>
    (isAll || row.isDaily) &&
    words.every((word) => row.name.toLowerCase().includes(word.toLowerCase())),
)
const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
const installs = new Map<string, Promise<string>>()
const results = new Map<Row, Result>()

function secondsSince(start: number): number {
  return Number(((performance.now() - start) / 1000).toFixed(1))
}

/** The folder with the packages that a row needs, which are installed once. */
function getInstalled(tarball: string, name: Row['install']): Promise<string> {
  const start = performance.now()
  const started = installs.get(name) ?? install(tarball, INSTALLS[name])
  if (!installs.has(name))
    void started
      .then(() => console.error(`${name}: installed in ${secondsSince(start)} s`))
      .catch(() => {})
  installs.set(name, started)
  return started
}

async function runRow(tarball: string, row: Row): Promise<Result> {
  const { name } = row
  const installed = await getInstalled(tarball, row.install).catch((error: Error) => error)
  const start = performance.now()
  const end = (result: Result['result'], output = '') => ({
    name,
    result,
    seconds: secondsSince(start),
    output,
  })
  try {
    if (installed instanceof Error) throw installed
    const project = createProject(installed, tarball, row.files ?? [])
    for (const [file, text] of Object.entries(row.write ?? {}))
      project.write(file, text.replaceAll('$TARBALL', tarball))
    const env = { ...(row.node && { PATH: await findNode(row.node) }), ...(await row.env?.()) }
    const output = row.command ? await project.run(row.command, env) : await row.check?.(project)
    return row.expect && !row.expect.test(output ?? '')
      ? end('FAILED', `expected ${row.expect} in\n${output}`)
      : end('ok')
  } catch (error) {
    return end(error instanceof NotInstalled ? 'not run' : 'FAILED', (error as Error).message)
  }
}

try {
  if (rows.length === 0) throw new Error(`no row has ${words.join(' and ')} in its name`)
  const { tarball } = pack(folder)
  const waiting = [...rows]
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const result = await runRow(tarball, row)
      results.set(row, result)
      console.error(`${result.name}: ${result.result} (${result.seconds} s)`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const all = rows.flatMap((row) => results.get(row) ?? [])
  console.table(all.map(({ output, ...result }) => result))
  for (const { name, result, output } of all)
    if (result !== 'ok') console.log(`\n--- ${name}: ${result}\n${output}`)
  const count = (wanted: Result['result']) => all.filter(({ result }) => result === wanted).length
  console.log(
    `\n${count('ok')} rows passed, ${count('FAILED')} failed, ${count('not run')} not run`,
  )
  // A row that did not run fails, except where this machine cannot have a tool of `--all`.
  const isMissing = ROWS.some((row) => row.isDaily && results.get(row)?.result === 'not run')
  process.exitCode = count('FAILED') > 0 || isMissing ? 1 : 0
} finally {
  for (const installed of await Promise.allSettled(installs.values()))
    if (installed.status === 'fulfilled') remove(installed.value)
  remove(folder)
}
