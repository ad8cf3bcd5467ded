// The test kits in the runners that they are for, from the packed package.
import { readFileSync } from 'node:fs'
import { FLAGS, getChromium } from '../../browser/chromium.ts'
import { ownVersion } from '../../package/install.ts'
import type { Project } from '../project.ts'
import type { Group, Row } from '../row.ts'

const PLAYWRIGHT_WORKERS = 8
const PLAYWRIGHT_TESTS = 50
const FILES = 'test/matrix/programs/kits'

const vitest: readonly Group[] = [
  { vitest: '4.1.12', msw: '2.15.0', node: '20' },
  { vitest: '5.1.0', msw: '3.0.4', node: '22' },
].map(({ vitest: version, msw, node }) => ({
  packages: [`vitest@${version}`, 'vite@7.3.8', `msw@${msw}`, 'typescript@5.9.3'],
  manifest: { type: 'module' },
  prepare({ copy }) {
    for (const file of ['pets.test.ts', 'concurrent.test.ts', 'vitest.config.ts']) copy(`examples/vitest/${file}`)
  },
  rows: [
    {
      environment: `Vitest kit, Node ${node}, msw ${msw}`,
      version,
      async check({ run, node: findNode }) {
        expectText(await run(await findNode(node), ['node_modules/vitest/vitest.mjs', 'run']), /Tests +4 passed/)
      },
    },
    {
      environment: 'Vitest kit, types',
      version,
      check: (project) =>
        compile(project, "import { mockStore } from 'animal-store-mock/vitest'\nimport { expect, test } from 'vitest'", []),
    },
  ],
}))

const jest: readonly Group[] = [
  { version: '29.7.0', msw: '2.7.0', node: '20' },
  { version: '29.7.0', msw: '3.0.4', node: '22' },
  { version: '30.5.2', msw: '2.15.0', node: '20' },
  { version: '30.5.2', msw: '3.0.4', node: '22' },
].map(({ version, msw, node }) => ({
  packages: [
    `jest@${version}`,
    `babel-jest@${version}`,
    `@jest/globals@${version}`,
    `@types/jest@${version.split('.')[0]}`,
    '@babel/preset-env@7.29.7',
    `msw@${msw}`,
    'axios@1.21.1',
    'typescript@5.9.3',
  ],
  prepare({ copy, write, folder }) {
    copy('examples/jest/kit.test.js')
    copy('examples/jest/babel.config.js')
    copy('examples/jest/jest.config.js')
    for (const file of ['jest-with-msw.test.js', 'jest-axios.test.js', 'jest-failing.test.js']) copy(`${FILES}/${file}`)
    write('node.config.js', "module.exports = { ...require('./jest.config.js'), testEnvironment: 'node' }")
    // Jest runs MSW 3 as ES modules only, as the documentation says.
    if (isEsm(msw)) {
      write('node.config.js', "module.exports = { transform: {}, testMatch: ['**/*.test.mjs'] }")
      for (const file of ['kit.test', 'jest-with-msw.test', 'jest-axios.test', 'jest-failing.test']) {
        const text = readFileSync(`${folder}/${file}.js`, 'utf8')
        write(
          `${file}.mjs`,
          `import { jest } from '@jest/globals'\n${text.replace(/^const (.*) = require\((.*)\)$/gm, 'import $1 from $2')}`,
        )
      }
    }
  },
  rows: [
    {
      environment: `Jest kit, Node ${node}, msw ${msw}`,
      version,
      async check(project) {
        expectText(await runJest(project, node, 'kit.test|with-msw|axios'), /^Tests: +7 passed, 7 total$/m)
        const output = await runJest(project, node, 'jest-failing').catch((error: Error) => error.message)
        for (const text of JEST_FAILURES) if (!output.includes(text)) throw new Error(`expected ${text} in\n${output}`)
      },
    },
    ...(isEsm(msw) ? [] : typesOf(version)),
  ],
}))

/** What failing tests say in Jest; the words themselves are held by kit-failures.spec.ts. */
const JEST_FAILURES = [
  'Received no matching listPets requests',
  'query.limit: expected "6", got "5"',
  'Request log of "a failed test has its request log printed": 1 request\n',
  'GET /v1/pets?limit=5 → 200 (key …-key)',
  '"failOn names an unknown path" did what failOn forbids:\n',
  'unknown-path: GET /v1/pets/ → 404',
  'deprecated: GET /v1/pets/1 → 200',
  'A matcher was not awaited; write: await expect(store).toHaveReceived("createPet")',
  'GET https://api.invalid/v1/pets: its client does not use fetch',
  'Tests:       5 failed, 5 total',
]

function typesOf(version: string): readonly Row[] {
  return [
    {
      environment: 'Jest kit, types of @jest/globals',
      version,
      check: (project) =>
        compile(project, "import { mockStore } from 'animal-store-mock/jest'\nimport { expect, test } from '@jest/globals'", []),
    },
    {
      environment: 'Jest kit, types of @types/jest',
      version,
      check: (project) => compile(project, "import { mockStore } from 'animal-store-mock/jest'", ['jest']),
    },
  ]
}

const playwright: Group = {
  isHeavy: true,
  packages: [ownVersion('@playwright/test')],
  manifest: { type: 'module' },
  prepare({ copy }) {
    for (const file of ['apart.spec.ts', 'playwright.config.ts']) copy(`${FILES}/${file}`)
  },
  rows: (['one mock for all', 'a mock for each worker'] as const).map((mode) => ({
    environment: `Playwright kit, ${mode}, ${PLAYWRIGHT_WORKERS} workers x ${PLAYWRIGHT_TESTS} tests`,
    version: ownVersion('@playwright/test').replace(/.*@/, ''),
    async check({ run }) {
      const test = ['playwright', 'test', '--workers', String(PLAYWRIGHT_WORKERS), '--repeat-each', String(PLAYWRIGHT_WORKERS)]
      const [program = '', ...args] = mode === 'one mock for all' ? ['animal-store-mock', 'exec', '--sandbox', '--', ...test] : test
      const output = await run(program, args, { TESTS: String(PLAYWRIGHT_TESTS) })
      expectText(output, new RegExp(`${PLAYWRIGHT_WORKERS * PLAYWRIGHT_TESTS} passed`))
    },
  })),
}

const storybook: Group = {
  isHeavy: true,
  packages: [
    'storybook@10.6.7',
    '@storybook/html-vite@10.6.0',
    '@storybook/addon-docs@10.6.7',
    ownVersion('vite'),
    ownVersion('msw'),
    ownVersion('playwright'),
  ],
  manifest: { type: 'module' },
  prepare({ copy }) {
    copy(`${FILES}/storybook`, '.storybook')
    copy('examples/storybook/.storybook/preview.ts', '.storybook/preview.ts')
    copy(`${FILES}/look-at-stories.mjs`)
  },
  rows: [
    {
      environment: 'Storybook kit, in Chromium',
      version: '10.6.7',
      async check({ run }) {
        await run('msw', ['init', 'public', '--no-save'])
        await run('storybook', ['build', '-o', 'out', '--quiet'], { CI: '1', STORYBOOK_DISABLE_TELEMETRY: '1' })
        const output = await run('node', ['look-at-stories.mjs'], { CHROMIUM_PATH: getChromium(), CHROMIUM_FLAGS: FLAGS.join(' ') })
        expectText(output, /^stories and docs page as expected$/m)
      },
    },
  ],
}

export const kits: readonly Group[] = [...vitest, ...jest, playwright, storybook]

function isEsm(msw: string): boolean {
  return msw.startsWith('3.')
}

async function runJest({ run, node: findNode }: Project, version: string, ...args: readonly string[]): Promise<string> {
  return run(await findNode(version), ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', 'node.config.js', ...args])
}

/** Compiles types.ts with these imports; of what others declare, only what concerns us counts. */
async function compile({ write, run }: Project, imports: string, types: readonly string[]): Promise<void> {
  const body = readFileSync(new URL('../programs/kits/types.txt', import.meta.url), 'utf8')
  write('types.test.ts', `${imports}\n\n${body}`)
  const compilerOptions = {
    module: 'preserve',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['types.test.ts'] }))
  const output = await run('tsc', ['-p', '.']).catch((error: Error) => error.message)
  const ours = output.split('\n').filter((line) => /^(types\.test\.ts|node_modules\/animal-store-mock\/|error )/.test(line))
  if (ours.length > 0) throw new Error(ours.join('\n'))
}

function expectText(output: string, text: RegExp): void {
  if (!text.test(output)) throw new Error(output)
}
