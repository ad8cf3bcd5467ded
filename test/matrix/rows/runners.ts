// The examples for test runners, with the versions of the runners that people have.
import { readFileSync } from 'node:fs'
import { ownVersion } from '../../package/install.ts'
import type { Project } from '../project.ts'
import type { Group, Row } from '../row.ts'

/** Newer ones of these lack programs for some machines. */
const overrides = { rollup: '4.65.0', esbuild: '0.28.2' }
const manifest = { type: 'module', overrides }

const PLAYWRIGHT = ownVersion('@playwright/test').replace(/.*@/, '')

/** The set-up of the example by hand lets no request out, whatever the version of MSW calls that: not even to a server that is there. */
const STRICT = `import { serve } from 'animal-store-mock/node'
${readFileSync(new URL('../../../examples/vitest/handlers.test.ts', import.meta.url), 'utf8').split("\nit('")[0]}
it('lets no request out', async () => {
  const { url, close } = await serve(mock)
  await expect(fetch(url)).rejects.toThrow()
  await close()
})
`

const vitest: readonly Group[] = [
  { runner: '3.2.7', msw: '2.15.0', node: '20', isHeavy: true },
  { runner: '4.1.12', msw: '2.15.0', node: '20' },
  { runner: '5.1.0', msw: '3.0.4', node: '24' },
].map(({ runner, msw, node, isHeavy = false }) => ({
  isHeavy,
  packages: [`vitest@${runner}`, 'vite@7.3.8', `msw@${msw}`, 'jsdom@26', 'typescript@5.9.3'],
  manifest,
  prepare({ copy, write }) {
    copy('examples/vitest', '.')
    write('strict.test.ts', STRICT)
  },
  rows: [
    ...['node', 'jsdom'].map(
      (environment): Row => ({
        environment: `Vitest, ${environment}, Node ${node}`,
        version: `${runner}, msw ${msw}`,
        async check(project) {
          const program = [`${project.folder}/node_modules/vitest/vitest.mjs`, 'run', '--environment', environment]
          expectPassed(await project.run(await project.node(node), program), /Tests +10 passed/)
        },
      }),
    ),
    {
      environment: 'types of the Vitest example',
      version: `msw ${msw}`,
      check: async ({ run }) => void (await run('tsc', ['-p', '.'])),
    },
  ],
}))

const nodeTest: Group = {
  packages: [],
  manifest,
  prepare: ({ copy }) => copy('examples/node-test', '.'),
  rows: ['20', '22', '24', '26'].map((node) => ({
    environment: 'node:test',
    version: `Node ${node}`,
    check: async ({ run, node: find }) => expectPassed(await run(await find(node), ['--test']), /^(#|ℹ) pass 3$/m),
  })),
}

const playwright: Group = {
  packages: [ownVersion('@playwright/test'), ownVersion('@types/node'), 'vite@7.3.8'],
  manifest,
  prepare: ({ copy }) => copy('examples/playwright', '.'),
  rows: [
    { environment: 'Playwright', version: PLAYWRIGHT, check: runPlaywright },
    { environment: 'Playwright, webServer.url', version: PLAYWRIGHT, check: waitForServer },
  ],
}

/** Its own server is the mock, which it takes for ready by the answer at this address. */
async function waitForServer({ run, write, freePort }: Project): Promise<void> {
  for (const path of ['/', '/__mock/health']) {
    const port = await freePort()
    const webServer = { command: `animal-store-mock --port ${port}`, url: `http://127.0.0.1:${port}${path}` }
    write('ready.config.mjs', `export default ${JSON.stringify({ testMatch: 'ready.spec.mjs', webServer })}`)
    write(
      'ready.spec.mjs',
      [
        "import { expect, test } from '@playwright/test'",
        "test('is ready', async ({ request }) => {",
        `  expect((await request.get('http://127.0.0.1:${port}/v1/pets')).status()).toBe(401)`,
        '})',
      ].join('\n'),
    )
    expectPassed(await run('playwright', ['test', '--config', 'ready.config.mjs']), /1 passed/)
  }
}

async function runPlaywright({ run, freePort }: Project): Promise<void> {
  // Imported here, since it looks for a browser.
  const { getChromium } = await import('../../browser/chromium.ts')
  const env = { CHROMIUM_PATH: getChromium(), APP_PORT: String(await freePort()) }
  expectPassed(await run('npx', ['--no-install', 'animal-store-mock', 'exec', '--sandbox', '--', 'playwright', 'test'], env), /\d passed/)
}

function expectPassed(output: string, summary: RegExp): void {
  if (!summary.test(output)) throw new Error(output)
}

export const runners: readonly Group[] = [...vitest, nodeTest, playwright]
