// `serve`: starts the mock, says where it is, and stops when asked to.
import { spawn } from 'node:child_process'
import { hasColour } from '../../client/log-line.ts'
import { UsageError } from '../../contract/errors.ts'
import { renderBanner } from '../banner.ts'
import { defineCommand } from '../command.ts'
import { DEFAULT_PORT, flagTables, mockNotes, type ServeFlags } from '../flags.ts'
import { notify, say } from '../output.ts'
import { type Running, startMock } from '../start-mock.ts'

/** How long open handles may delay the exit. */
const EXIT_GRACE_MS = 500
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` is a shell builtin; its first quoted argument is a title.
  win32: ['cmd', '/c', 'start', '""'],
}

export const serveCommand = defineCommand({
  summary: 'start the mock (the default command)',
  flags: flagTables.serve,
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
  async run(flags) {
    if (flags.open && !flags.control) throw new UsageError('--open needs the console: omit --no-control')
    const running = await startMock(flags, 'pretty', () => process.stdout)
    stopOnSignals(running)
    // Requests that are waiting for the port come first.
    setImmediate(() => announce(flags, running))
  },
})

function announce(flags: ServeFlags, running: Running): void {
  const { port, controlUrl } = running.serving
  if (flags.port === undefined && port !== DEFAULT_PORT)
    notify(`Port ${DEFAULT_PORT} is in use; this mock is on ${port}, so other commands need --port ${port}`)
  say(renderBanner(flags, running, hasColour(process.stderr, process.env)))
  if (flags.open) openInBrowser(`${controlUrl}/`)
}

/** In the way of each system. If that fails, it says so and goes on. */
function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const fail = () => notify(`no browser could be opened with ${command}: the console is at ${url}`)
  spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
    .on('error', fail)
    .on('exit', (code) => code !== 0 && fail())
    .unref()
}

/** The first signal lets in-flight requests finish; the second does not wait. */
function stopOnSignals({ stop }: Running): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    void stop().then(() => {
      // With everything closed the process ends by itself; this is for what is still open.
      setTimeout(() => process.exit(), EXIT_GRACE_MS).unref()
    })
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal)
}
