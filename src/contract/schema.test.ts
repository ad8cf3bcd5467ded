import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contract } from '../generated/contract.ts'
import { MAX_PROBLEMS } from '../limits.ts'
import { excerpt } from './describe-value.ts'
import { findViolations, describe as inWords, type Schema, toSentence, toSentences } from './schema.ts'

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
  it('says of a whole number that lost digits how to write it', () => {
    const int64 = { type: 'integer', format: 'int64' } as const
    expect(findViolations(int64, 2 ** 60, 'id')).toEqual([
      { path: 'id', problem: `expected ${inWords(int64)}, got ${2 ** 60}; write a number this large as a bigint` },
    ])
    expect(findViolations(int64, 2n ** 60n, 'id')).toEqual([])
  })

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
      '[1].name is required',
      '[1].categoryId: expected a 64-bit integer, got 1.5',
      '[1].status: expected available, pending or sold, got "gone"',
    ])
  })

  it('names the first hundred violations, and counts the others', () => {
    const violations = findViolations(contract.schemas.Pets, Array(1_000).fill({}))
    expect(violations).toHaveLength(MAX_PROBLEMS + 1)
    expect(toSentences(violations).slice(98)).toEqual(['[32].categoryId is required', '[33].id is required', 'and 2900 more'])
    const unknown = findViolations(
      schemas.closed as Schema,
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x${index}`, 1])),
    )
    expect(toSentences(unknown).slice(99)).toEqual(['x98: unknown field; expected a', 'and 2 more'])
  })

  it('names a hundred violations of several findings together', () => {
    const sixty = findViolations(contract.schemas.Pets, Array(20).fill({}))
    expect(toSentences(sixty)).toHaveLength(60)
    expect(toSentences([...sixty, ...sixty]).slice(99)).toEqual(['[13].id is required', 'and 20 more'])
    const many = findViolations(contract.schemas.Pets, Array(1_000).fill({}))
    expect(toSentences([...many, ...sixty, ...many]).slice(100)).toEqual([`and ${2 * 2_900 + 160} more`])
  })

  it('cuts a path that is as long as its sender likes', () => {
    const [violation] = findViolations(schemas.weights as Schema, { ['x'.repeat(1_000)]: 0.5 })
    expect(violation && toSentence(violation)).toBe(`${'x'.repeat(197)}…: expected an integer, got 0.5`)
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
    [{ type: 'string', pattern: '^a$' }, 'a string matching ^a$'],
    [{ type: 'array', minItems: 1 }, 'a list of at least 1 item'],
    [{ type: 'array', minItems: 2, maxItems: 2 }, 'a list of 2 items'],
    [{ enum: ['a'] }, 'a'],
    [{ oneOf: [{ type: 'boolean' }, { type: 'object' }] }, 'a boolean or an object'],
  ])('%j asks for %s', (schema, words) => expect(inWords(schema)).toBe(words))

  it.each<[unknown, string]>([
    ['x'.repeat(99), `"${'x'.repeat(56)}…`],
    [[1, 2], 'a list of 2'],
    [{}, 'an object'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'a number out of range'],
    [503n, '503n, a bigint'],
    [undefined, 'nothing'],
    [() => 1, 'a function'],
    [Symbol('a'), 'a symbol'],
    [new Date(0), 'a Date'],
    [new Uint8Array(2), 'a Uint8Array'],
    [Promise.resolve(), 'a promise; did you forget await?'],
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
