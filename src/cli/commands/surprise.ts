// `surprise run` tries a command with several seeds of surprises; `surprise find` names those that
// break it.
import type { SpawnOptions } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { kindNames, kindOf, reasons, type SurpriseKind } from '../../world/surprise.ts'
import { defineCommand } from '../lib/command.ts'
import { json, type MockFlags, positive } from '../lib/flags.ts'
import { checkJunit, type JunitCase, junit, writeJunit } from '../lib/junit.ts'
import { alignColumns, inform, notify, print, printError, printLines } from '../lib/output.ts'
import { commandMockFlags, runCommand, takesCommand } from '../lib/run-command.ts'
import { quoteWord } from '../lib/shell-word.ts'
import { exitCodeOf, SIGNALS, startMock } from '../lib/start-mock.ts'
import { collectSurprises, explainUnmatched } from '../lib/surprises.ts'

const MAX_RUNS = 30
const AGAIN = 'with the same options and command'

const runFlags = {
  ...commandMockFlags,
  seeds: {
    syntax: '--seeds <n>',
    help: 'how many seeds to try, from --surprise or 1 on',
    parse: positive,
    default: '10',
  },
  junit,
  json,
} as const

type Tried = Readonly<{ seed: number; result: 'ok' | 'broken'; surprises: readonly string[] }>

const run = defineCommand({
  summary: 'run a command with several seeds; exit code 1 if one of them breaks it',
  ...takesCommand,
  flags: runFlags,
  async run(given, command) {
    const { seeds, surprise: first = 1, junit: junitFile, json: isJson, ...flags } = given
    await checkJunit(junitFile)
    await checkClean(command, flags, 2)
    if (!isJson) await printLines(['seed  result  surprises'])
    const tried: Tried[] = []
    for (let seed = first; seed < first + seeds; seed++) {
      const { fails, labels, output } = await tryCommand(command, { ...flags, surprise: seed })
      const isFirst = tried.every(({ result }) => result === 'ok')
      if (fails && isFirst) printError(output)
      const one: Tried = { seed, result: fails ? 'broken' : 'ok', surprises: labels }
      tried.push(one)
      if (!isJson) await printLines([renderTried(one)])
    }
    checkMatched(
      flags,
      tried.flatMap(({ surprises }) => surprises),
    )
    if (isJson) await print(toJsonText(tried))
    await writeJunit(junitFile, 'surprise', tried.map(toCase))
    const broken = tried.find(({ result }) => result === 'broken')
    if (broken === undefined) return
    process.exitCode = 1
    notify(`next: animal-store-mock surprise find --surprise ${broken.seed}, ${AGAIN}`)
  },
})

function renderTried({ seed, result, surprises }: Tried): string {
  return `${String(seed).padEnd(6)}${result.padEnd(6)}  ${surprises.length}`
}

function toCase({ seed, result, surprises }: Tried): JunitCase {
  const name = `seed ${seed}`
  return result === 'ok' ? { name } : { name, problem: `broken by one of ${surprises.join(', ')}` }
}

const findFlags = { ...commandMockFlags, json } as const

const find = defineCommand({
  summary: 'name the surprises that break a command; exit code 1 if there are any',
  ...takesCommand,
  flags: findFlags,
  run: findGuilty,
})

async function findGuilty(
  given: FlagValues<typeof findFlags>,
  command: readonly string[],
): Promise<void> {
  const { surprise: seed, json: isJson = false, ...flags } = given
  if (seed === undefined)
    throw new UsageError('--surprise is required: the seed that broke the command')
  await checkClean(command, flags, 1)
  const all = await tryCommand(command, { ...flags, surprise: seed })
  checkMatched(flags, all.labels)
  if (!all.fails) {
    notify(`Seed ${seed} does not break the command`)
    if (isJson) await print(toJsonText({ seed, surprises: [] }))
    return
  }
  let runs = 2
  let { labels } = all
  const fails = async (only: readonly string[]) => {
    if (runs === MAX_RUNS) return false
    runs++
    const attempt = await tryCommand(command, { ...flags, surprise: seed, only })
    const tried = only.length === 1 ? only[0] : `${only.length} of them`
    inform(`run ${runs}: ${tried}: ${attempt.fails ? 'broken' : 'ok'}\n`)
    if (attempt.fails) labels = attempt.labels
    return attempt.fails
  }
  const guilty = await shrink(kindsOf(labels), fails)
  const calls = labels.filter((label) => guilty.includes(kindOf(label)))
  const found = await shrink(calls, fails)
  if (isJson)
    await print(toJsonText({ seed, surprises: found, reliedOn: kindsOf(found).map(relied) }))
  else await printLines(describeFound(seed, found))
  if (runs === MAX_RUNS) notify(`stopped after ${MAX_RUNS} runs; a smaller set may break it too`)
  process.exitCode = 1
}

const relied = (kind: SurpriseKind) => reasons[kind].relied

function describeFound(seed: number, found: readonly string[]): string[] {
  const only = quoteWord(found.join())
  return [
    ...found.map(describeSurprise),
    ...kindsOf(found).map((kind) => `A client may not rely on ${describeReason(kind)}.`),
    `Replay: animal-store-mock exec --surprise ${seed} --only ${only}, ${AGAIN}`,
  ]
}

export const surpriseCommand = defineCommand({
  summary:
    'find clients that rely on what the spec does not promise; with no arguments, list the kinds',
  flags: { json },
  examples: [
    'surprise',
    'surprise run --seeds 20 -- npx vitest run',
    'surprise find --surprise 7 -- npx vitest run cart.test.ts',
  ],
  commands: { run, find },
  async run(flags) {
    if (flags.json) return print(toJsonText(reasons))
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

function checkMatched(flags: MockFlags, labels: readonly string[]): void {
  const unmatched = explainUnmatched(flags, labels)
  if (unmatched !== undefined) throw new UsageError(unmatched)
}

/** `labels` are the surprises that the command met. */
async function tryCommand(command: readonly string[], flags: MockFlags) {
  const running = await startMock({ port: 0, ...flags }, process.stderr)
  const surprises = collectSurprises(running.mock.control, flags)
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-output-'))
  const output = join(folder, 'output')
  // Not a pipe: a process that the command leaves behind would keep it open.
  const file = openSync(output, 'w+')
  try {
    const { env } = surprises
    const options = { stdio: ['ignore', file, file] as SpawnOptions['stdio'], env }
    const { code } = await runCommand(command, flags, running, options)
    if (SIGNALS.some((signal) => exitCodeOf(signal) === code)) throw new UsageError('stopped')
    return { fails: code !== 0, labels: surprises.read(), output: readFileSync(output, 'utf8') }
  } finally {
    surprises.end()
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
