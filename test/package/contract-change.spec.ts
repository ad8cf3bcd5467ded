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
let createMock: (options?: MockOptions) => Mock
let generatePets: (options: { seed: number; count: number }) => (Pet & { breed?: string })[]

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
      filter: (path) => !path.includes('generated'),
    })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const yaml = join(copy, 'spec/openapi.yaml')
  const changed = readFileSync(yaml, 'utf8')
    .replace('maximum: 100', 'maximum: 50')
    .replace('enum: [available, pending, sold]', 'enum: [available, pending, sold, adopted]')
    .replace(
      '    Pet:\n',
      '        breed:\n          type: string\n          maxLength: 12\n    Pet:\n',
    )
    .replaceAll('/v1', '/v2')
    .replace('  /pets:\n', `${COUNT_PETS}  /animals:\n`)
  for (const part of ['maximum: 50', 'sold, adopted]', 'breed:', '/v2', '/animals:'])
    expect(changed).toContain(part)
  writeFileSync(yaml, changed)
  addOperation()
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
function addOperation(): void {
  writeFileSync(
    join(copy, 'src/operations/count-pets.ts'),
    `// countPets: how many animals there are.
import type { Operation } from './operation.ts'

export const countPets: Operation<'countPets'> = (_, { state }) => ({ body: JSON.stringify({ count: state.catalogue.all.size }), state })
`,
  )
  const table = join(copy, 'src/service/operations/index.ts')
  const text = readFileSync(table, 'utf8')
  writeFileSync(
    table,
    `import { countPets } from './count-pets.ts'\n${text.replace('= { listPets,', '= { countPets, listPets,')}`,
  )
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
    expect(pets.some(({ status }) => (status as string) === 'adopted')).toBe(true)
  })

  it('gives coverage the cells of the new operation, bound, field and value', () => {
    const mock = createMock()
    ask(mock, 'GET', '/v2/animals?limit=50&status=adopted')
    ask(mock, 'GET', '/v2/count')
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
