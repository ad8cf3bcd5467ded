// What runs where: unit tests and specs in Node, and the specs of the service a second time inside a page of a real browser.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { FLAGS, locateChromium } from './test/browser/chromium.ts'
import { WORKER_FOLDER } from './test/browser/setup.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The folders whose specs run side by side in Node. */
const FOLDERS = ['test', 'test/cli', 'test/control']
const specs = FOLDERS.flatMap((folder) => readdirSync(here(folder)).map((name) => `${folder}/${name}`))
  .filter((file) => file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(here(file), 'utf8') }))
const specsWith = (pattern: RegExp) => specs.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

/** Specs that build or install the package take their time. */
const SLOW = ['test/package.spec.ts', 'test/contract-change.spec.ts', 'test/examples.spec.ts']
/** Specs that drive a browser from outside. */
const DRIVERS = specsWith(/from '\.\.?\/browser\/chromium\.ts'/)
/** Specs of the service, which take their host from hosts.ts: in a page they get the one that is there with them. */
const PORTABLE = specsWith(/\bonEveryHost\b/)
/**
 * CORS is the browser's own: it lets no page set those fields, and sends no preflight where a service worker answers. The control is also
 * tested over a server.
 */
const NOT_IN_A_PAGE = ['test/cors.spec.ts', 'test/control/control.spec.ts']

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
          include: FOLDERS.map((folder) => `${folder}/*.spec.ts`),
          exclude: [...SLOW, ...DRIVERS],
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
      { test: { name: 'package', sequence: { groupOrder: 3 }, include: SLOW, testTimeout: 120_000, hookTimeout: 180_000 } },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: 4 },
          include: ['test/browser/**/*.spec.ts', ...DRIVERS],
          globalSetup: 'test/browser/setup.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
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
          include: PORTABLE.filter((file) => !NOT_IN_A_PAGE.includes(file)),
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
