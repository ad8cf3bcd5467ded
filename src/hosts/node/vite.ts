// The mock inside Vite's dev server, on the app's own origin. It needs nothing of Vite but the
// server that it gets.
import { splitQuery } from '../../contract/address.ts'
import { escapeUnsafe } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { BOOLEAN, type OptionSchemas } from '../../contract/options.ts'
import { rowOf } from '../../control/events.ts'
import { CONTROL_PATH, findMockUrl, MOCK_NAME } from '../../control/protocol.ts'
import { hasColour, renderLine } from '../../control/rows/row-line.ts'
import { createOwners } from '../../control/rows/row-owners.ts'
import { createEngine, type Mock } from '../../mock/mock.ts'
import {
  mockSchemas,
  type OwnOptions,
  openStart,
  readMockOptions,
} from '../../mock/mock-options.ts'
import type { ScenarioDocument } from '../../scenario/document.ts'
import { isScenarioFile } from '../../scenario/scenario-names.ts'
import { explainMiss } from '../../service/route.ts'
import type { GivenScenario, Scenario } from '../../world/scenario.ts'
import { createOrigin } from '../../world/state.ts'
import {
  dropMount,
  type Middleware,
  type MiddlewareOptions,
  middleware,
  middlewareSchemas,
} from './middleware.ts'
import type { Watch } from './watch-scenario.ts'

/** How the mock starts and what it answers: the options of `createMock`, and these. */
export interface AnimalStoreOptions
  extends Scenario,
    OwnOptions,
    Pick<MiddlewareOptions, 'baseUrl' | 'controlToken'> {
  /**
   * A scenario, which may use `extends` and `generate`, the name of a shipped one, or a file.
   * @default 'default'
   */
  readonly scenario?: ScenarioDocument | GivenScenario | string
  /** Whether the mock answers in `vite preview` too. @default false */
  readonly preview?: boolean
  /** Whether requests are logged in Vite's terminal. @default true */
  readonly log?: boolean
}

interface ViteServer {
  readonly middlewares: { use(handler: Middleware): unknown }
  readonly httpServer?: { once(event: 'close', listener: () => void): unknown } | null
  readonly resolvedUrls: {
    readonly local: readonly string[]
    readonly network: readonly string[]
  } | null
  readonly config: {
    readonly logger: { info(message: string): void }
    readonly server: Hosts
    readonly preview: Hosts
  }
  printUrls(): void
}
/** Vite checks hosts itself if it has this setting, which older versions lack. */
type Hosts = { readonly allowedHosts?: unknown }
/** The fallback to the app's page has changed the `url`. */
type ViteRequest = { originalUrl: string; headers: Record<string, string | undefined> }

const { allowedHosts, control, ...shared } = middlewareSchemas
const schemas: OptionSchemas<AnimalStoreOptions> = {
  ...mockSchemas,
  ...shared,
  preview: BOOLEAN,
  log: BOOLEAN,
}

/**
 * The mock in Vite's dev server, under `/v1/pets` and with its console under `/__mock/`.
 *
 * @example
 * export default defineConfig({ plugins: [animalStore({ scenario: 'flaky' })] })
 */
export function animalStore(options: AnimalStoreOptions = {}) {
  const given = readMockOptions('animalStore', schemas, options)

  async function mount(host: object, place: 'server' | 'preview'): Promise<() => void> {
    const server = host as ViteServer
    const mock = await startMock(given, server)
    const { baseUrl, controlToken } = given
    const checksHosts = server.config[place].allowedHosts !== undefined
    const settings = { baseUrl, controlToken, allowedHosts: checksHosts || [] }
    const answer = middleware(mock, settings as MiddlewareOptions)
    server.middlewares.use(answer)
    printConsoleUrl(server)
    // Vite calls it when its own handlers, and those of proxies and files, are mounted.
    return () => server.middlewares.use(answerNearMisses(answer, baseUrl))
  }

  // Without the types of Vite: a project may lack `@types/node`, which they need.
  return {
    name: MOCK_NAME,
    apply: 'serve' as const,
    configureServer: (server: object) => mount(server, 'server'),
    configurePreviewServer: async (server: object) =>
      given.preview ? mount(server, 'preview') : undefined,
  }
}

/** Creates the mock, reloads it when its scenario file changes, and logs its rows. */
async function startMock(options: AnimalStoreOptions, server: ViteServer): Promise<Mock> {
  const { scenario, log = true } = options
  const { logger } = server.config
  const { findScenario } = await import('./scenario-files.ts')
  let watch: Watch | undefined
  if (typeof scenario === 'string' && isScenarioFile(scenario)) {
    const { createWatch } = await import('./watch-scenario.ts')
    watch = createWatch(scenario, (line) => logger.info(escapeUnsafe(line)))
  }
  const open = () =>
    openStart(options, 'animalStore', (wanted) => findScenario(wanted, watch?.follow))
  const start = await open()
  const { mock } = createEngine({ ...options, origin: createOrigin(start) })
  if (watch) {
    watch.start(mock, open, start)
    server.httpServer?.once('close', watch.stop)
  }
  const colour = hasColour(process.stdout, process.env)
  const findOwner = createOwners()
  mock.control.subscribe((event) => {
    const row = rowOf(event)
    if (log && row) logger.info(renderLine(row, { colour, findOwner }))
  })
  return mock
}

/** Adds the address of the console to those that Vite prints. */
function printConsoleUrl(server: ViteServer): void {
  const { printUrls } = server
  server.printUrls = () => {
    printUrls.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const url = local[0] ?? network[0]
    if (url === undefined) return
    const consoleUrl = new URL(`${CONTROL_PATH}/`, url).href
    server.config.logger.info(`  ➜  Animal Store: ${consoleUrl}`)
  }
}

/**
 * Vite has no other answer for them: without this, a client that mistypes a path would get the
 * app's page with 200.
 */
function answerNearMisses(answer: Middleware, baseUrl: string = contract.basePath): Middleware {
  // Of /api/v1, a client that forgets the version calls /api/pets.
  const prefix = findMockUrl(baseUrl)
  return (request, response, next) => {
    const { originalUrl, headers } = request as ViteRequest
    const target = dropMount(originalUrl, prefix)
    if (isNavigation(headers) || !isNearMiss(target)) {
      next?.()
      return
    }
    request.url = target
    answer(request, response)
  }
}

function isNavigation(headers: ViteRequest['headers']): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  return headers.accept?.includes('text/html') === true
}

function isNearMiss(target: string): boolean {
  const { path } = splitQuery(target)
  if (path.startsWith(`${contract.basePath}/`)) return true
  return !path.includes('%') && explainMiss(path).kind === 'near-path'
}
