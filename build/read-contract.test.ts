// Each way in which the YAML could say more than the mock does.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readContract, type Yaml } from './read-contract.ts'

const read = () =>
  parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'), { schema: 'core' })

/** The contract with the part at this place replaced, or taken out. */
function changed(place: string, value: unknown): Yaml {
  const openapi = read() as Yaml
  const keys = place.split('.')
  const last = keys.pop() as string
  const parent = keys.reduce<unknown>((node, key) => (node as Yaml)[key], openapi) as Yaml
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return openapi
}

describe('readContract', () => {
  it.each<[string, string, unknown, string?]>([
    ['an interface without authentication', 'security', []],
    ['an operation without authentication', 'paths./pets.get.security', []],
    [
      'another scheme',
      'components.securitySchemes.bearerAuth.scheme',
      'basic',
      'components.securitySchemes.bearerAuth',
    ],
    [
      'another type of key',
      'components.securitySchemes.bearerAuth.type',
      'apiKey',
      'components.securitySchemes.bearerAuth',
    ],
    ['a required query parameter', 'paths./pets.get.parameters.0.required', true],
    ['a parameter in a header', 'paths./pets.get.parameters.0.in', 'header'],
    ['a parameter that is a number', 'paths./pets.get.parameters.0.schema.type', 'number'],
    ['a parameter with a style', 'paths./pets.get.parameters.0.explode', true],
    ['parameters of a whole path', 'paths./pets.parameters', []],
    ['a HEAD operation', 'paths./pets.head', {}],
    ['an optional body', 'paths./pets.post.requestBody.required', false],
    [
      'another media type',
      'paths./pets.post.requestBody.content.text/plain',
      { schema: { type: 'string' } },
    ],
    ['a default in a body', 'components.schemas.NewPet.properties.name.default', 'Rex'],
    ['a keyword beside a $ref', 'components.schemas.NewPet.properties.status.minLength', 1],
    ['a keyword that is not checked', 'components.schemas.NewPet.properties.name.not', {}],
    ['a nullable type', 'components.schemas.NewPet.properties.name.type', ['string', 'null']],
    ['a format that is not checked', 'components.schemas.NewPet.properties.name.format', 'email'],
    ['a keyword beside allOf', 'components.schemas.Pet.required', ['id']],
    ['a keyword in a part of allOf', 'components.schemas.NewPet.pattern', 'x'],
    [
      'an inline body',
      'paths./pets.post.requestBody.content.application/json.schema',
      { $ref: 'x', type: 'object' },
      'paths./pets.post.requestBody.content.application/json.schema.type',
    ],
    [
      'a default response',
      'paths./pets.get.responses.default',
      { description: 'x' },
      'paths./pets.get.responses',
    ],
    [
      'two successes',
      'paths./pets.get.responses.204',
      { description: 'x' },
      'paths./pets.get.responses',
    ],
    ['response headers', 'paths./pets.get.responses.200.headers', {}],
    ['callbacks', 'paths./pets.post.callbacks', {}],
    ['an extension', 'paths./pets.get.x-rate-limit', 5],
    ['webhooks', 'webhooks', {}],
    ['another base path', 'servers.1.url', 'https://staging.example/v2', 'servers'],
    ['a reference to nothing', 'components.schemas.NewPet', undefined],
    ['a date that is not one', 'paths./pets/{petId}.get.x-sunset', 'soon'],
    ['another version of OpenAPI', 'openapi', '3.0.3'],
  ])('stops at %s', (_, place, value, reported = place) => {
    const openapi = changed(place, value)
    expect(() => readContract(openapi)).toThrow(`spec/openapi.yaml ${reported}: `)
  })

  it('follows references to parameters and bodies', () => {
    const openapi = read()
    openapi.components.parameters = { Limit: openapi.paths['/pets'].get.parameters[0] }
    openapi.paths['/pets'].get.parameters[0] = { $ref: '#/components/parameters/Limit' }
    openapi.components.requestBodies = { NewPet: openapi.paths['/pets'].post.requestBody }
    openapi.paths['/pets'].post.requestBody = { $ref: '#/components/requestBodies/NewPet' }
    expect(readContract(openapi)).toEqual(readContract(read()))
  })
})
