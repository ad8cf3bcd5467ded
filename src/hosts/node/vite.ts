// The mock inside Vite's dev server, on the app's own origin. It needs nothing of Vite but the
// server that it gets.
import { splitQuery } from '../../contract/address.ts'
import { escapeUnsafe } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { toJson } from '../../contract/int64-json.ts'
import { BOOLEAN, type OptionSchemas } from '../../contract/options.ts'
import { say } from '../../contract/problem.ts'
import { rowOf } from '../../control/events.ts'
import { CONTROL_PATH, findMockUrl, MOCK_NAME } from '../../control/protocol.ts'
import { hasColour } from '../../control/rows/has-colour.ts'
import { renderRowLine } from '../../control/rows/row-line.ts'
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
  readonly scenario?: ScenarioDocument | GivenScenario | string | undefined
  /** Whether the mock answers in `vite preview` too. @default false */
  readonly preview?: boolean | undefined
  /** Whether requests are logged in Vite's terminal. @default true */
  readonly log?: boolean | undefined
  /**
   * Whether animals, faults and log outlive a restart of the dev server, such as when you save its
   * config. Other options for the plugin start a new mock. @default false
   */
  readonly persist?: boolean | undefined
}

interface ViteServer {
  readonly middlewares: { use(handler: (...given: Exchange) => void): unknown }
  readonly httpServer?: { once(event: 'close', listener: () => void): unknown } | null
  readonly resolvedUrls: {
    readonly local: readonly string[]
    readonly network: readonly string[]
  } | null
  readonly config: {
    /** `custom` if a framework answers what Vite does not; older versions lack it. */
    readonly appType?: string
    readonly root: string
    readonly logger: { info(message: string): void }
    readonly server: Hosts
    readonly preview: Hosts
  }
  printUrls(): void
}
/** Vite checks hosts itself if it has this setting, which older versions lack. */
type Hosts = { readonly allowedHosts?: unknown }
type Exchange = [request: ViteRequest, response: ViteResponse, next: () => void]
interface ViteRequest {
  readonly method: string
  url: string
  /** The fallback to the app's page has changed the `url`. */
  readonly originalUrl: string
  readonly headers: Readonly<Record<string, string | undefined>>
}
interface ViteResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  getHeader(name: string): unknown
  once(event: 'finish', listener: () => void): unknown
}

const { allowedHosts, control, ...shared } = middlewareSchemas
const schemas: OptionSchemas<AnimalStoreOptions> = {
  ...mockSchemas,
  ...shared,
  preview: BOOLEAN,
  log: BOOLEAN,
  persist: BOOLEAN,
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
    const settings = { baseUrl, controlToken, allowedHosts: checksHosts ? true : [] }
    const answer = middleware(mock, settings as MiddlewareOptions)
    const { logger, appType = 'spa' } = server.config
    const answersRest = appType !== 'custom' && baseUrl === undefined
    server.middlewares.use(answer)
    if (given.log !== false) {
      const print = (line: string) => logger.info(escapeUnsafe(line))
      server.middlewares.use(hintAtMisses({ print, appType, answersRest, baseUrl }))
    }
    printConsoleUrl(server)
    // Vite calls it when its own handlers, and those of proxies and files, are mounted.
    return () => {
      if (answersRest) server.middlewares.use(answerRest(answer))
    }
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

interface Kept {
  readonly options: string
  readonly mock: Mock
}

/**
 * The mocks that outlive a restart, by the folders of their apps. On the global object, since a
 * restart loads the config again, perhaps with the package.
 */
const KEPT = Symbol.for('animal-store-mock.vite')
const marks = globalThis as { [KEPT]?: Map<string, Kept> }

/** Creates the mock, reloads it when its scenario file changes, and logs its rows. */
async function startMock(options: AnimalStoreOptions, server: ViteServer): Promise<Mock> {
  const { scenario, log = true } = options
  const { logger, root } = server.config
  const { findScenario } = await import('./scenario-files.ts')
  let watch: Watch | undefined
  if (typeof scenario === 'string' && isScenarioFile(scenario)) {
    const { createWatch } = await import('./watch-scenario.ts')
    watch = createWatch(scenario, (line) => logger.info(escapeUnsafe(line)))
  }
  const open = () =>
    openStart(options, 'animalStore', (wanted) => findScenario(wanted, watch?.follow))
  const start = await open()
  const mock =
    findKept(options, root) ?? createEngine({ ...options, origin: createOrigin(start) }).mock
  if (options.persist) keepMock(options, root, mock)
  if (watch) {
    watch.start(mock, open, start)
    server.httpServer?.once('close', watch.stop)
  }
  const colour = hasColour(process.stdout, process.env)
  const findOwner = createOwners()
  const unsubscribe = mock.control.subscribe((event) => {
    const row = rowOf(event)
    if (log && row) logger.info(renderRowLine(row, { colour, findOwner }))
  })
  server.httpServer?.once('close', unsubscribe)
  return mock
}

function findKept(options: AnimalStoreOptions, root: string): Mock | undefined {
  const kept = options.persist ? marks[KEPT]?.get(root) : undefined
  return kept?.options === toJson(options) ? kept.mock : undefined
}

function keepMock(options: AnimalStoreOptions, root: string, mock: Mock): void {
  marks[KEPT] ??= new Map()
  marks[KEPT].set(root, { options: toJson(options), mock })
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
 * Answers what is left below `/v1/` with the 404 of the service. Vite would send the app's page
 * with 200.
 */
function answerRest(answer: Middleware): (...given: Exchange) => void {
  return (request, response, next) => {
    const { originalUrl, headers } = request
    if (isNavigation(headers) || !isInService(originalUrl)) {
      next()
      return
    }
    request.url = originalUrl
    answer(request, response)
  }
}

const isInService = (path: string): boolean => path.startsWith(`${contract.basePath}/`)

interface Hinting {
  readonly print: (line: string) => void
  readonly appType: string
  readonly answersRest: boolean
  readonly baseUrl: string | undefined
}

/**
 * Prints a line for a request that looks like one to the mock, if neither the app nor its framework
 * has an answer for it.
 */
function hintAtMisses({ print, appType, answersRest, baseUrl = '' }: Hinting) {
  // Of /api/v1, a client that forgets the version calls /api/pets.
  const mount = findMockUrl(baseUrl)

  function findHint({ method, url, headers }: ViteRequest): string | undefined {
    const { path } = splitQuery(url)
    if (isNavigation(headers) || (answersRest && isInService(path))) return undefined
    const problem = explainMiss(dropMount(path, mount))
    if (problem.kind !== 'near-path') return undefined
    const hint = say({ ...problem, near: mount + problem.near })
    return `${MOCK_NAME}: ${method} ${path} went to the app. ${hint}`
  }

  return (request: ViteRequest, response: ViteResponse, next: () => void) => {
    const hint = findHint(request)
    if (hint !== undefined) {
      response.once('finish', () => {
        if (isUnanswered(response, appType)) print(hint)
      })
    }
    next()
  }
}

/** Without a framework, Vite sends the app's page in place of a 404. */
function isUnanswered(response: ViteResponse, appType: string): boolean {
  if (response.statusCode === 404 || response.statusCode === 405) return true
  const type = response.getHeader('content-type')
  return appType === 'spa' && typeof type === 'string' && type.startsWith('text/html')
}

function isNavigation(headers: ViteRequest['headers']): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  return headers.accept?.includes('text/html') === true
}
