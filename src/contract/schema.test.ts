import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contract } from '../generated/contract.ts'
import { excerpt, findViolations, describe as inWords, type Schema, toSentence } from './schema.ts'

const schemas: Record<string, Schema> = {
  ...contract.schemas,
  limit: contract.operations.listPets.parameters[0].schema,
  word: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z🦊]+$' },
  weights: { type: 'object', properties: { a: { type: 'number', minimum: 0, maximum: 1 } }, additionalProperties: { type: 'integer' } },
  closed: { type: 'object', properties: { a: { type: 'boolean' } }, additionalProperties: false, required: ['a'] },
  pair: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
  either: { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] },
  constant: { const: 'x' },
}

describe('findViolations', () => {
  const ajv = new Ajv2020({ strict: false, formats: { int64: true } })
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        id: anything(),
        name: anything(),
        categoryId: anything(),
        status: fc.oneof(anything(), fc.constantFrom('available', 'sold')),
        a: anything(),
        code: anything(),
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.integer({ min: -2, max: 120 }), { maxLength: 4 }),
    fc.string({ unit: fc.constantFrom('a', 'z', '🦊', 'A'), maxLength: 6 }),
  )

  it.each(Object.entries(schemas))('agrees with Ajv on %s', (_, schema) => {
    const validate = ajv.compile(schema)
    fc.assert(
      fc.property(value, (candidate) => {
        // Beyond 2^53 a double is no longer an exact integer; there we are the stricter ones.
        fc.pre(!/\d{16}|e\+/.test(JSON.stringify(candidate)))
        expect(findViolations(schema, candidate).length === 0).toBe(validate(candidate))
      }),
      { numRuns: 500 },
    )
  })

  it('names every violation with its place', () => {
    const violations = findViolations(contract.schemas.Pets, [
      { id: 1, name: 'Rex', categoryId: 1 },
      { id: '2', categoryId: 1.5, status: 'gone' },
    ])
    expect(violations.map(toSentence)).toEqual([
      '[1].id: expected a 64-bit integer, got "2"',
      '[1].name: expected a string, got nothing',
      '[1].categoryId: expected a 64-bit integer, got 1.5',
      '[1].status: expected available, pending or sold, got "gone"',
    ])
  })

  it('takes a bigint for an int64 within its bounds', () => {
    const schema = { type: 'integer', format: 'int64' }
    expect(findViolations(schema, 2n ** 63n - 1n)).toEqual([])
    expect(findViolations(schema, 2n ** 63n)).toHaveLength(1)
    expect(findViolations({ type: 'integer' }, 5n)).toHaveLength(1)
  })
})

describe('words', () => {
  it.each<[Schema, string]>([
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'an integer from 1 to 100'],
    [{ type: 'integer', minimum: 0 }, 'an integer of at least 0'],
    [{ type: 'integer', format: 'int64' }, 'a 64-bit integer'],
    [{ type: 'string', maxLength: 3 }, 'a string of at most 3 characters'],
    [{ enum: ['a'] }, 'a'],
    [{ oneOf: [{ type: 'boolean' }, { type: 'object' }] }, 'a boolean or an object'],
  ])('%j asks for %s', (schema, words) => expect(inWords(schema)).toBe(words))

  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    ['x'.repeat(99), `"${'x'.repeat(56)}…`],
    [[1, 2], 'a list of 2'],
    [{}, 'an object'],
    [Number.NaN, 'a number beyond what can be held'],
    [2n ** 64n, '18446744073709551616'],
  ])('%s is shown as %s', (value, text) => expect(excerpt(value)).toBe(text))
})

function anything() {
  return fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constant([]),
  )
}
