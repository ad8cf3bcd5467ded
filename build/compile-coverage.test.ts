import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { compileCoverage } from './compile-coverage.ts'
import { readContract, type Yaml } from './read-contract.ts'

const read = () => parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'), { schema: 'core' })
const compile = (openapi: Yaml) => compileCoverage(readContract(openapi))

it('names the contract by a hash that follows what it asks for, and not its prose', () => {
  const reworded = read()
  reworded.paths['/pets'].get.summary = 'All the animals'
  expect(compile(reworded).name).toBe(compile(read()).name)
  const changed = read()
  changed.paths['/pets'].get.parameters[0].schema.maximum = 50
  expect(compile(changed).name).not.toBe(compile(read()).name)
})

it('tells a body field from a parameter of the same name', () => {
  const openapi = read()
  openapi.paths['/pets'].post.parameters = [{ name: 'status', in: 'query', schema: { type: 'string' } }]
  const fields = compile(openapi).operations.createPet?.fields.filter(({ name }) => name === 'status')
  expect(fields?.map(({ cells }) => cells.absent)).toEqual(['createPet.query.status=absent', 'createPet.body.status=absent'])
})
