// The doors of the package, in one table: the bundles, the declarations and the entries of package.json all follow from it.
// A test compares package.json with it.

/** What can be imported from the package. */
export interface Door {
  /** The name of its files, and the path to import it by; `index` is the package itself. */
  readonly name: string
  /** The module behind it. */
  readonly module: string
  /** Whether there is no CommonJS build of it. */
  readonly isEsmOnly?: boolean
}

export const doors: readonly Door[] = [
  { name: 'index', module: 'src/index.ts' },
  { name: 'msw', module: 'src/hosts/msw.ts' },
  { name: 'node', module: 'src/hosts/node/index.ts' },
  { name: 'control', module: 'src/client/connect.ts' },
  { name: 'generate', module: 'src/generate/index.ts' },
  { name: 'scenarios', module: 'src/scenarios.ts' },
  // Workers have ES modules only.
  { name: 'worker', module: 'src/hosts/worker/index.ts', isEsmOnly: true },
  { name: 'vitest', module: 'src/kits/vitest.ts', isEsmOnly: true },
  { name: 'jest', module: 'src/kits/jest.ts' },
  { name: 'playwright', module: 'src/kits/playwright.ts' },
  { name: 'storybook', module: 'src/kits/storybook.ts', isEsmOnly: true },
]

/** What is imported as a file, for generators, editors and tools. */
const files: Readonly<Record<string, string>> = {
  'openapi.yaml': './spec/openapi.yaml',
  'openapi.json': './dist/openapi.json',
  'scenario.schema.json': './fixtures/scenario.schema.json',
  'package.json': './package.json',
}

/**
 * Packages of the user that doors import, of any version. package.json has them in `peerDependenciesMeta` alone: package managers
 * that keep packages apart read that as an optional peer, and npm, which would otherwise fetch what it knows about them and theirs
 * before `npx` can start, does not.
 */
export const peers: readonly string[] = ['msw', 'vitest', '@jest/globals', '@playwright/test']

/** The entries of package.json that follow from the table. `main`, `types` and `typesVersions` are for TypeScript's `node10`. */
export function toEntries() {
  const dual = doors.filter(({ isEsmOnly }) => !isEsmOnly)
  return {
    exports: Object.fromEntries([
      ...doors.map((door) => [door.name === 'index' ? '.' : `./${door.name}`, toConditions(door)]),
      ...Object.entries(files).map(([name, file]) => [`./${name}`, file]),
    ]),
    main: './dist/index.cjs',
    types: toDeclaration('src/index.ts', 'cts'),
    typesVersions: {
      '*': Object.fromEntries([
        ...dual.filter(({ name }) => name !== 'index').map(({ name, module }) => [name, [toDeclaration(module, 'cts')]]),
        ...Object.entries(files)
          .filter(([name]) => name.endsWith('.json'))
          .map(([name, file]) => [name, [file]]),
      ]),
    },
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  }
}

function toConditions({ name, module, isEsmOnly }: Door) {
  const esm = { types: toDeclaration(module, 'ts'), default: `./dist/${name}.js` }
  return isEsmOnly ? esm : { import: esm, require: { types: toDeclaration(module, 'cts'), default: `./dist/${name}.cjs` } }
}

/** The declaration of a module, for one of the two kinds. */
export function toDeclaration(module: string, kind: 'ts' | 'cts'): string {
  return module.replace(/^src\/(.*)\.ts$/, `./dist/types/$1.d.${kind}`)
}
