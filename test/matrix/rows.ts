// The matrix as one table: what is installed, and for each row the files, the command and what it
// must print.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { FLAGS, getChromium } from '../browser/chromium.ts'
import { ownVersion } from '../package/install.ts'
import { useHaproxy, useWrangler } from './beyond-one-machine.ts'
import { findFreePort, type Project } from './project.ts'

export interface Row {
  readonly name: string
  /** Whether it runs without `--all`. */
  readonly isDaily?: boolean
  readonly install: keyof typeof INSTALLS
  /**
   * Of this repository, copied into the row's folder; of a folder with a slash at its end, what it
   * holds.
   */
  readonly files?: readonly string[]
  /** Files to write, by name; $TARBALL is the packed package. */
  readonly write?: Readonly<Record<string, string>>
  /** The version of Node that the command finds; this one by default. */
  readonly node?: string
  env?(): Promise<Readonly<Record<string, string>>>
  /** A shell command that must succeed. */
  readonly command?: string
  /** Instead of a command, what a command cannot say. Returns what it printed. */
  check?(project: Project): Promise<string>
  /** What must be in the output. */
  readonly expect?: RegExp
}

const JEST = (version: string, msw: string) => [
  ...['jest', 'babel-jest', '@jest/globals', 'jest-environment-jsdom'].map(
    (name) => `${name}@${version}`,
  ),
  `@types/jest@${Number.parseInt(version, 10)}`,
  ...[
    `msw@${msw}`,
    'jest-fixed-jsdom@0.0.11',
    '@babel/preset-env@7',
    '@swc/core@1',
    '@swc/jest@0.2',
    'ts-jest@29',
    'typescript@5.9.3',
  ],
  'axios@1.21.1',
]
const toAlias = (version: string) => `typescript-${version}@npm:typescript@${version}`
const OLD_TYPESCRIPTS = ['5.2.2', '5.4.5', '5.6.3', '5.9.3', '6.0.3']
const NODES = ['20', '22', '24', '26']
/** MSW 3 and Vitest 5 need Node 22. */
const NEW_NODE = String(Math.max(22, Number.parseInt(process.versions.node, 10)))

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** What an example needs besides us. */
function toolsOf(example: string): string[] {
  const manifest = JSON.parse(read(`examples/${example}/package.json`))
  const { dependencies, devDependencies } = manifest as Record<string, Record<string, string>>
  const tools = { ...dependencies, ...devDependencies, 'animal-store-mock': undefined }
  const wanted = Object.entries(tools).filter(([, version]) => version !== undefined)
  return wanted.map(([name, version]) => `${name}@${version}`)
}

/** What is installed once, for all rows that name it. */
export const INSTALLS = {
  nothing: [],
  newest: [
    ...[
      'vitest@5.1.0',
      'vite@7.3.8',
      'msw@3.0.4',
      'jest@30.5.2',
      '@jest/globals@30.5.2',
      '@types/jest@30',
      'jsdom@26',
    ],
    ...[
      'axios@1.21.1',
      '@tanstack/query-core@5.107.1',
      'ky@2.1.0',
      ownVersion('openapi-fetch'),
      'openapi-typescript@7.13.0',
    ],
    'typescript@5.9.3',
    ...[
      ownVersion('@playwright/test'),
      '@types/node@24',
      'wait-on@9.5.1',
      'start-server-and-test@3.0.12',
    ],
  ],
  'msw 2.3.5': ['msw@2.3.5', ownVersion('openapi-fetch'), ...['5.0.4', '7.0.2'].map(toAlias)],
  'msw 2.10.5': ['msw@2.10.5', ownVersion('openapi-fetch')],
  'msw 2.15.0': [
    ...[
      'vitest@4.1.12',
      'vite@7.3.8',
      'msw@2.15.0',
      'jsdom@26',
      'typescript@5.9.3',
      ownVersion('openapi-fetch'),
    ],
    ...OLD_TYPESCRIPTS.map(toAlias),
  ],
  'msw 3': ['vitest@4.1.12', 'vite@7.3.8', 'msw@3.0.4'],
  'vitest 3': ['vitest@3.2.7', 'vite@7.3.8', 'msw@2.15.0', 'jsdom@26', 'typescript@5.9.3'],
  'jest 29': JEST('29.7.0', '2.7.0'),
  'jest 30': JEST('30.5.2', '2.15.0'),
  bundlers: [
    ...['@rspack/core@2.3.2', '@rspack/cli@2.2.8', '@rspack/dev-server@2.2.2'],
    ...['webpack@5.112.2', 'webpack-cli@7.3.1', 'webpack-dev-server@6.1.0'],
  ],
  next: toolsOf('next'),
  sveltekit: toolsOf('sveltekit'),
  'react-router': toolsOf('react-router'),
  nuxt: toolsOf('nuxt'),
  angular: toolsOf('angular'),
  storybook: [
    ...['storybook@10.6.7', '@storybook/html-vite@10.6.0', '@storybook/addon-docs@10.6.7'],
    ...[ownVersion('vite'), ownVersion('msw'), ownVersion('playwright')],
  ],
  generators: [
    '@hey-api/openapi-ts@0.99.0',
    'orval@8.38.0',
    'swagger-typescript-api@13.13.0',
    'typescript@5.9.3',
    'tsx@4.23.15',
  ],
  bun: ['bun@1.4.4', 'msw@2.15.0'],
  deno: ['deno@2.9.6', 'msw@2.15.0'],
  pnpm: ['pnpm@10.34.8'],
  yarn: ['@yarnpkg/cli-dist@4.18.1'],
  wrangler: ['wrangler@4.158.0'],
} satisfies Readonly<Record<string, readonly string[]>>

const PROGRAMS = 'test/matrix/programs'
const withPort = async () => ({ APP_PORT: String(await findFreePort()) })
const withChromium = async () => ({
  ...(await withPort()),
  CHROMIUM_PATH: getChromium(),
  CHROMIUM_FLAGS: FLAGS.join(' '),
})

/**
 * Lists what a compiler says about us, and fails if it says anything: old ones do not know all that
 * other packages declare.
 */
const compile = (compiler: string, ...configs: readonly string[]) =>
  configs
    .map(
      (config) =>
        `if ${compiler} -p ${config} | grep -E '^(imports|doors|types|error |.*/animal-store-mock/)'; then exit 1; fi`,
    )
    .join('\n')
const toConfig = (options: object, file: string) => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: [],
  }
  const compilerOptions = { ...strict, lib: ['es2024', 'dom', 'dom.iterable'], ...options }
  return JSON.stringify({ compilerOptions, files: [file] })
}

/**
 * The set-up of the example by hand lets no request out, whatever the version of MSW calls that:
 * not even to a server that is there.
 */
const STRICT = `import { serve } from 'animal-store-mock/node'
${read('examples/vitest/handlers.test.ts').split("\nit('")[0]}
it('lets no request out', async () => {
  const { url, close } = await serve(mock)
  await expect(fetch(url)).rejects.toThrow()
  await close()
})
`

const vitest = (
  install: Row['install'],
  environment: string,
  node: string,
  isDaily = false,
): Row => ({
  name: `Vitest, ${install}, ${environment}, Node ${node}`,
  isDaily,
  install,
  node,
  files: ['examples/vitest/'],
  write: { 'strict.test.ts': STRICT },
  command: `tsc -p . && vitest run --environment ${environment}`,
  expect: /Tests +10 passed/,
})

/** What goes past a store fails the test, whatever the version of MSW. */
const past = (install: Row['install'], node: string, isDaily = false): Row => ({
  name: `Vitest kit, ${install}: requests that go past the store, Node ${node}`,
  isDaily,
  install,
  node,
  files: [`${PROGRAMS}/vitest/`],
  command: 'vitest run past || true',
  expect: /^(?=.*took fetch before)(?=.*logo.png: it is outside)(?=.*2 failed \| 3 passed)/s,
})

/** Nothing of a request is lost where the classes of the page are not those of `fetch`. */
const jsdom = (install: Row['install'], node: string): Row => ({
  name: `Vitest kit, ${install}: requests in jsdom, Node ${node}`,
  install,
  node,
  files: [`${PROGRAMS}/vitest/`],
  command: 'vitest run jsdom --environment jsdom',
  expect: /Tests +12 passed/,
})

/** The types of a kit, as the runner's own types see them. */
const kitTypes = (
  install: Row['install'],
  imports: string,
  types: readonly string[],
  isDaily = false,
): Row => ({
  name: `types of a kit, ${install}: ${imports || 'globals'}`,
  isDaily,
  install,
  write: {
    'types.ts': `import { mockStore } from 'animal-store-mock/${imports === 'vitest' ? 'vitest' : 'jest'}'\n${
      imports && `import { expect, test } from '${imports}'\n`
    }${read(`${PROGRAMS}/kit-types.txt`)}`,
    'tsconfig.json': toConfig(
      { module: 'preserve', moduleResolution: 'bundler', types },
      'types.ts',
    ),
  },
  command: compile('tsc', '.'),
})

/** Every way of resolving modules that a compiler has. */
const typescript = (install: Row['install'], version: string, isDaily = false): Row => {
  const major = Number.parseInt(version, 10)
  const base = {
    lib: ['es2022', 'dom', 'dom.iterable'],
    ...(major === 6 && { ignoreDeprecations: '6.0' }),
  }
  const resolve = (module: string, moduleResolution: string, file: string) =>
    toConfig({ ...base, module, moduleResolution }, file)
  const configs = {
    ...(major < 7 && { 'node10.json': resolve('commonjs', 'node10', 'imports.ts') }),
    'commonjs.json': resolve('nodenext', 'nodenext', 'doors.cts'),
    'nodenext.json': resolve('nodenext', 'nodenext', 'imports.ts'),
    'bundler.json': resolve('esnext', 'bundler', 'imports.ts'),
  }
  // MSW has no worker for CommonJS in Node.
  const doors = read('test/package/imports.ts').replace(/^.*worker.*\n/gim, '')
  return {
    name: `TypeScript ${version}, every resolution`,
    isDaily,
    install,
    files: ['test/package/imports.ts'],
    write: { 'doors.cts': doors, ...configs },
    command: compile(`node node_modules/typescript-${version}/bin/tsc`, ...Object.keys(configs)),
  }
}

const GOLDEN = JSON.stringify(JSON.parse(read('src/scenario/generate/generate-pets.golden.json')))
const ANSWERS =
  'fetch(process.env.ANIMAL_STORE_URL + "/pets").then(({ status }) => process.exit(status === 401 ? 0 : 1))'

/** Every door of the package, from ES modules and from CommonJS, and the command line. */
const doors = (install: Row['install'], node: string, isDaily = false): Row => ({
  name: `every door, ${install}, Node ${node}`,
  isDaily,
  install,
  node,
  files: ['imports.mjs', 'imports.cjs', 'mixed.mjs'].map((file) => `test/package/${file}`),
  write: { 'golden.json': GOLDEN },
  command: [
    'node imports.mjs > seen.json',
    `node -e 'const read = (file) => JSON.parse(fs.readFileSync(file)); assert.deepEqual(read("seen.json").golden, read("golden.json"))'`,
    'node imports.cjs && node mixed.mjs',
    `animal-store-mock exec -- node -e '${ANSWERS}'`,
  ].join('\n'),
})

const COMMONJS = { 'package.json': '{}' }
const EXAMPLE_OF_JEST = [
  'babel.config.js',
  'jest.config.js',
  'pets.test.js',
  'serve.test.js',
  'sold-out.yaml',
  'kit.test.js',
]
const TRANSFORMERS: Readonly<Record<string, unknown>> = {
  babel: 'babel-jest',
  swc: '@swc/jest',
  'ts-jest': ['ts-jest', { tsconfig: { allowJs: true, esModuleInterop: true } }],
}

/** The example with what the documentation says about MSW in Jest; ts-jest also checks types. */
const jest = (
  install: 'jest 29' | 'jest 30',
  transformer: string,
  environment: 'node' | 'jsdom',
): Row => ({
  name: `Jest, ${install}, ${transformer}, ${environment}`,
  install,
  files: [...EXAMPLE_OF_JEST.map((file) => `examples/jest/${file}`), `${PROGRAMS}/jest/`],
  write: {
    ...COMMONJS,
    'typed.test.ts': read('examples/jest/pets.test.js'),
    'row.config.js': `module.exports = { ...require('./jest.config.js'), testEnvironment: '${
      environment === 'jsdom' ? 'jest-fixed-jsdom' : 'node'
    }', transform: { '\\\\.m?[jt]sx?$': ${JSON.stringify(TRANSFORMERS[transformer])} } }`,
  },
  command: [
    `jest --config row.config.js 'serve|kit.test|with-msw|axios|${transformer === 'ts-jest' ? 'typed' : 'pets'}' --testPathIgnorePatterns failing`,
    // The server does without jsdom's fix too.
    ...(environment === 'jsdom' ? ['jest --config row.config.js --env jsdom serve'] : []),
  ].join('\n'),
  expect: /^Tests: +10 passed, 10 total$/m,
})

/**
 * The commands of a job, as a runner of GitHub runs them: what one leaves in the background goes on
 * until the job ends.
 */
async function runJob({ run }: Project, name: string): Promise<string> {
  const text = read('examples/ci/workflow.yaml').replaceAll('7387', String(await findFreePort()))
  const { jobs } = parse(text) as {
    jobs: Record<string, { env?: Record<string, string>; steps: { run?: string }[] }>
  }
  // Everything is installed.
  const commands =
    jobs[name]?.steps.flatMap((step) =>
      step.run === undefined || step.run === 'npm ci' ? [] : [step.run],
    ) ?? []
  const script = [`trap 'code=$?; trap "" TERM; kill 0; exit $code' EXIT`, ...commands].join('\n')
  return run('setsid --wait sh -ec "$SCRIPT"', { ...jobs[name]?.env, SCRIPT: script })
}

const WAIT = `
for path in / /__mock/health; do
  start-server-and-test "animal-store-mock --port $APP_PORT" "http://127.0.0.1:$APP_PORT$path" 'node -p 1'
  animal-store-mock exec --port $APP_PORT -- wait-on --timeout 20000 "http://127.0.0.1:$APP_PORT$path"
done
if animal-store-mock exec --port $APP_PORT -- wait-on --timeout 3000 "http://127.0.0.1:$APP_PORT/v1"; then exit 1; fi`

/** Jest runs MSW 3 as ES modules only, as the documentation says. */
const JEST_AS_ESM = `for name in kit jest-with-msw jest-axios; do
  echo "import { jest } from '@jest/globals'" > $name.test.mjs
  sed -E 's/^const (.*) = require\\((.*)\\)$/import \\1 from \\2/' $name.test.js >> $name.test.mjs
done
node --experimental-vm-modules node_modules/jest/bin/jest.js --config esm.config.cjs`

/**
 * A package manager that keeps packages apart installs in a folder below: the handlers must find
 * the user's own msw.
 */
const apart = (
  install: 'pnpm' | 'yarn',
  more: Readonly<Record<string, string>>,
  command: string,
): Row => ({
  name: `${install}, packages kept apart`,
  install,
  files: ['test/package/imports.mjs', 'test/package/imports.cjs'],
  write: {
    'apart/package.json': JSON.stringify({
      type: 'module',
      private: true,
      devDependencies: { 'animal-store-mock': 'file:$TARBALL', msw: '2.15.0' },
    }),
    ...more,
  },
  command: `mv imports.* apart\n${command}`,
})

const SPEC = 'node_modules/animal-store-mock/spec/openapi.yaml'
const GENERATE = `{ openapi-ts -i ${SPEC} -o hey -c @hey-api/client-fetch
  orval --config orval.config.mjs
  swagger-typescript-api generate -p ${SPEC} -o swagger -n api.ts; } > log 2>&1
if grep -iE '\\b(warn|error|deprecated|unsupported)' log; then exit 1; fi
animal-store-mock exec -- tsx --test --test-reporter=tap generated.test.mjs`

const example = (
  name: string,
  install: Row['install'],
  expect: RegExp,
  more: Partial<Row> = {},
): Row => {
  return {
    name: `examples/${name}`,
    install,
    files: [`examples/${name}/`],
    command: 'npm test',
    expect,
    ...more,
  }
}
/** Shows what the recipe's own route gives. */
const NAMES_PAGE = `<script setup>
const { data } = await useFetch('/api/pets')
</script>

<template>
  <ul>
    <li v-for="pet in data" :key="pet.id">{{ pet.name }}</li>
  </ul>
</template>
`
const PASSED_3 = /^(#|ℹ) pass 3$/m

/** Rows of different installs take turns at the start, so that two installs run at once. */
export const ROWS: readonly Row[] = [
  vitest('newest', 'node', NEW_NODE, true),
  doors('msw 2.3.5', '20', true),
  typescript('msw 2.3.5', '5.0.4', true),
  typescript('msw 2.3.5', '7.0.2', true),
  doors('newest', NEW_NODE, true),
  kitTypes('newest', 'vitest', [], true),
  kitTypes('newest', '@jest/globals', [], true),
  {
    name: 'Jest kit, Jest 30 without settings',
    isDaily: true,
    install: 'newest',
    files: ['examples/jest/kit.test.js', `${PROGRAMS}/jest/jest-axios.test.js`],
    write: COMMONJS,
    command: 'jest',
    expect: /^Tests: +4 passed, 4 total$/m,
  },
  {
    name: 'Jest kit, failures explain themselves',
    isDaily: true,
    install: 'newest',
    files: [`${PROGRAMS}/jest/jest-failing.test.js`],
    write: COMMONJS,
    command: 'jest || true',
    expect:
      /^(?=.*0 matching listPets requests)(?=.*Request log of )(?=.*animal-store-mock open recordings)(?=.*unknown-path: GET)(?=.*was not awaited)(?=.*does not use fetch).*5 failed, 5 total/s,
  },
  example('playwright', 'newest', /\d passed/, { isDaily: true, env: withChromium }),
  example('openapi-typescript', 'newest', /Tests +1 passed/, { isDaily: true, node: NEW_NODE }),
  example('axios', 'newest', /Tests +1 passed/, { isDaily: true, node: NEW_NODE }),
  example('node-test', 'newest', PASSED_3, { isDaily: true }),
  {
    name: 'createFetch in openapi-fetch, ky and axios',
    isDaily: true,
    install: 'newest',
    files: [`${PROGRAMS}/clients.test.mjs`],
    command: 'node --test --test-reporter=tap',
    expect: /^# pass 4$/m,
  },
  {
    name: 'CI, exec',
    isDaily: true,
    install: 'newest',
    files: ['examples/ci/'],
    check: (project) => runJob(project, 'exec'),
    expect: /pass 1$/m,
  },
  {
    name: 'CI, steps',
    install: 'newest',
    files: ['examples/ci/'],
    check: (project) => runJob(project, 'steps'),
    expect: /pass 1$/m,
  },
  { name: 'tools that wait for a server', install: 'newest', env: withPort, command: WAIT },
  example('webpack', 'bundlers', /^(#|ℹ) pass 2$/m, {
    name: 'examples/webpack, and rspack',
    node: NEW_NODE,
  }),
  example('next', 'next', /^(#|ℹ) pass 4$/m, {
    env: async () => ({ NEXT_TELEMETRY_DISABLED: '1' }),
  }),
  ...(['sveltekit', 'react-router', 'nuxt'] as const).map((name) =>
    example(name, name, /^(#|ℹ) pass 1$/m),
  ),
  example('angular', 'angular', /^(#|ℹ) pass 2$/m),
  {
    name: 'Nuxt, a sandbox for each visitor',
    install: 'nuxt',
    files: ['examples/nuxt/', `${PROGRAMS}/nuxt-sandbox.test.mjs`],
    write: {
      'server/utils/call-api.js': read('examples/playwright/server-rendering/nuxt.call-api.js'),
      'server/api/pets.get.js':
        "export default defineEventHandler((event) => callApi(event, '/pets'))\n",
      'app/pages/names.vue': NAMES_PAGE,
    },
    command: 'node --test --test-reporter=tap nuxt-sandbox.test.mjs',
    expect: /^# pass 1$/m,
  },
  ...NODES.map((node) =>
    example('node-test', 'nothing', PASSED_3, { name: `examples/node-test, Node ${node}`, node }),
  ),
  vitest('newest', 'jsdom', '24'),
  past('msw 2.15.0', '20'),
  past('newest', NEW_NODE, true),
  jsdom('msw 2.15.0', '20'),
  jsdom('newest', '24'),
  {
    name: 'Vitest kit, MSW 3 on Node 20 says what to install',
    install: 'msw 3',
    node: '20',
    files: [`${PROGRAMS}/vitest/`],
    command: 'vitest run past || true',
    expect: /UsageError: mockStore: MSW 3 needs Node 22\.12; install MSW 2/,
  },
  vitest('vitest 3', 'node', '20'),
  ...['node', 'jsdom'].map((environment) => vitest('msw 2.15.0', environment, '20')),
  ...NODES.map((node) => doors('msw 2.15.0', node)),
  ...['22', '24', '26'].map((node) => doors('newest', node)),
  doors('msw 2.10.5', '20'),
  ...OLD_TYPESCRIPTS.map((version) => typescript('msw 2.15.0', version)),
  {
    name: 'Jest kit, Jest 30, msw 3 as ES modules',
    install: 'newest',
    node: '22',
    files: ['examples/jest/kit.test.js', `${PROGRAMS}/jest/`],
    write: {
      ...COMMONJS,
      'esm.config.cjs': "module.exports = { transform: {}, testMatch: ['**/*.test.mjs'] }",
    },
    command: JEST_AS_ESM,
    expect: /^Tests: +7 passed, 7 total$/m,
  },
  ...(['jest 29', 'jest 30'] as const).flatMap((install) => [
    ...Object.keys(TRANSFORMERS).flatMap((name) => [
      jest(install, name, 'node'),
      jest(install, name, 'jsdom'),
    ]),
    kitTypes(install, '@jest/globals', []),
    kitTypes(install, '', ['jest']),
  ]),
  {
    name: 'Storybook kit, in Chromium',
    install: 'storybook',
    files: ['examples/storybook/', `${PROGRAMS}/storybook/`],
    env: async () => ({ ...(await withChromium()), CI: '1', STORYBOOK_DISABLE_TELEMETRY: '1' }),
    command:
      'msw init public --no-save && storybook build -o out --quiet && node look-at-stories.mjs',
    expect: /^stories and docs page as expected$/m,
  },
  {
    name: 'generators of clients',
    install: 'generators',
    node: '24',
    files: [`${PROGRAMS}/generated.test.mjs`],
    write: {
      'orval.config.mjs': `export default ${JSON.stringify({
        store: {
          input: SPEC,
          output: {
            client: 'fetch',
            target: 'orval.ts',
            baseUrl: { runtime: 'process.env.ANIMAL_STORE_URL' },
          },
        },
      })}`,
    },
    command: GENERATE,
    expect: /^# pass 4$/m,
  },
  // Puts the program in its place, as npm would, if scripts were allowed to run.
  example('bun', 'bun', /^ *3 pass$/m, { command: 'node node_modules/bun/install.js && npm test' }),
  example('deno', 'deno', /^ok \| 3 passed \| 0 failed/m),
  apart(
    'pnpm',
    {},
    'pnpm --dir apart install --ignore-scripts --config.node-linker=isolated --config.strict-peer-dependencies=true\nnode apart/imports.mjs && node apart/imports.cjs',
  ),
  // Not from CommonJS: there msw itself does not find its packages, some of which are ES modules.
  apart(
    'yarn',
    {
      'apart/.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n',
      'apart/yarn.lock': '',
    },
    'yarn() { node node_modules/@yarnpkg/cli-dist/bin/yarn.js --cwd apart "$@"; }\nyarn install && yarn node imports.mjs',
  ),
  {
    name: 'wrangler dev, Node 22',
    install: 'wrangler',
    files: ['examples/workers/'],
    check: useWrangler,
  },
  {
    name: 'HAProxy',
    install: 'nothing',
    files: ['examples/haproxy/haproxy.cfg'],
    check: useHaproxy,
  },
]
