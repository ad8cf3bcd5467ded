// The contract is data: a change of the YAML, and of nothing else, changes routing, bounds, fields,
// animals and types. A new operation takes one more file and one more name, as CONTRIBUTING.md
// says.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMock as createOurs, type Mock, type MockOptions, type Pet } from '../../src/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'contract-change-'))
const COUNT_PETS = `  /count:
    get:
      operationId: countPets
      responses:
        '200':
          description: How many animals there are
          content:
            application/json:
              schema:
                type: object
                required: [count]
                properties:
                  count:
                    type: integer
        '401':
          $ref: '#/components/responses/Unauthorized'
`
/** Its success has no body. */
const DELETE_PET = `    delete:
      operationId: deletePet
      parameters:
        - name: petId
          in: path
          required: true
          schema:
            type: integer
            format: int64
      responses:
        '204':
          description: It is gone
        '401':
          $ref: '#/components/responses/Unauthorized'
        '404':
          $ref: '#/components/responses/NotFound'
`
/** Its first and its last length are close to each other. */
const TAG = '        tag:\n          type: string\n          minLength: 2\n          maxLength: 3\n'
const DELETE_PET_SOURCE = `// deletePet: an animal that has found a home.
import { ApiError } from '../../contract/errors.ts'
import { findPetText } from '../../world/catalogue.ts'
import { setPetText } from '../../world/state.ts'
import type { Operation } from './operation.ts'

export const deletePet: Operation<'deletePet'> = ({ petId }, { state }) => {
  if (findPetText(state.catalogue, petId) === undefined)
    throw new ApiError(404, { kind: 'not-found', what: 'Animal', id: String(petId) })
  return { body: '', state: setPetText(state, petId, undefined) }
}
`
const COUNT_PETS_SOURCE = `// countPets: how many animals there are.
import type { Operation } from './operation.ts'

export const countPets: Operation<'countPets'> = (_, { state }) => ({
  body: JSON.stringify({ count: state.catalogue.all.size }),
  state,
})
`
let createMock: (options?: MockOptions) => Mock
let generatePets: (options: {
  seed: number
  count: number
}) => (Pet & { breed?: string; tag?: string })[]

beforeAll(async () => {
  for (const part of [
    'src',
    'build',
    'spec/openapi.yaml',
    'spec/assumptions.yaml',
    'fixtures',
    'docs',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.endsWith('/generated'),
    })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const yaml = join(copy, 'spec/openapi.yaml')
  const changed = readFileSync(yaml, 'utf8')
    .replace('maximum: 100', 'maximum: 50')
    .replace('enum: [available, pending, sold]', 'enum: [available, pending, sold, adopted]')
    .replace(
      '    Pet:\n',
      `        breed:\n          type: string\n          maxLength: 12\n${TAG}    Pet:\n`,
    )
    .replaceAll('/v1', '/v2')
    .replace('components:\n', `${DELETE_PET}components:\n`)
    .replace('  /pets:\n', `${COUNT_PETS}  /animals:\n`)
  for (const part of [
    'maximum: 50',
    'sold, adopted]',
    'breed:',
    'minLength: 2',
    'deletePet',
    '/v2',
    '/animals:',
  ])
    expect(changed).toContain(part)
  writeFileSync(yaml, changed)
  addOperations()
  execFileSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'build/build.ts'], {
    cwd: copy,
    stdio: 'pipe',
  })
  const load = (door: string) =>
    import(/* @vite-ignore */ pathToFileURL(join(copy, `dist/${door}.js`)).href)
  createMock = (await load('index')).createMock
  generatePets = (await load('generate')).generatePets
}, 120_000)

/** What CONTRIBUTING.md says under "Add an operation". */
function addOperations(): void {
  const folder = join(copy, 'src/service/operations')
  writeFileSync(join(folder, 'count-pets.ts'), COUNT_PETS_SOURCE)
  writeFileSync(join(folder, 'delete-pet.ts'), DELETE_PET_SOURCE)
  const table = join(folder, 'index.ts')
  const text = readFileSync(table, 'utf8')
  expect(text).toContain('  listPets,\n')
  const imports = [
    "import { countPets } from './count-pets.ts'",
    "import { deletePet } from './delete-pet.ts'",
  ]
  const changed = text.replace('  listPets,\n', '  countPets,\n  deletePet,\n  listPets,\n')
  writeFileSync(table, `${imports.join('\n')}\n${changed}`)
}

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('a changed contract', () => {
  const ask = (mock: Mock, method: string, target: string, body?: string) => {
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const reply = mock.answer({
      method,
      target,
      headers,
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    })
    return { status: reply.status, json: JSON.parse(reply.body) }
  }

  it('moves the routes', () => {
    const mock = createMock()
    expect(ask(mock, 'GET', '/v2/animals').status).toBe(200)
    expect(ask(mock, 'GET', '/v1/pets').status).toBe(404)
  })

  it('has the new operation, behind the same key and with the same faults', () => {
    const mock = createMock({
      faults: [{ operation: 'countPets' as 'listPets', status: 503, times: 1 }],
    })
    expect(ask(mock, 'GET', '/v2/count').status).toBe(503)
    expect(ask(mock, 'GET', '/v2/count')).toEqual({ status: 200, json: { count: 18 } })
    expect(ask(mock, 'POST', '/v2/count').status).toBe(405)
  })

  it('answers 204 without a body, also when a fault would break it or a surprise change it', () => {
    const setups: MockOptions[] = [
      {},
      { surprise: { seed: 1, kinds: ['all'] } },
      { surprise: { seed: 2, kinds: ['all'] } },
      { faults: [{ operation: 'deletePet' as 'getPet', body: 'html' }] },
      { faults: [{ operation: 'deletePet' as 'getPet', body: 'truncated' }] },
    ]
    for (const options of setups) {
      const mock = createMock(options)
      const call = {
        method: 'DELETE',
        target: '/v2/pets/1',
        headers: { authorization: 'Bearer k' },
      }
      const reply = mock.answer(call)
      expect(reply).toMatchObject({ status: 204, body: '' })
      expect(Object.keys(reply.headers)).not.toContain('Content-Type')
      expect(mock.control.pets.get(1)).toBeUndefined()
      expect(mock.answer(call).status).toBe(404)
      expect(mock.control.timeline()[0]).toMatchObject({ status: 204, response: { body: '' } })
    }
  })

  it('lets a fault fail the operation without a body', () => {
    const faults = [{ operation: 'deletePet' as 'getPet', status: 503, body: 'html' as const }]
    const mock = createMock({ faults })
    const headers = { authorization: 'Bearer k' }
    const reply = mock.answer({ method: 'DELETE', target: '/v2/pets/1', headers })
    expect(reply).toMatchObject({
      status: 503,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
    expect(reply.body).toContain('<html>')
  })

  it('moves the bound, in the check and in the message', () => {
    const mock = createMock()
    expect(ask(mock, 'GET', '/v2/animals?limit=50').status).toBe(200)
    expect(ask(mock, 'GET', '/v2/animals?limit=51').json.message).toBe(
      'limit: expected an integer from 1 to 50, got 51',
    )
  })

  it('stores, answers and checks the new field', () => {
    const mock = createMock({ pets: [] })
    expect(
      ask(mock, 'POST', '/v2/animals', '{"name":"Rex","categoryId":1,"breed":"Beagle"}').json,
    ).toEqual({
      id: 1,
      name: 'Rex',
      categoryId: 1,
      breed: 'Beagle',
    })
    expect(ask(mock, 'GET', '/v2/pets/1').json.breed).toBe('Beagle')
    expect(
      ask(mock, 'POST', '/v2/animals', '{"name":"Rex","categoryId":1,"breed":7}').json.message,
    ).toBe('breed: expected a string of at most 12 characters, got 7')
    expect(
      ask(
        mock,
        'POST',
        '/v2/animals',
        '{"name":"Rex","categoryId":1,"breed":"Much too long a breed"}',
      ).status,
    ).toBe(400)
  })

  it('checks the shortest and the longest text of a field', () => {
    const mock = createMock({ pets: [] })
    const create = (tag: string) =>
      ask(mock, 'POST', '/v2/animals', JSON.stringify({ name: 'Rex', categoryId: 1, tag }))
    expect(['a', 'ab', 'abc', 'abcd'].map((tag) => create(tag).status)).toEqual([
      400, 201, 201, 400,
    ])
    expect(create('a').json.message).toBe('tag: expected a string from 2 to 3 characters, got "a"')
  })

  it('knows the new value of the enumeration everywhere', () => {
    const mock = createMock({ pets: [], assume: { 'default-status': 'adopted' as 'sold' } })
    expect(ask(mock, 'POST', '/v2/animals', '{"name":"Rex","categoryId":1}').json.status).toBe(
      'adopted',
    )
    expect(ask(mock, 'GET', '/v2/animals?status=adopted').json).toHaveLength(1)
  })

  it('gives generated animals the new field and the new value', () => {
    const pets = generatePets({ seed: 1, count: 200 })
    expect(pets.some(({ breed }) => typeof breed === 'string' && breed.length <= 12)).toBe(true)
    const tags = pets.flatMap(({ tag }) => tag ?? [])
    expect(tags.length).toBeGreaterThan(0)
    expect(tags.filter((tag) => tag.length < 2 || tag.length > 3)).toEqual([])
    expect(pets.some(({ status }) => (status as string) === 'adopted')).toBe(true)
  })

  it('gives coverage the cells of the new operation, bound, field and value', () => {
    const mock = createMock()
    ask(mock, 'GET', '/v2/animals?limit=50&status=adopted')
    ask(mock, 'GET', '/v2/count')
    mock.answer({ method: 'DELETE', target: '/v2/pets/1', headers: { authorization: 'Bearer k' } })
    ask(
      mock,
      'POST',
      '/v2/animals',
      '{"name":"Rex","categoryId":1,"breed":"Much too long a breed"}',
    )
    const { cells, contract } = mock.control.coverage()
    expect(Object.keys(cells).filter((cell) => (cells[cell] ?? 0) > 0)).toEqual([
      ...[
        'countPets',
        'countPets.200',
        'listPets',
        'listPets.200',
        'listPets.limit=highest',
        'listPets.status=adopted',
      ],
      ...[
        'createPet',
        'createPet.400',
        'createPet.name=inside',
        'createPet.categoryId=inside',
        'createPet.status=absent',
      ],
      'createPet.breed=outside',
      'createPet.tag=absent',
      ...['deletePet', 'deletePet.204', 'deletePet.petId=inside'],
    ])
    expect(Object.keys(cells)).toEqual(
      expect.arrayContaining(['createPet.breed=highest', 'countPets.401']),
    )
    expect(contract).not.toBe(createOurs().control.coverage().contract)
  })

  it('gives the types the new field and the new value', () => {
    const types = readFileSync(join(copy, 'dist/types/shared.d.cts'), 'utf8')
    expect(types).toContain('breed?: string')
    expect(types).toMatch(/PetStatus = .*'adopted'/)
  })
})
