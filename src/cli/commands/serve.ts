// `serve` and `open`: start the mock, print the banner, and stop on a signal.
import { UsageError } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import { homepage } from '../../contract/generated/version.ts'
import { joinWords } from '../../contract/problem.ts'
import { DEFAULT_PORT } from '../../control/protocol.ts'
import { hasColour } from '../../control/rows/has-colour.ts'
import { describeKeyRule, workingKey } from '../../control/text/working-key.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import { findListedKeys } from '../../world/scenario.ts'
import { defineCommand } from '../lib/command.ts'
import { type Labelled, listState, renderLabelled } from '../lib/describe-state.ts'
import { group, mockFlags, mockNotes, positive, servingFlags } from '../lib/flags.ts'
import { complain, inform, notify } from '../lib/output.ts'
import {
  exitCodeOf,
  type Running,
  type ShownRecording,
  SIGNALS,
  startMock,
} from '../lib/start-mock.ts'
import { checkOnly } from '../lib/surprises.ts'

const { basePath, operations } = contract
const LIST_PATH = operations.listPets.path.slice(basePath.length)
const EXIT_GRACE_MS = 500
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is a shell builtin; its first quoted argument is a title.
  win32: ['cmd', '/c', 'start', '""'],
}

const openFlag = group('Output', {
  open: { syntax: '--open', help: 'open the console in the browser' },
})
const serveFlags = { ...mockFlags, ...openFlag }
type ServeFlags = FlagValues<typeof serveFlags>

export const serveCommand = defineCommand({
  summary: 'start the mock (the default command)',
  flags: serveFlags,
  examples: [
    '',
    '--scenario sold-out --port 8080',
    '--scenario ./scenario.yaml --watch',
    '--fail createPet=503:2 --latency 200-800',
    '--assume invalid-query=clamp --now 2030-12-06',
    '--api-key qa-key --sandbox --log json',
  ],
  notes: ['The banner goes to stderr, the log to stdout.', ...mockNotes, `Docs: ${homepage}`],
  run: (flags) => run(flags),
})

export const openCommand = defineCommand({
  summary: 'start a mock that shows a recording, at its end',
  arguments: [
    [
      '<recording|link>',
      'a link, or a file of `record`, `exec --record` or a test kit; it is not written to',
    ],
  ],
  flags: {
    at: {
      syntax: '--at <id>',
      help: 'start before this request or change; by default at that of a link, or at the end',
      parse: positive,
    },
    ...servingFlags,
    ...openFlag,
  },
  examples: ['open run.jsonl', 'open run.jsonl --at 12 --open', "open 'https://…/play/#1.…'"],
  async run(flags, [place = '']: readonly string[]) {
    const { at, ...given } = flags
    const { readHead } = await import('../../scenario/recording/read.ts')
    const shown = await readShown(place)
    const sandbox = readHead(shown.text, shown.file).sandboxes > 0
    const scenario = mockFlags.scenario.default
    await run({ ...given, scenario, sandbox }, { ...shown, at: at ?? shown.at })
  },
})

/** The text of a file or a link. */
async function readShown(place: string): Promise<ShownRecording> {
  const { isLink, LINK_NAME, readLink } = await import('../../scenario/recording/link.ts')
  if (isLink(place)) {
    const { recording: text, row: at } = await readLink(place)
    return { text, file: LINK_NAME, at }
  }
  const { readText } = await import('../../hosts/node/scenario-files.ts')
  return { text: await readText(place), file: place, at: undefined }
}

async function run(flags: ServeFlags, recording?: ShownRecording): Promise<void> {
  if (flags.open && !flags.control)
    throw new UsageError('--open needs the console: omit --no-control')
  checkOnly(flags)
  const running = await startMock(flags, process.stdout, recording)
  stopOnSignals(running)
  // Requests that wait for the port come first.
  setImmediate(() => announce(flags, running))
}

function announce(flags: ServeFlags, running: Running): void {
  const { port, controlUrl } = running.serving
  if (flags.port === undefined && port !== DEFAULT_PORT) {
    const moved = `this mock is on ${port}, so other commands need --port ${port}`
    notify(`Port ${DEFAULT_PORT} is in use; ${moved}`)
  }
  inform(renderBanner(flags, running))
  if (flags.open) void openInBrowser(`${controlUrl}/`)
}

function renderBanner(flags: ServeFlags, running: Running): string {
  const { mock, serving, startedFrom, warning } = running
  const { url, controlUrl } = serving
  const summary = mock.control.summary()
  const state = mock.control.state({ pets: false })
  const listed = findListedKeys(state) ?? []
  // The keys themselves are shown instead of their number.
  const settings = listState(summary, state).filter(([name]) => name !== settingTexts.apiKeys.label)
  const rows: readonly Labelled[] = [
    ['API', url],
    ['API key', joinWords(listed, 'or') || describeKeyRule(state)],
    ['Scenario', startedFrom],
    ...settings,
    ['Watching', flags.watch && flags.scenario],
    ['Saved in', flags.persist],
    ['Console', controlUrl && `${controlUrl}/`],
    ['Token', describeToken(running)],
    ['Try it', renderExample(url, workingKey(null, state))],
    ['Warning', warning],
  ]
  const banner = `animal-store-mock ${summary.version}\n\n${renderLabelled(rows, '  ')}\n`
  if (!hasColour(process.stderr, process.env)) return banner
  return banner.replace(/https?:\/\/\S+/g, '\u001b[36m$&\u001b[39m')
}

function describeToken({ serving, newToken }: Running): string | undefined {
  if (!serving.controlToken) return undefined
  const token = newToken ?? 'the one that you set'
  return `${token} (for the console and for --control-token)`
}

function renderExample(url: string, key: string | undefined): string | undefined {
  if (!key) return undefined
  // In double quotes, which cmd.exe knows too.
  return `curl -H "Authorization: Bearer ${key}" ${url}${LIST_PATH}`
}

async function openInBrowser(url: string): Promise<void> {
  // Loaded on demand, as few start with --open.
  const { spawn } = await import('node:child_process')
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const fail = () =>
    complain(`no browser could be opened with ${command}: the console is at ${url}`)
  const child = spawn(command, [...args, url], {
    stdio: 'ignore',
    detached: true,
    windowsVerbatimArguments: true,
  })
  child.on('error', fail)
  child.on('exit', (code) => {
    if (code !== 0) fail()
  })
  child.unref()
}

/** The first signal lets requests finish; the second does not wait. */
function stopOnSignals(running: Running): void {
  let isStopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitCodeOf(signal))
    isStopping = true
    await running.stop()
    // Usually the process ends by itself once everything is closed.
    setTimeout(() => process.exit(), EXIT_GRACE_MS).unref()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
}
