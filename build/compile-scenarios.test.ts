import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { compileScenarios } from './compile-scenarios.ts'
import { renderScenarioSchema } from './scenario-schema.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
let copy: string

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'compile-scenarios-'))
  cpSync(join(root, 'fixtures'), join(copy, 'fixtures'), { recursive: true })
  await compileScenarios(copy)
})
afterAll(() => rmSync(copy, { recursive: true }))

const read = (path: string) => readFileSync(join(copy, path), 'utf8')

describe('the compiled scenarios', () => {
  it('write integers beyond 2^53 as bigints, and others as numbers', () => {
    expect(read('src/scenario/generated/scenarios.ts')).toContain('"id": 9007199254740993n,')
    expect(read('src/scenario/generated/scenarios.ts')).toContain('"id": 9007199254740991,')
  })
})

describe('the schema for editors', () => {
  interface EditorSchema {
    description?: string
    properties?: Record<string, EditorSchema>
    items?: EditorSchema
  }
  const openapi = parse(readFileSync(join(root, 'spec/openapi.yaml'), 'utf8'))
  const schema = JSON.parse(renderScenarioSchema(openapi)) as EditorSchema & object
  const validate = new Ajv2020({ formats: { int64: true } }).compile(schema)

  it.each(readdirSync(join(root, 'fixtures')).filter((file) => file.endsWith('.yaml')))(
    'finds nothing wrong with %s, which refers to it',
    (file) => {
      const text = read(`fixtures/${file}`)
      const document = parse(text, { schema: 'core' })
      expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
      expect(document.$schema).toBe('./scenario.schema.json')
      expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/scenario\.schema\.json\n/)
    },
  )

  it.each([
    { pets: [{ id: 1, name: 'Rex' }] },
    { pets: [{ id: 1, name: 'Rex', categoryId: 1, status: 'gone' }] },
    { generate: { count: -1 } },
    { generate: { count: 1, status: { gone: 1 } } },
    { faults: [{ operation: 'nope', status: 500 }] },
    { faults: [{ operation: '*', delay: [1] }] },
    { assume: { paging: 'all' } },
    { colour: 'red' },
  ])('refuses %o', (document) => {
    expect(validate(document)).toBe(false)
  })

  it('describes every field, but for the weights, whose names say it', () => {
    const bare: string[] = []
    const visit = ({ properties = {}, items, ...rest }: EditorSchema, path: string) => {
      if (rest.description === undefined && !path.endsWith('[]')) bare.push(path)
      for (const [name, field] of Object.entries(properties)) visit(field, `${path}.${name}`)
      if (items) visit(items, `${path}[]`)
    }
    visit(schema, '')
    expect(bare).toEqual(
      ['available', 'pending', 'sold', 'absent'].map((name) => `.generate.status.${name}`),
    )
  })
})
