// The whole build: the contract from the YAML, the words and values for generated animals, the
// shipped scenarios, the tables of the documentation; then, in parallel, the bundles and the
// declarations.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Schema } from '../src/contract/schema.ts'
import { bundle } from './bundle.ts'
import { bundleConsole } from './bundle-console.ts'
import { compileCoverage } from './compile-coverage.ts'
import { createValuePools, createWords } from './compile-pools.ts'
import { declareContract, declarePaths } from './compile-types.ts'
import { declare } from './declare.ts'
import { toLiteral, withComment, writeModule } from './module.ts'
import { readContract, readQuestions } from './read-contract.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'), { schema: 'core' })

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))

const openapi = read('spec/openapi.yaml')
const contract = readContract(openapi)
const questions = readQuestions(read('spec/assumptions.yaml'), contract)
const choices = questions.map(({ id, default: preset, choices }) => ({
  id,
  default: preset,
  choices: choices.map((choice) => choice.id),
}))
const write = (name: string, source: string, ...parts: string[]) =>
  writeModule(root, name, source, ...parts)
write(
  'contract/contract',
  'spec/',
  `export const contract = ${toLiteral(contract)} as const`,
  withComment('@internal', `export const assumptions = ${toLiteral(choices)} as const`),
  declareContract(openapi, contract, questions),
)
// Apart, since a page that only mocks the service shows none of it.
write(
  'contract/questions',
  'spec/assumptions.yaml',
  `export const questions = ${toLiteral(questions)} as const`,
)
const covered = compileCoverage(contract)
write(
  'contract/coverage',
  'spec/openapi.yaml',
  `export const coveredContract = ${toLiteral(covered.name)}`,
  `export const cellNames: readonly string[] = ${toLiteral(covered.cells)}`,
  `export const coveredOperations = ${toLiteral(covered.operations)} as const`,
)
write('contract/openapi', 'spec/openapi.yaml', `export const openapi = ${toLiteral(openapi)}`)
write(
  'contract/version',
  'package.json',
  `export const version = ${toLiteral(read('package.json').version)}`,
  `export const homepage = ${toLiteral(read('package.json').homepage)}`,
)
write('contract/paths', 'spec/openapi.yaml', declarePaths(openapi, contract))
const valuePools = toLiteral(createValuePools(contract.schemas.NewPet as Schema))
write(
  'scenario/pools',
  'spec/openapi.yaml and the words of faker',
  `export const words = ${toLiteral(createWords())}`,
  `export const valuePools: Readonly<Record<string, readonly unknown[]>> = ${valuePools}`,
)
// Imported only now, because they import the modules written above.
const { compileScenarios } = await import('./compile-scenarios.ts')
const { renderScenarioSchema } = await import('./scenario-schema.ts')
await compileScenarios(root)
const scenarioSchema = renderScenarioSchema(openapi)
writeFileSync(join(root, 'fixtures/scenario.schema.json'), scenarioSchema)
write(
  'scenario/scenario-schema',
  'src/scenario/document.ts',
  `export const scenarioSchema = ${scenarioSchema.trim()}`,
)
// For programs; people read the YAML.
writeFileSync(join(root, 'dist/openapi.json'), `${JSON.stringify(openapi)}\n`)

const { fillDocs } = await import('./fill-docs.ts')
fillDocs(root)

const page = await bundleConsole(root)
await Promise.all([bundle(root, page), declare(root)])
