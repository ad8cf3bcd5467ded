import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readContract } from './compile-contract.ts'
import { compileCoverage } from './compile-coverage.ts'
import type { Yaml } from './dereference.ts'

const read = () => parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'), { schema: 'core' })
const hashOf = (openapi: Yaml) => /\(([0-9a-f]{16})\)/.exec(compileCoverage(readContract(openapi)))?.[1]

it('names the contract by a hash that follows what it asks for, and not its prose', () => {
  const reworded = read()
  reworded.paths['/pets'].get.summary = 'All the animals'
  expect(hashOf(reworded)).toBe(hashOf(read()))
  const changed = read()
  changed.paths['/pets'].get.parameters[0].schema.maximum = 50
  expect(hashOf(changed)).not.toBe(hashOf(read()))
})

it('tells a body field from a parameter of the same name', () => {
  const openapi = read()
  openapi.paths['/pets'].post.parameters = [{ name: 'status', in: 'query', schema: { type: 'string' } }]
  expect(compileCoverage(readContract(openapi))).toMatch(/createPet\.query\.status=absent[\s\S]*createPet\.body\.status=absent/)
})
