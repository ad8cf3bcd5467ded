// The plugin for Vite: the mock inside the dev server, on the app's own origin. It needs nothing of Vite but the server that it gets.
import { isPlainObject } from '../contract/describe-value.ts'
import { CONTROL_PATH } from '../control/methods.ts'
import { loadScenario, type Middleware, type MiddlewareOptions, middleware } from '../hosts/node/index.ts'
import { createMock } from '../mock/mock.ts'
import { type MockOptions, mockRules, readMockOptions } from '../mock/mock-options.ts'
import { BOOLEAN, type OptionRules, stringLike } from '../mock/options.ts'
import type { Scenario } from '../world/situation.ts'
import type { Resolved } from './kit-options.ts'

/** How the mock starts and what it answers: the options of `createMock`, and these. */
export interface AnimalStoreOptions extends Omit<MockOptions, 'scenario'>, Pick<MiddlewareOptions, 'baseUrl' | 'controlToken'> {
  /** A scenario, the name of a shipped one, or a file; by default eighteen animals of every status. */
  readonly scenario?: Scenario | string
  /** Whether the mock also answers in `vite preview`; false by default. */
  readonly preview?: boolean
}

/** The part of Vite's servers that the plugin uses. */
interface ViteServer {
  readonly middlewares: { use(handler: Middleware): unknown }
  readonly resolvedUrls: { readonly local: readonly string[]; readonly network: readonly string[] } | null
  readonly config: { readonly logger: { info(message: string): void } }
  printUrls(): void
}
/** Vite checks hosts itself if it has this setting, which older versions lack. */
interface Hosts {
  readonly allowedHosts?: unknown
}
interface DevServer extends ViteServer {
  readonly config: ViteServer['config'] & { readonly server: Hosts }
}
interface PreviewServer extends ViteServer {
  readonly config: ViteServer['config'] & { readonly preview: Hosts }
}

/** A plugin of Vite. */
export interface AnimalStorePlugin {
  /** Its name in Vite's messages. */
  readonly name: string
  /** It is not part of a build. */
  readonly apply: 'serve'
  /** Starts the mock in the dev server. */
  configureServer(server: DevServer): Promise<void>
  /** Starts the mock in the preview, if it is to be there. */
  configurePreviewServer(server: PreviewServer): Promise<void>
}

const rules: OptionRules<Resolved<AnimalStoreOptions>> = {
  ...mockRules,
  preview: BOOLEAN,
  // The handler has its own checks.
  baseUrl: stringLike('/api/v1'),
  controlToken: stringLike('a token'),
}

/**
 * The mock in Vite's dev server, under `/v1/pets` and with its console under `/__mock/`.
 *
 * @example
 * export default defineConfig({ plugins: [animalStore({ scenario: 'flaky' })] })
 */
export function animalStore(given: AnimalStoreOptions = {}): AnimalStorePlugin {
  const name = isPlainObject(given) && typeof given.scenario === 'string' ? given.scenario : undefined
  const known = name === undefined ? given : { ...given, scenario: undefined }
  const { preview = false, baseUrl, controlToken, ...options } = readMockOptions(known, 'animalStore', rules)

  async function mount(server: ViteServer, { allowedHosts }: Hosts): Promise<void> {
    const mock = createMock(name === undefined ? options : { ...options, scenario: await loadScenario(name) })
    server.middlewares.use(
      middleware(mock, {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(controlToken === undefined ? {} : { controlToken }),
        allowedHosts: allowedHosts === undefined ? [] : true,
      }),
    )
    announce(server)
  }

  return {
    name: 'animal-store-mock',
    apply: 'serve',
    configureServer: (server) => mount(server, server.config.server),
    configurePreviewServer: async (server) => (preview ? mount(server, server.config.preview) : undefined),
  }
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
