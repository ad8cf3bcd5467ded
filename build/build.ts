// The whole build: the contract from the YAML, the words and values for generated animals, the shipped scenarios; then, in parallel,
// the bundles and the declarations.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { bundle } from './bundle.ts'
import { bundleConsole } from './bundle-console.ts'
import { compileContract, readContract } from './compile-contract.ts'
import { compileCoverage } from './compile-coverage.ts'
import { compilePaths } from './compile-types.ts'
import { declare } from './declare.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'), { schema: 'core' })

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'src/generated'), { recursive: true })
mkdirSync(join(root, 'dist'))

const openapi = read('spec/openapi.yaml')
for (const [name, text] of Object.entries(compileOrStop())) writeFileSync(join(root, `src/generated/${name}.ts`), text)
writeFileSync(join(root, 'src/generated/coverage.ts'), compileCoverage(readContract(openapi)))
writeFileSync(join(root, 'src/generated/openapi.ts'), toModule('openapi', openapi, 'spec/openapi.yaml'))
writeFileSync(join(root, 'src/generated/version.ts'), toModule('version', read('package.json').version, 'package.json'))
writeFileSync(join(root, 'src/generated/paths.ts'), compilePaths(openapi))
// Imported only now, because they import the modules written above.
const { contract } = await import('../src/generated/contract.ts')
const { compilePools, compileWords } = await import('./compile-pools.ts')
writeFileSync(join(root, 'src/generated/words.ts'), compileWords())
writeFileSync(join(root, 'src/generated/value-pools.ts'), compilePools(contract.schemas.NewPet))
const { compileScenarios } = await import('./compile-scenarios.ts')
await compileScenarios(root, openapi)
// For programs; people read the YAML.
writeFileSync(join(root, 'dist/openapi.json'), `${JSON.stringify(openapi)}\n`)

const page = await bundleConsole(root)
await Promise.all([bundle(root, page), declare(root)])

/** Prints a mistake in the YAML without a stack. */
function compileOrStop(): Record<string, string> {
  try {
    return compileContract(openapi, read('spec/assumptions.yaml'))
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** A module that exports one value, so that no file has to be read at run time. */
function toModule(name: string, value: unknown, source: string): string {
  return `// Made by \`npm run build\` from ${source}: change that, not this.\n\nexport const ${name} = ${JSON.stringify(value, null, 2)}\n`
}
