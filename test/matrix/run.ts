// The packed package in the environments that it is for, each in a project that knows nothing of this repository:
// `npm run test:matrix` for those that most people use, `npm run test:matrix -- all` for every one, and with a word such as `jest` for
// the rows that have it in their name.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../package/install.ts'
import { createProject, NotInstalled, removeProject } from './project.ts'
import type { Group, Row } from './row.ts'
import { beyondOneMachine } from './rows/beyond-one-machine.ts'
import { browsers } from './rows/browsers.ts'
import { clients } from './rows/clients.ts'
import { generators } from './rows/generators.ts'
import { jest } from './rows/jest.ts'
import { kits } from './rows/kits.ts'
import { nodeAndMsw } from './rows/node-and-msw.ts'
import { packageManagers } from './rows/package-managers.ts'
import { recipes } from './rows/recipes.ts'
import { runners } from './rows/runners.ts'
import { typescript } from './rows/typescript.ts'
import { windows } from './rows/windows.ts'

const GROUPS: readonly Group[] = [
  ...runners,
  ...jest,
  ...kits,
  ...nodeAndMsw,
  ...typescript,
  ...clients,
  ...packageManagers,
  ...generators,
  ...recipes,
  ...beyondOneMachine,
  ...browsers,
  ...windows,
]
/** As many as the smallest machine has cores. */
const AT_ONCE = 2

interface Result {
  readonly environment: string
  readonly version: string
  readonly result: 'ok' | 'FAILED' | 'not run'
  readonly seconds: number
}

const words = process.argv.slice(2).filter((word) => word !== 'all')
const isAll = process.argv.includes('all') || words.length > 0
const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
const results = new Map<Row, Result>()
const messages: string[] = []

function isWanted({ environment, version }: Row): boolean {
  return words.every((word) => `${environment} ${version}`.toLowerCase().includes(word.toLowerCase()))
}

async function runGroup(tarball: string, group: Group): Promise<void> {
  const rows = group.rows.filter(isWanted)
  const start = performance.now()
  try {
    const project = await createProject(tarball, group.packages, group.manifest ?? {})
    console.error(`${group.packages.join(' ')}: installed in ${secondsSince(start)} s`)
    try {
      group.prepare?.(project)
      for (const row of rows) await record(row, () => row.check(project))
    } finally {
      removeProject(project)
    }
  } catch (error) {
    for (const row of rows) await record(row, () => Promise.reject(error))
  }
}

async function record(row: Row, check: () => Promise<void>): Promise<void> {
  const { environment, version } = row
  const start = performance.now()
  let result: Result['result'] = 'ok'
  try {
    await check()
  } catch (error) {
    result = error instanceof NotInstalled ? 'not run' : 'FAILED'
    messages.push(`${environment} ${version}: ${result}\n${(error as Error).message}`)
  }
  const seconds = secondsSince(start)
  results.set(row, { environment, version, result, seconds })
  console.error(`${environment} ${version}: ${result} (${seconds} s)`)
}

function secondsSince(start: number): number {
  return Number(((performance.now() - start) / 1000).toFixed(1))
}

try {
  const { tarball } = pack(folder)
  const queue = GROUPS.filter(({ isHeavy, rows }) => (isAll || !isHeavy) && rows.some(isWanted))
  if (queue.length === 0) throw new Error(`no row has ${words.join(' and ')} in its name`)
  const waiting = [...queue]
  const work = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) await runGroup(tarball, group)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const message of messages) console.error(`${message}\n`)
  const rows = queue.flatMap((group) => group.rows.filter(isWanted).flatMap((row) => results.get(row) ?? []))
  console.table(rows)
  const count = (wanted: Result['result']) => rows.filter(({ result }) => result === wanted).length
  console.log(`${count('ok')} rows passed, ${count('FAILED')} failed, ${count('not run')} not run`)
  process.exitCode = count('FAILED') > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
