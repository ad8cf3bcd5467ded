// `surprise`: lists the kinds; `run` tries seeds on a command, `find` names the surprises that break it.
import type { SpawnOptions } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { quoteForSh } from '../../render/copy.ts'
import { escapeUnsafe } from '../../render/escape.ts'
import { parseInteger } from '../../settings/flag.ts'
import { readSurprise } from '../../settings/texts.ts'
import { draw, kindNames, reasons, STATE_KINDS, type SurpriseKind } from '../../surprise.ts'
import { defineCommand, type MockFlags, mockFlags } from '../flags.ts'
import { notify, print, printError } from '../output.ts'
import { startMock } from '../start-mock.ts'
import { runCommand, takesCommand } from './exec.ts'

const MAX_RUNS = 30
const MAX_OUTPUT_BYTES = 16 * 2 ** 10

const run = defineCommand({
  summary: 'run a command with several seeds; exit code 1 if one of them breaks it',
  ...takesCommand,
  flags: {
    ...mockFlags,
    seeds: { syntax: '--seeds <n>', help: 'how many seeds to try, from --surprise or 1 on', parse: parseInteger, default: '10' },
  },
  examples: ['surprise run --seeds 20 -- npx vitest run', 'surprise run --kinds all --sandbox -- npx playwright test'],
  async run({ seeds, surprise: first = 1, ...flags }, command) {
    if (seeds < 1) throw new UsageError(`--seeds: expected at least 1, got ${seeds}`)
    await checkClean(command, flags, 2)
    let broken: number | undefined
    await print('seed  result  surprises\n')
    for (let seed = first; seed < first + seeds; seed++) {
      const { fails, labels, output } = await tryCommand(command, { ...flags, surprise: seed })
      await print(`${String(seed).padEnd(6)}${fails ? 'broken' : 'ok    '}  ${labels.length}\n`)
      if (!fails || broken !== undefined) continue
      printError(output)
      broken = seed
    }
    if (broken === undefined) return
    process.exitCode = 1
    notify(`next: animal-store-mock surprise find --surprise ${broken} ${quote([...givenFlags(command), '--', ...command])}`)
  },
})

const find = defineCommand({
  summary: 'name the surprises that break a command; exit code 1 if there are any',
  ...takesCommand,
  flags: mockFlags,
  examples: ['surprise find --surprise 7 -- npx vitest run cart.test.ts'],
  async run({ surprise: seed, ...flags }, command) {
    if (seed === undefined) throw new UsageError('--surprise is required: the seed that broke the command')
    await checkClean(command, flags, 1)
    const all = await tryCommand(command, { ...flags, surprise: seed })
    if (!all.fails) return notify(`Seed ${seed} does not break the command`)
    let runs = 2
    let { labels } = all
    const fails = async (only: readonly string[]) => {
      if (runs === MAX_RUNS) return false
      const attempt = await tryCommand(command, { ...flags, surprise: seed, only })
      printError(`run ${++runs}: ${only.length === 1 ? only[0] : `${only.length} of them`}: ${attempt.fails ? 'broken' : 'ok'}\n`)
      if (attempt.fails) labels = attempt.labels
      return attempt.fails
    }
    const guilty = await shrink([...new Set(labels.map(kindOf))], fails)
    const calls = labels.filter((label) => guilty.includes(kindOf(label)))
    const found = await shrink(calls, fails)
    const lessons = [...new Set(found.map(kindOf))].map((kind) => `A client may not rely on ${sayReason(kind)}.`)
    const replay = `Replay: animal-store-mock exec --surprise ${seed} --only ${quote([...found, ...givenFlags(command), '--', ...command])}`
    await print([...found.map(describeSurprise), ...lessons, replay].map((line) => `${escapeUnsafe(line)}\n`).join(''))
    if (runs === MAX_RUNS) notify(`stopped after ${MAX_RUNS} runs; a smaller set may break it too`)
    process.exitCode = 1
  },
})

const sayReason = (kind: SurpriseKind) => `${reasons[kind].relied} (${reasons[kind].legal})`

export const surpriseCommand = defineCommand({
  summary: 'find clients that rely on what the spec does not promise; with no arguments, list the kinds',
  flags: {},
  examples: ['surprise', 'surprise run -- npx vitest run', 'surprise find --surprise 7 -- npx vitest run cart.test.ts'],
  commands: { run, find },
  async run() {
    await print(kindNames.map((kind) => `${kind.padEnd(15)}do not rely on ${sayReason(kind)}\n`).join(''))
  },
})

/** Finds a small part of a failing set, by leaving out halves, then quarters and so on. */
export async function shrink<T>(items: readonly T[], fails: (part: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let left = items
  for (let size = items.length; size > 1; ) {
    size = Math.ceil(size / 2)
    for (let start = 0; start < left.length && size < left.length; ) {
      const others = [...left.slice(0, start), ...left.slice(start + size)]
      if (await fails(others)) left = others
      else start += size
    }
  }
  return left
}

async function checkClean(command: readonly string[], flags: MockFlags, times: number): Promise<void> {
  const { surprise, kinds, only, ...clean } = flags
  for (let time = 1; time <= times; time++) {
    const { fails, output } = await tryCommand(command, clean)
    if (!fails) continue
    printError(output)
    throw new UsageError(`${quote(command)} failed without surprises; it must pass every time`)
  }
}

/** Runs the command with a new mock. Kits report their surprises in a file. */
async function tryCommand(command: readonly string[], flags: MockFlags) {
  const surprise = readSurprise(flags)
  const labels = new Set<string>(STATE_KINDS.filter((kind) => surprise && draw(surprise, kind)))
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-surprises-'))
  const [report, output] = [join(folder, 'report'), join(folder, 'output')]
  writeFileSync(report, '')
  // Not a pipe: a process that the command leaves behind would keep it open.
  const file = openSync(output, 'w+')
  try {
    const running = await startMock({ port: 0, ...flags }, 'silent', () => process.stderr)
    running.mock.control.subscribe((event) => {
      if (event.type === 'request') for (const label of event.row.surprises) labels.add(label)
    })
    const options: SpawnOptions = { stdio: ['ignore', file, file], env: { ANIMAL_STORE_SURPRISE_REPORT: report } }
    const code = await runCommand(command, flags, running, options)
    // SIGINT or SIGTERM stopped the command.
    if (code === 130 || code === 143) throw new UsageError('stopped')
    for (const label of readFileSync(report, 'utf8').split('\n').filter(Boolean)) labels.add(label)
    const end = code === 0 ? '' : readFileSync(output).subarray(-MAX_OUTPUT_BYTES).toString()
    return { fails: code !== 0, labels: [...labels], output: end }
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The flags as they were typed, without those that the suggested command sets itself. */
function givenFlags(command: readonly string[]): string[] {
  let isLeftOut = false
  return process.argv.slice(4, process.argv.length - command.length).filter((word) => {
    if (word.startsWith('-')) isLeftOut = /^--(?:seeds|surprise|only)?(?:=|$)/.test(word)
    return !isLeftOut
  })
}

function kindOf(label: string): SurpriseKind {
  return label.split('@', 1)[0] as SurpriseKind
}

/** `listPets, call 3: order`. */
function describeSurprise(label: string): string {
  const [kind, place = 'the state'] = label.split('@')
  return `${place.replace('#', ', call ')}: ${kind}`
}

function quote(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./#-]+$/.test(word) ? word : quoteForSh(word))).join(' ')
}
