// The mock inside Vite's dev server, on the app's own origin. It needs nothing of Vite but the server that it gets.
import { escapeUnsafe } from '../client/escape.ts'
import { hasColour, toChangeLine, toPrettyLine } from '../client/log-line.ts'
import { CONTROL_PATH } from '../control/methods.ts'
import { createMock } from '../mock/mock.ts'
import { type MockOptions, mockRules, readMockOptions } from '../mock/mock-options.ts'
import { BOOLEAN, CHECKED_LATER, type OptionRules, stringLike } from '../mock/options.ts'
import { isScenarioFile, type ScenarioDocument } from '../scenario/document.ts'
import { type Middleware, type MiddlewareOptions, middleware } from './node/index.ts'

/** How the mock starts and what it answers: the options of `createMock`, and these. */
export interface AnimalStoreOptions extends Omit<MockOptions, 'scenario'>, Pick<MiddlewareOptions, 'baseUrl' | 'controlToken'> {
  /** A scenario, which may use `extends` and `generate`, the name of a shipped one, or a file; by default eighteen animals of every status. */
  readonly scenario?: ScenarioDocument | string
  /** Whether the mock also answers in `vite preview`; false by default. */
  readonly preview?: boolean
  /** Whether requests are logged in Vite's terminal; true by default. */
  readonly log?: boolean
}

/** The part of Vite's servers that the plugin uses. */
interface ViteServer {
  readonly middlewares: { use(handler: Middleware): unknown }
  /** Absent in Vite's middleware mode. */
  readonly httpServer?: { once(event: 'close', listener: () => void): unknown } | null
  readonly resolvedUrls: { readonly local: readonly string[]; readonly network: readonly string[] } | null
  readonly config: { readonly logger: { info(message: string): void }; readonly server: Hosts; readonly preview: Hosts }
  printUrls(): void
}
/** Vite checks hosts itself if it has this setting, which older versions lack. */
type Hosts = { readonly allowedHosts?: unknown }

/** A plugin of Vite, without its types: a project may lack `@types/node`, which they need. */
interface AnimalStorePlugin {
  readonly name: string
  /** It is not part of a build. */
  readonly apply: 'serve'
  configureServer(server: object): Promise<void>
  configurePreviewServer(server: object): Promise<void>
}

const rules: OptionRules<AnimalStoreOptions> = {
  ...mockRules,
  preview: BOOLEAN,
  log: BOOLEAN,
  scenario: CHECKED_LATER,
  baseUrl: stringLike('/api/v1'),
  controlToken: stringLike('a token'),
}

/**
 * The mock in Vite's dev server, under `/v1/pets` and with its console under `/__mock/`.
 *
 * @example
 * export default defineConfig({ plugins: [animalStore({ scenario: 'flaky' })] })
 */
export function animalStore(options: AnimalStoreOptions = {}): AnimalStorePlugin {
  const { preview = false, log = true, baseUrl, controlToken, scenario, ...mockOptions } = readMockOptions(options, 'animalStore', rules)

  async function mount(server: ViteServer, { allowedHosts }: Hosts): Promise<void> {
    const { logger } = server.config
    const watch = typeof scenario === 'string' && isScenarioFile(scenario) ? await createFileWatch(scenario, logger) : undefined
    const { findAnyScenario } = await import('../scenario/files.ts')
    const found = scenario === undefined ? {} : { scenario: await findAnyScenario(scenario, { onFile: watch?.follow }) }
    const mock = createMock({ ...mockOptions, ...found })
    watch?.start(mock, { ...mockOptions, ...found })
    if (watch) server.httpServer?.once('close', watch.stop)
    const colour = hasColour(process.stdout, process.env)
    if (log) {
      mock.control.subscribe((event) => {
        if (event.type === 'request') logger.info(toPrettyLine(event.entry, colour))
        else if (event.type === 'change') logger.info(toChangeLine(event.row, colour))
      })
    }
    const settings = { baseUrl, controlToken, allowedHosts: allowedHosts === undefined ? [] : true }
    server.middlewares.use(middleware(mock, settings as MiddlewareOptions))
    announce(server)
  }

  return {
    name: 'animal-store-mock',
    apply: 'serve',
    configureServer: (server) => mount(server as ViteServer, (server as ViteServer).config.server),
    configurePreviewServer: async (server) => (preview ? mount(server as ViteServer, (server as ViteServer).config.preview) : undefined),
  }
}

async function createFileWatch(file: string, logger: ViteServer['config']['logger']) {
  const { createWatch } = await import('./node/watch-scenario.ts')
  return createWatch(file, (line) => logger.info(escapeUnsafe(line)))
}

/** Prints the address of the console after the addresses of the app. */
function announce(server: ViteServer): void {
  const { printUrls } = server
  server.printUrls = () => {
    printUrls.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const url = local[0] ?? network[0]
    if (url !== undefined) server.config.logger.info(`  ➜  Animal Store: ${new URL(`${CONTROL_PATH}/`, url).href}`)
  }
}
