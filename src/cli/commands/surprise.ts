// `surprise run` tries a command with several seeds of surprises; `surprise find` names those that
// break it.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { surprisesOf } from '../../control/events.ts'
import { readSurprise } from '../../scenario/settings/texts.ts'
import {
  draw,
  kindNames,
  kindOf,
  reasons,
  STATE_KINDS,
  SURPRISE_REPORT,
  type SurpriseKind,
} from '../../world/surprise.ts'
import { defineCommand, type MockFlags, positive } from '../lib/flags.ts'
import { alignColumns, notify, printError, printLines } from '../lib/output.ts'
import { flagsBeside, runCommand, takesCommand } from '../lib/run-command.ts'
import { exitCodeOf, SIGNALS, startMock } from '../lib/start-mock.ts'

const MAX_RUNS = 30
const AGAIN = 'with the same options and command'

const run = defineCommand({
  summary: 'run a command with several seeds; exit code 1 if one of them breaks it',
  ...takesCommand,
  flags: {
    ...flagsBeside,
    seeds: {
      syntax: '--seeds <n>',
      help: 'how many seeds to try, from --surprise or 1 on',
      parse: positive,
      default: '10',
    },
  },
  async run(given, command) {
    const { seeds, surprise: first = 1, ...flags } = given
    await checkClean(command, flags, 2)
    let broken: number | undefined
    await printLines(['seed  result  surprises'])
    for (let seed = first; seed < first + seeds; seed++) {
      const { fails, labels, output } = await tryCommand(command, { ...flags, surprise: seed })
      const result = fails ? 'broken' : 'ok    '
      await printLines([`${String(seed).padEnd(6)}${result}  ${labels.length}`])
      if (!fails || broken !== undefined) continue
      printError(output)
      broken = seed
    }
    if (broken === undefined) return
    process.exitCode = 1
    notify(`next: animal-store-mock surprise find --surprise ${broken}, ${AGAIN}`)
  },
})

const find = defineCommand({
  summary: 'name the surprises that break a command; exit code 1 if there are any',
  ...takesCommand,
  flags: flagsBeside,
  async run(given, command) {
    const { surprise: seed, ...flags } = given
    if (seed === undefined)
      throw new UsageError('--surprise is required: the seed that broke the command')
    await checkClean(command, flags, 1)
    const all = await tryCommand(command, { ...flags, surprise: seed })
    if (!all.fails) return notify(`Seed ${seed} does not break the command`)
    let runs = 2
    let { labels } = all
    const fails = async (only: readonly string[]) => {
      if (runs === MAX_RUNS) return false
      runs++
      const attempt = await tryCommand(command, { ...flags, surprise: seed, only })
      const tried = only.length === 1 ? only[0] : `${only.length} of them`
      printError(`run ${runs}: ${tried}: ${attempt.fails ? 'broken' : 'ok'}\n`)
      if (attempt.fails) labels = attempt.labels
      return attempt.fails
    }
    const guilty = await shrink(kindsOf(labels), fails)
    const calls = labels.filter((label) => guilty.includes(kindOf(label)))
    const found = await shrink(calls, fails)
    await printLines([
      ...found.map(describeSurprise),
      ...kindsOf(found).map((kind) => `A client may not rely on ${describeReason(kind)}.`),
      `Replay: animal-store-mock exec --surprise ${seed} --only ${found.join()}, ${AGAIN}`,
    ])
    if (runs === MAX_RUNS) notify(`stopped after ${MAX_RUNS} runs; a smaller set may break it too`)
    process.exitCode = 1
  },
})

export const surpriseCommand = defineCommand({
  summary:
    'find clients that rely on what the spec does not promise; with no arguments, list the kinds',
  examples: [
    'surprise',
    'surprise run --seeds 20 -- npx vitest run',
    'surprise find --surprise 7 -- npx vitest run cart.test.ts',
  ],
  commands: { run, find },
  async run() {
    const rows = kindNames.map((kind) => [kind, `do not rely on ${describeReason(kind)}`])
    await printLines(alignColumns(rows))
  },
})

/** Finds a small part of a failing set, by leaving out halves, then quarters and so on. */
export async function shrink<T>(
  items: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items
  let size = items.length
  while (size > 1) {
    size = Math.ceil(size / 2)
    let start = 0
    while (start < left.length && size < left.length) {
      const others = [...left.slice(0, start), ...left.slice(start + size)]
      if (await fails(others)) left = others
      else start += size
    }
  }
  return left
}

async function checkClean(
  command: readonly string[],
  flags: MockFlags,
  times: number,
): Promise<void> {
  const { surprise, kinds, only, ...clean } = flags
  for (let time = 1; time <= times; time++) {
    const { fails, output } = await tryCommand(command, clean)
    if (!fails) continue
    printError(output)
    throw new UsageError('the command failed without surprises; it must pass every time')
  }
}

/** `labels` are the surprises that the command met. */
async function tryCommand(command: readonly string[], flags: MockFlags) {
  const surprise = readSurprise(flags)
  const drawn = STATE_KINDS.filter((kind) => surprise && draw(surprise, kind))
  const labels = new Set<string>(drawn)
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-surprises-'))
  const report = join(folder, 'report')
  const output = join(folder, 'output')
  writeFileSync(report, '')
  // Not a pipe: a process that the command leaves behind would keep it open.
  const file = openSync(output, 'w+')
  try {
    const running = await startMock({ port: 0, ...flags }, process.stderr)
    running.mock.control.subscribe((event) => {
      for (const label of surprisesOf(event)) labels.add(label)
    })
    const env = { [SURPRISE_REPORT]: report }
    const code = await runCommand(command, flags, running, { stdio: ['ignore', file, file], env })
    if (SIGNALS.some((signal) => exitCodeOf(signal) === code)) throw new UsageError('stopped')
    // What kits inside the command report.
    const reported = readFileSync(report, 'utf8').split('\n').filter(Boolean)
    for (const label of reported) labels.add(label)
    return { fails: code !== 0, labels: [...labels], output: readFileSync(output, 'utf8') }
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

function kindsOf(labels: readonly string[]): SurpriseKind[] {
  return [...new Set(labels.map(kindOf))]
}

function describeReason(kind: SurpriseKind): string {
  const { relied, legal } = reasons[kind]
  return `${relied} (${legal})`
}

function describeSurprise(label: string): string {
  const [, place = 'the state'] = label.split('@')
  return `${place.replace('#', ', call ')}: ${kindOf(label)}`
}
