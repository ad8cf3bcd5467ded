import { en } from '@faker-js/faker'
import { describe, expect, it } from 'vitest'
import { findViolations, type Schema } from '../src/contract/schema.ts'
import { createValuePools } from './compile-pools.ts'

const fields: Record<string, Schema> = {
  breed: { type: 'string' },
  tag: { type: 'string', minLength: 30, maxLength: 32 },
  chip: { type: 'string', pattern: '^[0-9]{15}$' },
  born: { type: 'string', format: 'date-time' },
  grams: { type: 'integer', minimum: 20, maximum: 90000 },
  share: { type: 'number', minimum: 0, maximum: 1 },
  vaccinated: { type: 'boolean' },
  size: { type: 'string', enum: ['small', 'large'] },
  tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  owner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
}

describe('the pools of values', () => {
  const pools = createValuePools({ type: 'object', properties: fields })

  it.each(Object.entries(fields))('has valid values for the field %s', (name, schema) => {
    const pool = pools[name] ?? []
    expect(pool.length).toBeGreaterThan(1)
    expect(pool.flatMap((value) => findViolations(schema, value))).toEqual([])
  })

  it('has words where any text would do', () => {
    for (const word of pools.breed ?? []) expect(en.word?.noun).toContain(word)
  })

  it('has each value of an enumeration once', () => {
    expect([...(pools.size ?? [])].sort()).toEqual(['large', 'small'])
  })

  it('is the same every time', () => {
    expect(createValuePools({ type: 'object', properties: fields })).toEqual(pools)
  })

  it('stops at a required field that nothing can be found for', () => {
    const impossible: Schema = { type: 'object', required: ['odd'], properties: { odd: { type: 'string', minLength: 3, maxLength: 2 } } }
    expect(() => createValuePools(impossible)).toThrow('json-schema-faker finds no valid odd')
  })
})
