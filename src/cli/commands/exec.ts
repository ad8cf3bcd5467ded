// `exec`: runs a command next to a mock, which the command finds by ANIMAL_STORE_URL.
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { count } from '../../contract/problem.ts'
import { createReport } from '../../coverage/report.ts'
import { PRIVATE, PUBLIC, removeOld, replaceFile } from '../../hosts/node/replace-file.ts'
import type { Serving } from '../../hosts/node/serve.ts'
import { describeRequests } from '../../render/rows.ts'
import type { TimelineRow } from '../../world/row.ts'
import { type CliCommand, defineCommand, group, type MockFlags, mockFlags, mockNotes } from '../flags.ts'
import { rowOf } from '../log.ts'
import { notify, printError } from '../output.ts'
import { findWarning, type Running, startMock } from '../start-mock.ts'

const MAX_SHOWN_ROWS = 1_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const takesCommand: Pick<CliCommand, 'arguments' | 'configure'> = {
  arguments: [['<command...>', 'what to run, with its own options']],
  configure: (command) => void command.usage('[options] -- <command...>').passThroughOptions(),
}

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  ...takesCommand,
  flags: {
    ...mockFlags,
    ...group('Output', {
      coverage: { syntax: '--coverage <file>', help: "write the command's API coverage to a file" },
      record: { syntax: '--record <file|folder>', help: 'write a recording of the run: this .jsonl file, or exec.jsonl in a folder' },
    }),
  },
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --sandbox -- npx playwright test',
    'exec --coverage coverage/store.json --record run.jsonl -- npm run e2e',
  ],
  notes: [
    'The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code. If it fails, its last requests go to stderr.',
    ...mockNotes,
  ],
  async run({ port = 0, coverage, record: asked, ...flags }, command) {
    // A folder gets the recordings of kits too.
    const record = asked === undefined || asked.endsWith('.jsonl') ? asked : join(asked, 'exec.jsonl')
    // A wrong path must not cost a test run.
    for (const file of [coverage, record]) if (file !== undefined) await removeOld(file)
    const running = await startMock({ ...flags, port }, 'silent', () => process.stderr)
    const { mock, serving } = running
    // Not from the timeline: a reset starts a new one, and a test may remove its sandbox.
    const rows: TimelineRow[] = []
    mock.control.subscribe((event) => {
      const row = rowOf(event)
      if (row) rows.push(row)
      if (rows.length > MAX_SHOWN_ROWS) rows.shift()
    })
    process.exitCode = await runCommand(command, flags, running, { stdio: 'inherit' }, () => announce(serving, flags))
    // The log would have shown them.
    if (process.exitCode !== 0 && (flags.log ?? 'silent') === 'silent') {
      printError(`${describeRequests(command.join(' '), rows, `The mock was at ${serving.url}.`)}\n`)
    }
    // Also if the command failed. Only now has every response ended.
    if (coverage !== undefined) {
      const counts = mock.control.coverage()
      const { tried, total, percent, requests } = createReport(counts)
      await replaceFile(coverage, `${JSON.stringify(counts, null, 2)}\n`, PUBLIC)
      notify(`wrote ${coverage}: ${tried} of ${total} cells tried (${percent}%) by ${count(requests, 'request')}`)
    }
    if (record === undefined) return
    await replaceFile(record, mock.control.recording({ sandbox: '*' }), PRIVATE)
    notify(`wrote ${record}: animal-store-mock open ${record}`)
  },
})

function announce({ url, controlUrl, controlToken }: Serving, flags: MockFlags): void {
  notify(`API ${url}${controlUrl === undefined ? '' : `, console ${controlUrl}/`}`)
  // A token that the user set is not printed, since others read logs.
  if (controlToken !== undefined && flags.controlToken === undefined) notify(`control token ${controlToken}`)
  const warning = findWarning(flags)
  if (warning) notify(`warning: ${warning}`)
}

/** Returns the exit code of the command, and stops the mock. */
export async function runCommand(
  command: readonly string[],
  { surprise, kinds, only }: MockFlags,
  { serving, stop }: Running,
  options: SpawnOptions,
  onSpawn = () => {},
): Promise<number> {
  const env = {
    ...process.env,
    ...options.env,
    ANIMAL_STORE_URL: serving.url,
    // A token in the environment belongs to another mock.
    ANIMAL_STORE_CONTROL_TOKEN: serving.controlToken,
    // For kits, whose mocks run inside the command.
    ANIMAL_STORE_SURPRISE: surprise?.toString(),
    ANIMAL_STORE_KINDS: kinds?.join(),
    ANIMAL_STORE_ONLY: only?.join(),
  }
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  let forward = (_: NodeJS.Signals): unknown => undefined
  try {
    if (command[0] === '') throw new UsageError('command: expected the name of a program, got ""')
    const [file = '', ...args] = process.platform === 'win32' ? toWindowsCommand(command) : command
    const child = spawn(file, args, { ...options, env, windowsVerbatimArguments: true }).once('spawn', onSpawn)
    // On a terminal Ctrl+C has already reached the command, and a second SIGINT may make it quit at once.
    forward = (signal) => (signal === 'SIGINT' && isOnTerminal) || child.kill(signal)
    for (const signal of SIGNALS) process.on(signal, forward)
    const [code, signal]: [number | null, NodeJS.Signals] = (await once(child, 'exit')) as never
    return code ?? 128 + constants.signals[signal]
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${command[0]}: ${code === 'ENOENT' ? 'no such command' : `cannot be run (${code})`}`)
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward)
    await stop()
  }
}

/**
 * npm is a batch file, which only cmd.exe runs. Inside quotes cmd.exe changes nothing but `%`. A quote is doubled:
 * programs read that as one quote, and for cmd.exe the quoted text goes on, which `\"` would end.
 */
function toWindowsCommand(command: readonly string[]): string[] {
  const quote = (text: string) => `"${text.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + end + end)}"`
  return [process.env.ComSpec ?? 'cmd.exe', '/d', '/v:off', '/s', '/c', `"${command.map(quote).join(' ')}"`]
}
