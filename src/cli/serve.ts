// The command `serve`: starts a mock, says where it is, and stops when it is asked to.

import { version } from '../generated/version.ts'
import { isLoopback } from '../hosts/node/host-policy.ts'
import { toBanner } from './banner.ts'
import { findSeed } from './mock-options.ts'
import { note, say } from './say.ts'
import { DEFAULT_PORT, type ServeFlags } from './serve-flags.ts'
import { type Running, startMock } from './start-mock.ts'

/** How long what is left open may hold the process back. */
const EXIT_GRACE = 500

export async function runServe(flags: ServeFlags): Promise<void> {
  const running = await startMock(flags, () => process.stdout)
  stopOnSignals(running)
  // Whoever is waiting for the port already comes before the words about it.
  setImmediate(() => announce(flags, running))
}

function announce(flags: ServeFlags, running: Running): void {
  const { port, controlUrl } = running.serving
  if (flags.port === undefined && port !== DEFAULT_PORT) note(`port ${DEFAULT_PORT} is in use, so this mock is on ${port}`)
  say(describe(flags, running))
  if (flags.open && controlUrl !== undefined) {
    void import('./open-in-browser.ts').then(({ openInBrowser }) => openInBrowser(`${controlUrl}/`, note))
  }
}

function describe(flags: ServeFlags, { mock: { control }, options, serving }: Running): string {
  const { now, frozen } = control.clock.get()
  const validKeys = control.assumptions().find(({ id }) => id === 'valid-keys')?.choice
  return toBanner({
    version,
    url: serving.url,
    consoleUrl: serving.controlUrl === undefined ? undefined : `${serving.controlUrl}/`,
    apiKeys: validKeys === 'listed' ? (options.apiKeys ?? options.scenario?.apiKeys ?? []) : undefined,
    ...control.summary(),
    seed: findSeed(flags),
    now: (flags.now ?? options.scenario?.now) === undefined ? undefined : now,
    frozen,
    faults: control.faults.list().length,
    sandbox: flags.sandbox,
    watch: flags.watch ? flags.scenario : undefined,
    controlToken: serving.controlToken,
    isExposed: flags.host !== undefined && !isLoopback(flags.host),
  })
}

/** The first signal lets running requests finish; the second does not wait. */
function stopOnSignals({ stop }: Running): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    void stop().then(() => {
      process.exitCode = 0
      // With everything closed the process ends by itself; should something hold it, then not for long.
      setTimeout(() => process.exit(), EXIT_GRACE).unref()
    })
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
}
