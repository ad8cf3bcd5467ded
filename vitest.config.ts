// What runs where: the folder of a spec decides. `npm test` runs the projects of QUICK, `npm run test:views` the last of REST, and
// `npm run test:rest` all others.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { WORKER_FOLDER } from './test/browser/setup.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const specsIn = (...folders: string[]) => folders.map((folder) => `test/${folder}/*.spec.ts`)

/** Specs that run on every host: two of the hosts in `npm test`, the others in the rest. */
const ON_EVERY_HOST = specsIn('service', 'hosts/every')
const BROWSER = 'test/browser/setup.ts'
/** For projects with properties. */
const setupFiles = ['test/support/seed.ts']
const CONSOLE = [BROWSER, 'test/console/build-console.ts']

/** For specs with generated cases, of which RUNS_FACTOR wants more. */
const RUNS = Number(process.env.RUNS_FACTOR ?? 1)
const GENERATED_MS = 120_000 * RUNS
/** Generated cases that \`npm test\` has a part of, and \`long\` all. */
const GENERATED = [
  'test/model/*.spec.ts',
  'test/control/secrets.spec.ts',
  'src/control/what-if.test.ts',
  'test/isolated/hold-model.spec.ts',
]
const PART = 0.2
/** Of those on a hundred connections. */
const SMALL_PART = 0.05

/** Without the certificates, which Node reads at the start of each process: nothing here leaves this machine. */
const env = { NODE_EXTRA_CA_CERTS: '' }
const quickEnv = { ...env, RUNS_FACTOR: String(PART * RUNS) }

/** The one of this run: its address is there once setup.ts has started it. */
const chromium = {
  get wsEndpoint() {
    return process.env.CHROMIUM_SERVER ?? ''
  },
}

/** On a machine that CI shares with others, a browser may be too slow for a moment. */
const retry = process.env.CI ? 1 : 0

/** Another browser for the specs inside a page, if Playwright has installed it. */
const engine = (['firefox', 'webkit'] as const).find((name) => name === process.env.PAGE_BROWSER)

/** What changes no module for others shares one module graph (`isolate: false`), which halves its time. */
const QUICK: TestProjectInlineConfiguration[] = [
  {
    test: {
      name: 'unit',
      include: ['{src,build}/**/*.test.ts'],
      env: quickEnv,
      setupFiles,
      testTimeout: 60_000,
      isolate: false,
    },
  },
  {
    test: {
      name: 'spec',
      include: [
        ...ON_EVERY_HOST,
        ...specsIn('hosts', 'control', 'contract', 'model', 'cli', 'kits', 'transcripts', 'docs'),
      ],
      env: { ...quickEnv, HOSTS: 'direct,node' },
      setupFiles,
      testTimeout: GENERATED_MS,
      hookTimeout: 60_000,
      isolate: false,
    },
  },
  // Specs that replace a module with `vi.mock`.
  {
    test: {
      name: 'isolated',
      env: { ...env, RUNS_FACTOR: String(SMALL_PART * RUNS) },
      include: specsIn('isolated'),
      setupFiles,
      testTimeout: 60_000,
    },
  },
  {
    test: {
      name: 'smoke',
      env,
      include: specsIn('smoke'),
      globalSetup: CONSOLE,
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  },
]

/** In groups, one after the other: a suite that loads the machine must not make another one late. */
const REST: TestProjectInlineConfiguration[] = [
  {
    test: {
      name: 'other-hosts',
      include: ON_EVERY_HOST,
      env: { ...env, HOSTS: 'http2,fetch,msw,worker' },
      testTimeout: 60_000,
      hookTimeout: 60_000,
      isolate: false,
    },
  },
  // Many generated cases, and tools that judge from outside.
  {
    test: {
      name: 'long',
      include: [...specsIn('long'), ...GENERATED],
      env,
      setupFiles,
      testTimeout: GENERATED_MS,
      hookTimeout: 60_000,
    },
  },
  // Kits inside the test runners that they are for.
  {
    test: {
      name: 'runners',
      include: specsIn('kits/runners'),
      testTimeout: 120_000,
      hookTimeout: 60_000,
    },
  },
  // Real processes under load: one file at a time, so that they load the machine and not each other.
  {
    test: {
      name: 'robustness',
      sequence: { groupOrder: 1 },
      include: specsIn('robustness'),
      testTimeout: 60_000,
      fileParallelism: false,
    },
  },
  // Each file has a workerd of its own; together they would only wait for each other.
  {
    test: {
      name: 'worker',
      sequence: { groupOrder: 1 },
      include: specsIn('worker'),
      testTimeout: 60_000,
      hookTimeout: 60_000,
      fileParallelism: false,
    },
  },
  {
    test: {
      name: 'console',
      sequence: { groupOrder: 2 },
      include: specsIn('console'),
      globalSetup: CONSOLE,
      retry,
      testTimeout: 180_000,
    },
  },
  // These build or install the package, which takes its time.
  {
    test: {
      name: 'package',
      sequence: { groupOrder: 3 },
      include: specsIn('package'),
      testTimeout: 120_000,
      hookTimeout: 180_000,
    },
  },
  // Specs that drive a browser from outside, and start servers and bundlers for it.
  {
    test: {
      name: 'browser',
      sequence: { groupOrder: 4 },
      include: specsIn('browser'),
      globalSetup: BROWSER,
      retry,
      testTimeout: 240_000,
      hookTimeout: 120_000,
    },
  },
  // The specs of the service, inside a page: they take their host from hosts.ts, and get the one that is there with them.
  {
    publicDir: WORKER_FOLDER,
    plugins: [
      {
        name: 'hosts-in-a-page',
        enforce: 'pre',
        resolveId: (source, importer) =>
          source.endsWith('/support/hosts.ts') && importer?.endsWith('.spec.ts')
            ? here('test/browser/hosts.ts')
            : null,
      },
    ],
    test: {
      name: 'page',
      sequence: { groupOrder: 5 },
      include: specsIn('service'),
      globalSetup: BROWSER,
      testTimeout: 60_000,
      // One page and one service worker for all; the specs bring mocks and addresses of their own.
      isolate: false,
      fileParallelism: false,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright(engine ? {} : { connectOptions: chromium }),
        instances: [{ browser: engine ?? 'chromium' }],
      },
    },
  },
  // Installs and builds the web site, which is a package of its own.
  {
    test: {
      name: 'site',
      sequence: { groupOrder: 4 },
      include: specsIn('site'),
      globalSetup: BROWSER,
      retry,
      testTimeout: 60_000,
      hookTimeout: 300_000,
    },
  },
  // Every view of the console at many widths, which takes as long as all the rest.
  {
    test: {
      name: 'views',
      sequence: { groupOrder: 6 },
      include: specsIn('views'),
      globalSetup: CONSOLE,
      retry,
      testTimeout: 180_000,
    },
  },
]

export default defineConfig({
  test: {
    reporters: process.env.TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]]
      : ['default'],
    // vitest would leave one core to itself, and be idle on it: on two cores everything would run in turn. And one more, since many
    // specs wait: for a time to pass, or a browser to paint.
    maxWorkers: availableParallelism() + 1,
    projects: [...QUICK, ...REST],
  },
})
