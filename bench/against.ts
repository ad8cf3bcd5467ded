// This working tree beside an earlier commit: both are built, and take turns in one run. Ratios are
// of paired rounds; below 1 is cheaper than then.
import { type RaceSettings, race, type Spent } from './burst.ts'
import { buildCommit, buildHere, findCommit } from './earlier-build.ts'
import { compareEngines } from './engine.ts'
import { compared, type Report } from './figure.ts'
import { type Case, cases, varied } from './requests.ts'
import { type LogStyle, ours } from './server.ts'
import { launchAll } from './start.ts'

type Comparison = (folder: string, settings: RaceSettings, report: Report) => Promise<void>

export const comparisons: Readonly<Record<string, Comparison>> = {
  engine: compareEngines,
  http: (folder, settings, report) => compareServed(folder, 'silent', cases, settings, report),
  log: (folder, settings, report) => compareServed(folder, 'pretty', varied, settings, report),
  start: compareStarts,
}

export function buildBoth(name: string): string {
  const commit = findCommit(name)
  console.log(`building this working tree and ${commit.slice(0, 10)}`)
  buildHere()
  return buildCommit(commit)
}

async function compareServed(
  folder: string,
  log: LogStyle,
  raced: readonly Case[],
  settings: RaceSettings,
  report: Report,
): Promise<void> {
  const commands = [ours({ log }), ours({ log, folder, name: 'the earlier mock' })]
  for (const each of raced) {
    const [now, then] = (await race(commands, each, settings)) as [Spent, Spent]
    const name = `over HTTP, --log ${log}, ${each.name}`
    report(compared(name, now.cpu, then.cpu, undefined, ['µs', 1]))
  }
}

async function compareStarts(
  folder: string,
  { rounds }: RaceSettings,
  report: Report,
): Promise<void> {
  const [now, then] = await launchAll([ours(), ours({ folder, name: 'the earlier mock' })], rounds)
  if (!now || !then) return
  const { milliseconds, cpu } = now
  report(compared('start to first response', milliseconds, then.milliseconds, undefined, ['ms', 1]))
  report(compared('the same in processor time', cpu, then.cpu, undefined, ['ms', 1e3]))
}
