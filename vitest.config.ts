// What runs where: unit tests and specs in Node, and the specs of the service a second time inside a page of a real browser.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { FLAGS, locateChromium } from './test/browser/chromium.ts'
import { WORKER_FOLDER } from './test/browser/setup.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Specs that run side by side in Node. */
const SIDE_BY_SIDE = ['service', 'hosts', 'control', 'contract', 'cli', 'kits', 'transcripts', 'docs']

export default defineConfig({
  test: {
    reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
    // vitest would leave one core to itself, and be idle on it: on two cores everything would run in turn. And one more, since many
    // specs wait: for a time to pass, or a browser to paint.
    maxWorkers: availableParallelism() + 1,
    // In groups, one after the other: a suite that loads the machine must not make another one late.
    projects: [
      { test: { name: 'unit', include: ['{src,build}/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'spec',
          include: SIDE_BY_SIDE.map((folder) => `test/${folder}/*.spec.ts`),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'console',
          sequence: { groupOrder: 2 },
          include: ['test/console/*.spec.ts'],
          globalSetup: ['test/browser/setup.ts', 'test/console/build-console.ts'],
          testTimeout: 180_000,
        },
      },
      // Real processes under load: one file at a time, so that they load the machine and not each other.
      {
        test: {
          name: 'robustness',
          sequence: { groupOrder: 1 },
          include: ['test/robustness/*.spec.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
      // Each file has a workerd of its own; together they would only wait for each other.
      {
        test: {
          name: 'worker',
          sequence: { groupOrder: 1 },
          include: ['test/worker/*.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      ...(process.env.SOAK ? [{ test: { name: 'soak', include: ['test/soak/*.spec.ts'], testTimeout: 900_000 } }] : []),
      // These build or install the package, which takes its time.
      {
        test: {
          name: 'package',
          sequence: { groupOrder: 3 },
          include: ['test/package/*.spec.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      // Specs that drive a browser from outside.
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: 4 },
          include: ['test/browser/*.spec.ts'],
          globalSetup: 'test/browser/setup.ts',
          testTimeout: 120_000,
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
              source.endsWith('/support/hosts.ts') && importer?.endsWith('.spec.ts') ? here('test/browser/hosts.ts') : null,
          },
        ],
        test: {
          name: 'page',
          sequence: { groupOrder: 5 },
          include: ['test/service/*.spec.ts'],
          globalSetup: 'test/browser/setup.ts',
          testTimeout: 60_000,
          // One page and one service worker for all; the specs bring mocks and addresses of their own.
          isolate: false,
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: locateChromium(), args: FLAGS } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
