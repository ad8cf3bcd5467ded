// What `mock.answer` costs, × the stub's list, in alternating rounds of one process: the ratio holds
// on every machine. Each round also reads the request log and the coverage once after its requests,
// so that work which is only put off shows.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RaceSettings } from './burst.ts'
import { compared, median, type Report } from './figure.ts'
import { cleanEnvironment, root } from './server.ts'

/** × the stub's list. */
const TARGETS: Readonly<Record<string, { plain: number; withReading: number }>> = {
  list: { plain: 1.7, withReading: 5 },
  one: { plain: 0.9, withReading: 3.4 },
  create: { plain: 2.2, withReading: 5.5 },
}
const PROGRAM = join(root, 'bench/engine-process.ts')
const MAX_OUTPUT_BYTES = 2 ** 24

/** An operation of a build: microseconds of processor time per request, round by round. */
export interface Timed {
  readonly name: string
  readonly folder: string
  readonly plain: number[]
  readonly withReading: number[]
}

export interface EngineTimes {
  readonly stub: number[]
  readonly builds: readonly Timed[]
}

export async function measureEngine(settings: RaceSettings, report: Report): Promise<void> {
  const { stub, builds } = await raceEngines([root], settings)
  for (const { name, plain, withReading } of builds) {
    const target = TARGETS[name]
    const unit: [string, number] = ['µs', 1]
    const title = `answer, ${name}`
    report(compared(`${title}: × the stub's list`, plain, stub, target?.plain, unit))
    const readTitle = `${title}, with reading: × the stub's list`
    report(compared(readTitle, withReading, stub, target?.withReading, unit))
  }
}

/** This working tree, × the build in the folder; both also × the stub's list. */
export async function compareEngines(
  folder: string,
  settings: RaceSettings,
  report: Report,
): Promise<void> {
  const { stub, builds } = await raceEngines([root, folder], settings)
  const overStub = (times: readonly number[]) => (median(times) / median(stub)).toFixed(2)
  const compareTimes = (name: string, now: readonly number[], then: readonly number[]) => {
    const figure = compared(name, now, then, undefined, ['µs', 1])
    const detail = `${figure.detail}; ${overStub(now)} to ${overStub(then)} × the stub's list`
    report({ ...figure, detail })
  }
  for (const now of builds.filter((timed) => timed.folder === root)) {
    const then = builds.find((timed) => timed.name === now.name && timed.folder === folder)
    if (!then) continue
    compareTimes(`answer, ${now.name}`, now.plain, then.plain)
    compareTimes(`answer, ${now.name}, with reading`, now.withReading, then.withReading)
  }
}

/** V8 may compile the same code in two ways: several processes show both. */
async function raceEngines(
  folders: readonly string[],
  { rounds, processes }: RaceSettings,
): Promise<EngineTimes> {
  const perProcess = String(Math.ceil(rounds / processes))
  const all: EngineTimes[] = []
  for (let started = 0; started < processes; started++) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', PROGRAM, perProcess, ...folders],
      { cwd: root, env: cleanEnvironment(), maxBuffer: MAX_OUTPUT_BYTES },
    )
    all.push(JSON.parse(stdout))
  }
  const [first] = all
  if (!first) return { stub: [], builds: [] }
  const builds = first.builds.map(({ name, folder }, index) => ({
    name,
    folder,
    plain: all.flatMap((times) => times.builds[index]?.plain ?? []),
    withReading: all.flatMap((times) => times.builds[index]?.withReading ?? []),
  }))
  return { stub: all.flatMap((times) => times.stub), builds }
}
