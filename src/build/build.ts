// The whole build, in order: the contract from the YAML, the shipped scenarios, the bundles, the declarations.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { compileContract } from './compile-contract.ts'

const root = new URL('../../', import.meta.url)
mkdirSync(new URL('src/generated/', root), { recursive: true })
const read = (path: string) => parse(readFileSync(new URL(path, root), 'utf8'), { schema: 'core' })
writeFileSync(new URL('src/generated/contract.ts', root), compileContract(read('spec/openapi.yaml'), read('spec/assumptions.yaml')))
