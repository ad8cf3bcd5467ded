// `serve` and `open`: start the mock, print the banner, and stop on a signal.
import { spawn } from 'node:child_process'
import { UsageError } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import { joinWords } from '../../contract/problem.ts'
import { DEFAULT_PORT } from '../../control/protocol.ts'
import { hasColour } from '../../control/text/row-line.ts'
import { describeKeyRule, workingKey } from '../../control/text/working-key.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import { findListedKeys } from '../../world/scenario.ts'
import { defineCommand, group, mockFlags, mockNotes, positive } from '../lib/flags.ts'
import { type Labelled, listState, notify, printError, renderLabelled } from '../lib/output.ts'
import { exitCodeOf, type Running, SIGNALS, startMock } from '../lib/start-mock.ts'

const LIST_PATH = contract.operations.listPets.path.slice(contract.basePath.length)
const EXIT_GRACE_MS = 500
// `start` is a shell builtin; its first quoted argument is a title.
const OPENERS = { darwin: ['open'], win32: ['cmd', '/c', 'start', '""'] }

const openFlag = group('Output', {
  open: { syntax: '--open', help: 'open the console in the browser' },
})
const serveFlags = { ...mockFlags, ...openFlag }
const { port, host, allowedHost, corsOrigin, controlToken, control, log, readyFile, open } =
  serveFlags
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
  notes: [
    'The banner goes to stderr, the log to stdout.',
    ...mockNotes,
    'The docs are in the package: node_modules/animal-store-mock/docs/getting-started.md',
  ],
  run: (flags) => run(flags),
})

export const openCommand = defineCommand({
  summary: 'start a mock that shows a recording, at its end',
  arguments: [
    [
      '<recording>',
      'a file of `record`, of `exec --record` or of a test kit; it is not written to',
    ],
  ],
  flags: {
    at: {
      syntax: '--at <id>',
      help: 'start before this request or change instead of at the end',
      parse: positive,
    },
    ...{ port, host, allowedHost, corsOrigin, controlToken, control, log, readyFile, open },
  },
  examples: ['open run.jsonl', 'open run.jsonl --at 12 --open'],
  async run({ at, ...given }, [file = '']: readonly string[]) {
    const { readText } = await import('../../hosts/node/scenario-files.ts')
    const { readHead } = await import('../../scenario/recording/read.ts')
    const text = await readText(file)
    const sandbox = readHead(text, file).sandboxes > 0
    await run({ ...given, scenario: mockFlags.scenario.default, sandbox }, { text, file, at })
  },
})

async function run(flags: ServeFlags, recording?: Parameters<typeof startMock>[2]): Promise<void> {
  if (flags.open && !flags.control)
    throw new UsageError('--open needs the console: omit --no-control')
  const running = await startMock(flags, process.stdout, recording)
  const { port, controlUrl } = running.serving
  stopOnSignals(running)
  // Requests that wait for the port come first.
  setImmediate(() => {
    const moved = `Port ${DEFAULT_PORT} is in use; this mock is on ${port}, so other commands need --port ${port}`
    if (flags.port === undefined && port !== DEFAULT_PORT) notify(moved)
    printError(renderBanner(flags, running))
    if (flags.open) openInBrowser(`${controlUrl}/`)
  })
}

function renderBanner(
  flags: ServeFlags,
  { mock, serving, startedFrom, newToken, warning }: Running,
): string {
  const { url, controlUrl, controlToken } = serving
  const summary = mock.control.summary()
  const state = mock.control.state({ pets: false })
  const key = workingKey(null, state)
  const rows: readonly Labelled[] = [
    ['API', url],
    ['API key', joinWords(findListedKeys(state) ?? [], 'or') || describeKeyRule(state)],
    ['Scenario', startedFrom],
    ...listState(summary, state).filter(([name]) => name !== settingTexts.apiKeys.label),
    ['Watching', flags.watch && flags.scenario],
    ['Saved in', flags.persist],
    ['Console', controlUrl && `${controlUrl}/`],
    [
      'Token',
      controlToken &&
        `${newToken ?? 'the one that you set'} (for the console and for --control-token)`,
    ],
    // In double quotes, which cmd.exe knows too.
    ['Try it', key && `curl -H "Authorization: Bearer ${key}" ${url}${LIST_PATH}`],
    ['Warning', warning],
  ]
  const paint = hasColour(process.stderr, process.env) ? '\u001b[36m$&\u001b[39m' : '$&'
  return `animal-store-mock ${summary.version}\n\n${renderLabelled(rows, '  ').replace(/https?:\/\/\S+/g, paint)}\n`
}

function openInBrowser(url: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform as keyof typeof OPENERS] ?? []
  const fail = () => notify(`no browser could be opened with ${command}: the console is at ${url}`)
  spawn(command, [...args, url], {
    stdio: 'ignore',
    detached: true,
    windowsVerbatimArguments: true,
  })
    .on('error', fail)
    .on('exit', (code) => code !== 0 && fail())
    .unref()
}

/** The first signal lets requests finish; the second does not wait. */
function stopOnSignals({ stop }: Running): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitCodeOf(signal))
    isStopping = true
    // Usually the process ends by itself once everything is closed.
    void stop().then(() => setTimeout(() => process.exit(), EXIT_GRACE_MS).unref())
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
}
