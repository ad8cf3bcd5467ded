// `exec` runs a command next to a mock; `surprise run` with several seeds; `surprise find` names
// what breaks it.
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { surprisesOf } from '../../control/events.ts'
import { describeRequests } from '../../control/text/describe-request.ts'
import { checkWritable, PRIVATE, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { nameVariable } from '../../scenario/settings/flag.ts'
import { readSurprise, surpriseFlags } from '../../scenario/settings/texts.ts'
import { isRecordingFile } from '../../world/row.ts'
import {
  draw,
  kindNames,
  kindOf,
  reasons,
  STATE_KINDS,
  SURPRISE_REPORT,
  type SurpriseKind,
} from '../../world/surprise.ts'
import {
  defineCommand,
  globalFlags,
  group,
  type MockFlags,
  mockFlags,
  mockNotes,
  positive,
} from '../lib/flags.ts'
import { alignColumns, notify, printError, printLines } from '../lib/output.ts'
import { exitCodeOf, type Running, SIGNALS, startMock } from '../lib/start-mock.ts'

const MAX_RUNS = 30
const RECORD_HELP = 'write a recording of the run: this .jsonl file, or exec.jsonl in a folder'
const SEEDS_HELP = 'how many seeds to try, from --surprise or 1 on'
const AGAIN = 'with the same options and command'
const takesCommand = {
  arguments: [['<command...>', 'what to run, with its own options']],
  runsCommand: true,
} as const
const flagsBeside = {
  ...mockFlags,
  port: { ...mockFlags.port, help: 'port (default: any free one)' },
  log: { ...mockFlags.log, default: 'silent' },
} as const
const outputFlags = group('Output', {
  coverage: { syntax: '--coverage <file>', help: "write the command's API coverage to a file" },
  record: { syntax: '--record <file|folder>', help: RECORD_HELP },
})

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  ...takesCommand,
  flags: { ...flagsBeside, ...outputFlags },
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --coverage coverage/store.json --record run.jsonl -- npx playwright test',
  ],
  notes: [
    'The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code.',
    'If it fails, its last requests go to stderr.',
    ...mockNotes,
  ],
  async run({ port = 0, coverage, record: asked, ...flags }, command) {
    const record = asked === undefined || isRecordingFile(asked) ? asked : join(asked, 'exec.jsonl')
    // A wrong path must not cost a test run.
    for (const file of [coverage, record]) if (file !== undefined) await checkWritable(file)
    const running = await startMock({ ...flags, port }, process.stderr)
    const { mock, serving } = running
    process.exitCode = await runCommand(command, flags, running, { stdio: 'inherit' })
    if (process.exitCode !== 0 && flags.log === 'silent') {
      const rows = mock.control.timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
      printError(
        `${describeRequests(command.join(' '), rows, `The mock was at ${serving.url}.`)}\n`,
      )
    }
    // Also if the command failed. Only now has every response ended.
    if (coverage !== undefined) {
      await replaceFile(coverage, toJsonText(mock.control.coverage()), PUBLIC)
      notify(`wrote ${coverage}: animal-store-mock coverage ${coverage}`)
    }
    if (record === undefined) return
    await replaceFile(record, mock.control.recording({ sandbox: '*' }), PRIVATE)
    notify(`wrote ${record}: animal-store-mock open ${record}`)
  },
})

function announce({ serving: { url, controlUrl }, newToken, warning }: Running): void {
  notify(`API ${url}${controlUrl === undefined ? '' : `, console ${controlUrl}/`}`)
  if (newToken !== undefined) notify(`control token ${newToken}`)
  if (warning !== undefined) notify(`warning: ${warning}`)
}

async function runCommand(
  command: readonly string[],
  flags: MockFlags,
  running: Running,
  options: SpawnOptions,
) {
  const { serving, stop } = running
  const names = Object.keys(surpriseFlags) as (keyof typeof surpriseFlags)[]
  const surprise = names.map((name) => [
    nameVariable(surpriseFlags[name].syntax),
    flags[name]?.toString(),
  ])
  const env = {
    ...process.env,
    ...options.env,
    [nameVariable(globalFlags.url.syntax)]: serving.url,
    // A token in the environment belongs to another mock.
    [nameVariable(globalFlags.controlToken.syntax)]: serving.controlToken,
    // For kits, whose mocks run inside the command.
    ...Object.fromEntries(surprise),
  }
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  let forward = (_: NodeJS.Signals): unknown => undefined
  try {
    if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
    const [file = '', ...args] = process.platform === 'win32' ? toWindowsCommand(command) : command
    const child = spawn(file, args, { ...options, env, windowsVerbatimArguments: true })
    if (options.stdio === 'inherit') child.once('spawn', () => announce(running))
    // On a terminal Ctrl+C has already reached the command, and a second SIGINT may make it quit at
    // once.
    forward = (signal) => (signal === 'SIGINT' && isOnTerminal) || child.kill(signal)
    for (const signal of SIGNALS) process.on(signal, forward)
    const [code, signal]: [number | null, NodeJS.Signals] = (await once(child, 'exit')) as never
    return code ?? exitCodeOf(signal)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `${command[0]}: ${code === 'ENOENT' ? 'no such command' : `cannot be run (${code})`}`,
    )
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward)
    await stop()
  }
}

/**
 * npm is a batch file, which only cmd.exe runs. Inside quotes cmd.exe changes nothing but `%`. A
 * quote is doubled:
 * programs read that as one quote, and for cmd.exe the quoted text goes on, which `\"` would end.
 */
function toWindowsCommand(command: readonly string[]): string[] {
  const quote = (text: string) =>
    `"${text.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + end + end)}"`
  return [
    process.env.ComSpec ?? 'cmd.exe',
    '/d',
    '/v:off',
    '/s',
    '/c',
    `"${command.map(quote).join(' ')}"`,
  ]
}

const run = defineCommand({
  summary: 'run a command with several seeds; exit code 1 if one of them breaks it',
  ...takesCommand,
  flags: {
    ...flagsBeside,
    seeds: { syntax: '--seeds <n>', help: SEEDS_HELP, parse: positive, default: '10' },
  },
  async run({ seeds, surprise: first = 1, ...flags }, command) {
    await checkClean(command, flags, 2)
    let broken: number | undefined
    await printLines(['seed  result  surprises'])
    for (let seed = first; seed < first + seeds; seed++) {
      const { fails, labels, output } = await tryCommand(command, { ...flags, surprise: seed })
      await printLines([
        `${String(seed).padEnd(6)}${fails ? 'broken' : 'ok    '}  ${labels.length}`,
      ])
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
  async run({ surprise: seed, ...flags }, command) {
    if (seed === undefined)
      throw new UsageError('--surprise is required: the seed that broke the command')
    await checkClean(command, flags, 1)
    const all = await tryCommand(command, { ...flags, surprise: seed })
    if (!all.fails) return notify(`Seed ${seed} does not break the command`)
    let runs = 2
    let { labels } = all
    const fails = async (only: readonly string[]) => {
      if (runs === MAX_RUNS) return false
      const attempt = await tryCommand(command, { ...flags, surprise: seed, only })
      const tried = only.length === 1 ? only[0] : `${only.length} of them`
      printError(`run ${++runs}: ${tried}: ${attempt.fails ? 'broken' : 'ok'}\n`)
      if (attempt.fails) labels = attempt.labels
      return attempt.fails
    }
    const kindsOf = (names: readonly string[]) => [...new Set(names.map(kindOf))]
    const guilty = await shrink(kindsOf(labels), fails)
    const calls = labels.filter((label) => guilty.includes(kindOf(label)))
    const found = await shrink(calls, fails)
    const lessons = kindsOf(found).map((kind) => `A client may not rely on ${sayReason(kind)}.`)
    const replay = `Replay: animal-store-mock exec --surprise ${seed} --only ${found.join()}, ${AGAIN}`
    await printLines([...found.map(describeSurprise), ...lessons, replay])
    if (runs === MAX_RUNS) notify(`stopped after ${MAX_RUNS} runs; a smaller set may break it too`)
    process.exitCode = 1
  },
})

const sayReason = (kind: SurpriseKind) => `${reasons[kind].relied} (${reasons[kind].legal})`

export const surpriseCommand = defineCommand({
  summary:
    'find clients that rely on what the spec does not promise; with no arguments, list the kinds',
  examples: [
    'surprise',
    'surprise run --seeds 20 -- npx vitest run',
    'surprise find --surprise 7 -- npx vitest run cart.test.ts',
  ],
  commands: { run, find },
  run: () =>
    printLines(alignColumns(kindNames.map((kind) => [kind, `do not rely on ${sayReason(kind)}`]))),
})

/** Finds a small part of a failing set, by leaving out halves, then quarters and so on. */
export async function shrink<T>(
  items: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
) {
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

async function tryCommand(command: readonly string[], flags: MockFlags) {
  const surprise = readSurprise(flags)
  const labels = new Set<string>(STATE_KINDS.filter((kind) => surprise && draw(surprise, kind)))
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-surprises-'))
  const [report, output] = [join(folder, 'report'), join(folder, 'output')]
  writeFileSync(report, '')
  // Not a pipe: a process that the command leaves behind would keep it open.
  const file = openSync(output, 'w+')
  try {
    const running = await startMock({ port: 0, ...flags }, process.stderr)
    running.mock.control.subscribe((event) =>
      surprisesOf(event).forEach((label) => void labels.add(label)),
    )
    const env = { [SURPRISE_REPORT]: report }
    const code = await runCommand(command, flags, running, { stdio: ['ignore', file, file], env })
    if (SIGNALS.some((signal) => exitCodeOf(signal) === code)) throw new UsageError('stopped')
    for (const label of readFileSync(report, 'utf8').split('\n').filter(Boolean)) labels.add(label)
    return { fails: code !== 0, labels: [...labels], output: readFileSync(output, 'utf8') }
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

const describeSurprise = (label: string) =>
  `${(label.split('@')[1] ?? 'the state').replace('#', ', call ')}: ${kindOf(label)}`
