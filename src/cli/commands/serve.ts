// `serve`: starts the mock, says where it is, and stops when asked to.
import { UsageError } from '../../contract/errors.ts'
import { isLoopback } from '../../hosts/node/host-policy.ts'
import { type BannerFacts, toBanner } from '../banner.ts'
import { defineCommand } from '../command.ts'
import { DEFAULT_PORT, type ServeFlags, serveFlags } from '../flags.ts'
import { hasColour } from '../log-line.ts'
import { findChosen, isInteractive, notify, say, toHealthText } from '../say.ts'
import { findSeed, type Running, startMock } from '../start-mock.ts'
import type { Key } from '../terminal-keys.ts'

/** How long open handles may delay the exit. */
const EXIT_GRACE_MS = 500

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
    'Where several values are possible, list them, separate them by commas or repeat the option.',
    'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
    'The docs are in the package: node_modules/animal-store-mock/docs/getting-started.md',
  ],
  async run(flags) {
    if (flags.open && !flags.control) throw new UsageError('--open needs the console: omit --no-control')
    const running = await startMock(flags, { log: flags.log ?? 'pretty', logTo: () => process.stdout })
    const quit = stopOnSignals(running)
    // Requests that are waiting for the port come first.
    setImmediate(() => void announce(flags, running, quit))
  },
})

async function announce(flags: ServeFlags, running: Running, quit: Quit): Promise<void> {
  const { port, controlUrl } = running.serving
  if (flags.port === undefined && port !== DEFAULT_PORT) notify(`Port ${DEFAULT_PORT} is in use; this mock is on ${port}`)
  const hasKeys = isInteractive(process.env)
  say(describe(flags, running, hasKeys, await findNetworkUrls(flags.host, running.serving.url)))
  if (flags.open && controlUrl !== undefined) open(controlUrl)
  if (hasKeys) quit.before((await import('../terminal-keys.ts')).listenForKeys(toKeys(running, quit)))
}

function open(controlUrl: string): void {
  void import('../open-in-browser.ts').then(({ openInBrowser }) => openInBrowser(`${controlUrl}/`, notify))
}

function toKeys({ mock: { control }, serving: { controlUrl } }: Running, quit: Quit): Record<string, Key> {
  const keys: Record<string, Key> = {
    ...(controlUrl === undefined ? {} : { o: { help: 'open the console', run: () => open(controlUrl) } }),
    r: {
      help: 'reset to the scenario',
      run() {
        const summary = control.reset()
        notify(`Reset to ${toHealthText(summary)}`)
        if (summary.sandboxes !== undefined) notify('Sandboxes are on: existing ones keep their state')
      },
    },
    q: { help: 'quit', run: quit.now },
    h: {
      help: 'show this help',
      run: () =>
        say(
          Object.entries(keys)
            .map(([key, { help }]) => `  ${key} + Enter  ${help}\n`)
            .join(''),
        ),
    },
  }
  return keys
}

function describe(
  flags: ServeFlags,
  { mock: { control }, options, serving }: Running,
  hasKeys: boolean,
  networkUrls: readonly string[],
): string {
  const { now, frozen } = control.clock.get()
  const assumptions = control.assumptions()
  const hasListedKeys = assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  const facts: BannerFacts = {
    url: serving.url,
    networkUrls,
    consoleUrl: serving.controlUrl === undefined ? undefined : `${serving.controlUrl}/`,
    apiKeys: hasListedKeys ? (options.apiKeys ?? options.scenario?.apiKeys ?? []) : undefined,
    ...control.summary(),
    seed: findSeed(flags),
    now: (flags.now ?? options.scenario?.now) === undefined ? undefined : now,
    frozen,
    latency: flags.latency ?? options.scenario?.latency,
    faults: control.faults.list(),
    surprise: control.state({ pets: false }).surprise,
    assume: findChosen(assumptions),
    sandbox: flags.sandbox,
    watch: flags.watch ? flags.scenario : undefined,
    persist: flags.persist,
    // A token that you set is not printed: logs are read by others.
    controlToken:
      serving.controlToken === undefined ? undefined : flags.controlToken === undefined ? { generated: serving.controlToken } : 'given',
    hasKeys,
    isExposed: flags.host !== undefined && !isLoopback(flags.host),
  }
  return toBanner(facts, hasColour(process.stderr, process.env))
}

/** Where other machines find a mock that listens on every address. */
async function findNetworkUrls(host: string | undefined, url: string): Promise<string[]> {
  if (host !== '0.0.0.0' && host !== '::') return []
  const { networkInterfaces } = await import('node:os')
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list)
  return addresses
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => {
      const reachable = new URL(url)
      reachable.hostname = address
      return reachable.href
    })
}

interface Quit {
  /** Does the same as a signal. */
  now(): void
  /** Runs it before the mock stops. */
  before(end: () => void): void
}

/** The first signal lets in-flight requests finish; the second does not wait. */
function stopOnSignals({ stop }: Running): Quit {
  let isStopping = false
  let end = () => {}
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    end()
    void stop().then(() => {
      process.exitCode = 0
      // With everything closed the process ends by itself; this is for what is still open.
      setTimeout(() => process.exit(), EXIT_GRACE_MS).unref()
    })
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return {
    now: () => onSignal('SIGINT'),
    before(run) {
      end = run
    },
  }
}
