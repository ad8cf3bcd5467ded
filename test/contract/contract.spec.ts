// The contract against the interface's own tables, written out here a second time on purpose: a
// slip in spec/openapi.yaml would otherwise move the mock, its types and its tests together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/documents.ts'

const openapi = parse(readFileSync(join(root, 'spec/openapi.yaml'), 'utf8'), { schema: 'core' })
const { schemas, responses, securitySchemes } = openapi.components
const operations: [method: string, path: string, id: string][] = [
  ['get', '/pets', 'listPets'],
  ['post', '/pets', 'createPet'],
  ['get', '/pets/{petId}', 'getPet'],
]

/** A schema without its prose. */
function bare(schema: Record<string, unknown>): Record<string, unknown> {
  const { description: _, example: __, ...facts } = schema
  return facts
}

describe('the contract', () => {
  it('has version 1.0.0, under /v1 in production and staging, at addresses that are placeholders', () => {
    expect(openapi.info.version).toBe('1.0.0')
    expect(openapi.servers.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual([
      '/v1',
      '/v1',
    ])
    // RFC 2606 keeps .example for this.
    for (const { url } of openapi.servers) expect(new URL(url).hostname).toMatch(/\.example$/)
  })

  it('has three operations under one tag, and no more', () => {
    const found = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { operationId: string }>).map(
        ([method, { operationId }]) => [method, path, operationId],
      ),
    )
    expect(found).toEqual(operations)
    for (const [method, path] of operations)
      expect(openapi.paths[path][method].tags).toEqual(['animals'])
    expect(openapi.tags.map(({ name }: { name: string }) => name)).toEqual(['animals'])
  })

  it('wants a bearer token for all of it', () => {
    expect(openapi.security).toEqual([{ bearerAuth: [] }])
    expect(bare(securitySchemes.bearerAuth)).toEqual({ type: 'http', scheme: 'bearer' })
  })

  it.each([
    ['listPets', ['200', '401']],
    ['createPet', ['201', '400', '401']],
    ['getPet', ['200', '401', '404']],
  ])('documents the responses of %s: %j', (id, statuses) => {
    const [method, path] = operations.find((one) => one[2] === id) as [string, string, string]
    expect(Object.keys(openapi.paths[path][method].responses)).toEqual(statuses)
  })

  it.each(['BadRequest', 'Unauthorized', 'NotFound'])('sends an Error for %s', (name) => {
    expect(responses[name].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Error',
    })
  })

  it('takes limit and status in a list', () => {
    const [limit, status] = openapi.paths['/pets'].get.parameters
    expect(bare(limit)).toEqual({
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    })
    expect(bare(status)).toEqual({
      name: 'status',
      in: 'query',
      schema: { $ref: '#/components/schemas/PetStatus' },
    })
  })

  it('takes an int64 in the path of getPet, which is deprecated and due to be removed', () => {
    const {
      parameters,
      deprecated,
      description,
      'x-sunset': sunset,
    } = openapi.paths['/pets/{petId}'].get
    expect(parameters.map(bare)).toEqual([
      { name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ])
    expect([deprecated, sunset]).toEqual([true, '2030-12-05'])
    // Generators and readers know nothing of the extension.
    expect(description).toContain('removed on 5 December 2030')
    expect(description).toContain('`listPets` with its `status` filter')
  })

  it('has the fields of the interface, with their types', () => {
    const int64 = { type: 'integer', format: 'int64' }
    expect(bare(schemas.PetStatus)).toEqual({
      type: 'string',
      enum: ['available', 'pending', 'sold'],
    })
    expect(schemas.NewPet.required).toEqual(['name', 'categoryId'])
    expect(
      Object.entries(schemas.NewPet.properties).map(([name, field]) => [
        name,
        bare(field as Record<string, unknown>),
      ]),
    ).toEqual([
      ['name', { type: 'string' }],
      ['categoryId', int64],
      ['status', { $ref: '#/components/schemas/PetStatus' }],
    ])
    const [own, inherited] = schemas.Pet.allOf
    expect([own.required, bare(own.properties.id), inherited]).toEqual([
      ['id'],
      int64,
      { $ref: '#/components/schemas/NewPet' },
    ])
    expect(bare(schemas.Pets)).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Pet' },
    })
    expect(schemas.Error.required).toEqual(['code', 'message', 'status'])
    expect(
      Object.values(schemas.Error.properties as Record<string, { type: string }>).map(
        ({ type }) => type,
      ),
    ).toEqual(['string', 'string', 'integer'])
  })

  it('says no more than the interface does', () => {
    expect(openapi.info).not.toHaveProperty('license')
    expect(Object.keys(schemas)).toEqual(['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error'])
    expect(openapi).not.toHaveProperty('webhooks')
  })
})
