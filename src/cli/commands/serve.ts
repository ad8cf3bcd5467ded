// `serve`: starts the mock, says where it is, and stops when asked to.
import { networkInterfaces } from 'node:os'
import { UsageError } from '../../contract/errors.ts'
import { version } from '../../generated/version.ts'
import { isLoopback } from '../../hosts/node/host-policy.ts'
import { type BannerFacts, toBanner } from '../banner.ts'
import { defineCommand } from '../command.ts'
import { DEFAULT_PORT, type ServeFlags, serveFlags } from '../flags.ts'
import { findSeed } from '../mock-options.ts'
import { note, say } from '../say.ts'
import { type Running, startMock } from '../start-mock.ts'

/** How long whatever is still open may hold up the exit. */
const EXIT_GRACE_MS = 500

export const serveCommand = defineCommand({
  summary: 'start the mock (the default command)',
  flags: serveFlags,
  examples: [
    '',
    '--scenario sold-out --port 8080',
    '--scenario ./situation.yaml --watch',
    '--fail createPet=503:2 --delay 200-800',
    '--assume invalid-query=clamp --now 2030-12-06',
    '--api-key qa-key --sandbox --log json',
  ],
  notes: [
    'The banner goes to stderr, the log to stdout.',
    'Where several values are possible, list them, separate them by commas or repeat the option.',
    'Every option can be set by a variable too: --api-key by ANIMAL_STORE_API_KEY, and so on.',
  ],
  async run(flags) {
    if (flags.open && !flags.control) throw new UsageError('--open needs the console: omit --no-control')
    const running = await startMock(flags, { log: flags.log ?? 'pretty', logTo: () => process.stdout })
    stopOnSignals(running)
    // Whoever is waiting for the port already comes first.
    setImmediate(() => announce(flags, running))
  },
})

function announce(flags: ServeFlags, running: Running): void {
  const { port, controlUrl } = running.serving
  if (flags.port === undefined && port !== DEFAULT_PORT) note(`Port ${DEFAULT_PORT} is in use; this mock is on ${port}`)
  say(describe(flags, running))
  if (flags.open && controlUrl !== undefined) {
    void import('../open-in-browser.ts').then(({ openInBrowser }) => openInBrowser(`${controlUrl}/`, note))
  }
}

function describe(flags: ServeFlags, { mock: { control }, options, serving }: Running): string {
  const { now, frozen } = control.clock.get()
  const assumptions = control.assumptions()
  const validKeys = assumptions.find(({ id }) => id === 'valid-keys')?.choice
  return toBanner({
    version,
    url: serving.url,
    networkUrls: toNetworkUrls(flags.host, serving.url),
    consoleUrl: serving.controlUrl === undefined ? undefined : `${serving.controlUrl}/`,
    apiKeys: validKeys === 'listed' ? (options.apiKeys ?? options.scenario?.apiKeys ?? []) : undefined,
    ...control.summary(),
    seed: findSeed(flags),
    now: (flags.now ?? options.scenario?.now) === undefined ? undefined : now,
    frozen,
    latency: flags.delay ?? options.scenario?.latency,
    faults: control.faults.list(),
    assume: assumptions.filter(({ id, choice, default: usual }) => id !== 'valid-keys' && choice !== usual),
    sandbox: flags.sandbox,
    watch: flags.watch ? flags.scenario : undefined,
    controlToken: toTokenFact(flags, serving.controlToken),
    isExposed: flags.host !== undefined && !isLoopback(flags.host),
  })
}

/** A token that was set is known to whoever set it, and a log is no place for it. */
function toTokenFact({ controlToken, controlTokenFile }: ServeFlags, token: string | undefined): BannerFacts['controlToken'] {
  if (token === undefined) return undefined
  return controlToken === undefined && controlTokenFile === undefined ? { generated: token } : 'given'
}

/** Where other machines find a mock that listens on every address. */
function toNetworkUrls(host: string | undefined, url: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return []
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list)
  return addresses
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => {
      const reachable = new URL(url)
      reachable.hostname = address
      return reachable.href
    })
}

/** The first signal lets in-flight requests finish; the second does not wait. */
function stopOnSignals({ stop }: Running): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    void stop().then(() => {
      process.exitCode = 0
      // With everything closed the process ends by itself; should something hold it, then not for long.
      setTimeout(() => process.exit(), EXIT_GRACE_MS).unref()
    })
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
}
