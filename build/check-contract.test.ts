// Each way in which the YAML could say more than the mock does.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkContract } from './check-contract.ts'
import { compileContract } from './compile-contract.ts'
import type { Yaml } from './dereference.ts'

const read = (file: string) => parse(readFileSync(new URL(`../spec/${file}`, import.meta.url), 'utf8'), { schema: 'core' })

/** The contract with the part at this place replaced, or taken out. */
function changed(place: string, value: unknown): Yaml {
  const openapi = read('openapi.yaml') as Yaml
  const keys = place.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const last = keys.pop() as string
  const parent = keys.reduce<unknown>((node, key) => (node as Yaml)[key], openapi) as Yaml
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return openapi
}

describe('checkContract', () => {
  it('accepts the contract as it is', () => {
    expect(() => checkContract(read('openapi.yaml'))).not.toThrow()
  })

  it.each<[string, string, unknown, string?]>([
    ['an interface without authentication', 'security', []],
    ['an operation without authentication', 'paths./pets.get.security', []],
    ['another scheme', 'components.securitySchemes.bearerAuth.scheme', 'basic'],
    ['another type of key', 'components.securitySchemes.bearerAuth.type', 'apiKey'],
    ['a required query parameter', 'paths./pets.get.parameters[0].required', true],
    ['a parameter in a header', 'paths./pets.get.parameters[0].in', 'header'],
    ['a parameter that is a number', 'paths./pets.get.parameters[0].schema.type', 'number'],
    ['a parameter with a style', 'paths./pets.get.parameters[0].explode', true],
    ['parameters of a whole path', 'paths./pets.parameters', []],
    ['a HEAD operation', 'paths./pets.head', {}],
    ['an optional body', 'paths./pets.post.requestBody.required', false],
    ['another media type', 'paths./pets.post.requestBody.content.text/plain', { schema: { type: 'string' } }],
    ['a default in a body', 'components.schemas.NewPet.properties.name.default', 'Rex'],
    ['a keyword beside a $ref', 'components.schemas.NewPet.properties.status.minLength', 1],
    ['a keyword that is not checked', 'components.schemas.NewPet.properties.name.not', {}],
    ['a nullable type', 'components.schemas.NewPet.properties.name.type', ['string', 'null']],
    ['a format that is not checked', 'components.schemas.NewPet.properties.name.format', 'email'],
    ['a keyword beside allOf', 'components.schemas.Pet.required', ['id']],
    ['a keyword in a part of allOf', 'components.schemas.NewPet.pattern', 'x', 'components.schemas.Pet.allOf[1].pattern'],
    [
      'an inline body',
      'paths./pets.post.requestBody.content.application/json.schema',
      { $ref: 'x', type: 'object' },
      'paths./pets.post.requestBody.content.application/json.schema.type',
    ],
    ['a default response', 'paths./pets.get.responses.default', { description: 'x' }, 'paths./pets.get.responses'],
    ['two successes', 'paths./pets.get.responses.204', { description: 'x' }, 'paths./pets.get.responses'],
    ['response headers', 'paths./pets.get.responses.200.headers', {}],
    ['callbacks', 'paths./pets.post.callbacks', {}],
    ['an extension', 'paths./pets.get.x-rate-limit', 5],
    ['webhooks', 'webhooks', {}],
    ['a server with variables', 'servers[0].url', '{baseUrl}'],
    ['another version of OpenAPI', 'openapi', '3.0.3'],
  ])('stops at %s', (_, place, value, reported = place) => {
    const [title, ...lines] = messageOf(() => checkContract(changed(place, value))).split('\n')
    expect(title).toBe('spec/openapi.yaml says what the mock does not do')
    expect(lines.map((line) => line.slice(2, line.indexOf(': ')))).toEqual([reported])
  })
})

describe('compileContract', () => {
  const assumptions = read('assumptions.yaml') as Yaml[]
  const compile = (openapi: Yaml, ledger = assumptions) => compileContract(openapi, ledger).contract
  const withAssumption = (fields: Yaml) => [{ ...assumptions[0], ...fields }]

  it('follows references to parameters and bodies', () => {
    const openapi = read('openapi.yaml')
    openapi.components.parameters = { Limit: openapi.paths['/pets'].get.parameters[0] }
    openapi.paths['/pets'].get.parameters[0] = { $ref: '#/components/parameters/Limit' }
    openapi.components.requestBodies = { NewPet: openapi.paths['/pets'].post.requestBody }
    openapi.paths['/pets'].post.requestBody = { $ref: '#/components/requestBodies/NewPet' }
    expect(compile(openapi)).toBe(compile(read('openapi.yaml')))
  })

  it.each<[string, Yaml]>([
    [
      'spec/openapi.yaml servers: expected addresses with one base path, got /v1, /v2',
      changed('servers[1].url', 'https://staging.example/v2'),
    ],
    [
      'spec/openapi.yaml: the schema {"$ref":"#/components/schemas/NewPet"} contains itself',
      changed('components.schemas.NewPet.properties.parent', { $ref: '#/components/schemas/Pet' }),
    ],
  ])('stops: %s', (message, openapi) => {
    expect(() => compile(openapi)).toThrow(new Error(message))
  })

  it.each<[string, Yaml[]]>([
    ['spec/assumptions.yaml invalid-query: expected each id once', [...assumptions, assumptions[0] as Yaml]],
    ['spec/assumptions.yaml invalid-query: choicesOf: Gone is not an enumeration of the spec', withAssumption({ choicesOf: 'Gone' })],
    ['spec/assumptions.yaml invalid-query: expected at least one choice', withAssumption({ choices: {} })],
    ['spec/assumptions.yaml invalid-query: expected id, question, silence and why', withAssumption({ why: undefined })],
    [
      'spec/assumptions.yaml invalid-query: expected only id, question, silence, choices, choicesOf, why, uncounted, got reason',
      withAssumption({ reason: 'x' }),
    ],
  ])('stops: %s', (message, ledger) => {
    expect(() => compile(read('openapi.yaml'), ledger)).toThrow(new Error(message))
  })
})

function messageOf(action: () => void): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
