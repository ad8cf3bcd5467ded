// What runs where: unit tests and specs in Node, and the specs of the service a second time inside a page of a real browser.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { FLAGS, locateChromium } from './spec/browser/chromium.ts'
import { WORKER_FOLDER } from './spec/browser/setup.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const specs = readdirSync(here('spec'))
  .filter((file) => file.endsWith('.spec.ts'))
  .map((file) => ({ file: `spec/${file}`, text: readFileSync(here(`spec/${file}`), 'utf8') }))
const specsWith = (pattern: RegExp) => specs.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

/** Specs that build or install the package take their time. */
const SLOW = ['spec/package.spec.ts', 'spec/contract-change.spec.ts']
/** Specs that drive a browser from outside. */
const DRIVERS = specsWith(/from '\.\/browser\/chromium\.ts'/)
/** Specs of the service, which take their host from hosts.ts: in a page they get the one that is there with them. */
const PORTABLE = specsWith(/\bonEveryHost\b/)
/** CORS is the browser's own: it lets no page set those fields, and sends no preflight where a service worker answers. */
const NOT_IN_A_PAGE = ['spec/cors.spec.ts']

export default defineConfig({
  test: {
    reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
    // In groups, one after the other: a suite that loads the machine must not make another one late.
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      { test: { name: 'spec', include: ['spec/*.spec.ts'], exclude: [...SLOW, ...DRIVERS], testTimeout: 20_000, hookTimeout: 20_000 } },
      {
        test: {
          name: 'console',
          sequence: { groupOrder: 2 },
          include: ['spec/console/*.spec.ts'],
          globalSetup: ['spec/browser/setup.ts', 'spec/console/build-console.ts'],
          testTimeout: 60_000,
        },
      },
      // Real processes under load: one file at a time, so that they load the machine and not each other.
      {
        test: {
          name: 'robustness',
          sequence: { groupOrder: 1 },
          include: ['spec/robustness/*.spec.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
      ...(process.env.SOAK ? [{ test: { name: 'soak', include: ['spec/soak/*.spec.ts'], testTimeout: 900_000 } }] : []),
      { test: { name: 'package', sequence: { groupOrder: 3 }, include: SLOW, testTimeout: 120_000, hookTimeout: 180_000 } },
      {
        test: {
          name: 'examples',
          sequence: { groupOrder: 3 },
          include: ['spec/examples/*.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: 4 },
          include: ['spec/browser/**/*.spec.ts', ...DRIVERS],
          globalSetup: 'spec/browser/setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        publicDir: WORKER_FOLDER,
        plugins: [
          {
            name: 'hosts-in-a-page',
            enforce: 'pre',
            resolveId: (source, importer) =>
              source === './hosts.ts' && importer?.endsWith('.spec.ts') ? here('spec/browser/hosts.ts') : null,
          },
        ],
        test: {
          name: 'page',
          sequence: { groupOrder: 5 },
          include: PORTABLE.filter((file) => !NOT_IN_A_PAGE.includes(file)),
          globalSetup: 'spec/browser/setup.ts',
          testTimeout: 20_000,
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
