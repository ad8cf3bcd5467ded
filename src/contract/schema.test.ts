import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brief } from '../../test/support/brief.ts'
import { contract } from './generated/contract.ts'
import { MAX_PROBLEMS } from './limits.ts'
import { isEnough, listProblems } from './problem.ts'
import {
  findViolations,
  describeSchema as inWords,
  mapOf,
  objectOf,
  type Schema,
} from './schema.ts'
import { describeValue } from './values.ts'

const schemas: Record<string, Schema> = {
  ...contract.schemas,
  limit: contract.operations.listPets.parameters[0].schema,
  word: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z🦊]+$' },
  weights: {
    type: 'object',
    properties: { a: { type: 'number', minimum: 0, maximum: 1 } },
    additionalProperties: { type: 'integer' },
  },
  closed: {
    type: 'object',
    properties: { a: { type: 'boolean' } },
    additionalProperties: false,
    required: ['a'],
  },
  pair: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
  either: { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] },
  constant: { const: 'x' },
}

describe('findViolations', () => {
  it('says of a whole number that lost digits how to write it', () => {
    const int64 = { type: 'integer', format: 'int64' } as const
    expect(findViolations(int64, 2 ** 60, 'id')).toEqual([
      {
        kind: 'mismatch',
        path: 'id',
        expected: inWords(int64),
        got: String(2 ** 60),
        advice: expect.any(String),
      },
    ])
    expect(findViolations(int64, 2n ** 60n, 'id')).toEqual([])
    expect(findViolations({ enum: [1] }, 2 ** 60)[0]).not.toHaveProperty('advice')
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
      fc.property(fc.oneof(value, near(schema)), (candidate) => {
        // Beyond 2^53 a double is no longer an exact integer; there we are the stricter ones.
        fc.pre(!/\d{16}|e\+/.test(JSON.stringify(candidate)))
        expect(findViolations(schema, candidate).length === 0).toBe(validate(candidate))
      }),
      { numRuns: 500 },
    )
  })

  it.each<[Schema, unknown, string[]]>([
    [{ type: 'string', writeOnly: true }, 7, ['mismatch']],
    [{ type: 'string', format: 'date-time' }, '2030-12-06T00:00:00Z', []],
    [{ type: 'string', format: 'uuid' }, 'tomorrow', []],
    [{ type: 'string', minLength: 2 }, 'ab', []],
    [{ type: 'string', maxLength: 1, pattern: '^.$' }, '🦊', []],
    [{ type: 'number' }, '1', ['mismatch "1"']],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, ['mismatch a number out of range']],
    [{ type: 'integer', format: 'int64' }, 2 ** 70, [`mismatch ${2 ** 70}`]],
    [{ type: 'integer' }, 2 ** 60, []],
    [{ type: 'integer' }, 5n, ['mismatch 5n, a bigint']],
    [{ type: 'integer', format: 'int64' }, 2n ** 63n - 1n, []],
    [{ type: 'integer', format: 'int64' }, 2n ** 63n, [`mismatch ${2n ** 63n}`]],
    [
      { type: 'array', items: { type: 'array', items: { type: 'boolean' } } },
      [[], [true, 0]],
      ['mismatch [1][1] 0'],
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
      },
      { a: { b: 1 } },
      ['unknown-field a.b'],
    ],
    [
      { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
      { a: undefined },
      ['missing a'],
    ],
    [{ type: 'object', properties: { toString: { type: 'boolean' } } }, {}, []],
    [{ type: 'object', properties: { a: {} }, additionalProperties: true }, { b: undefined }, []],
  ])('holds %j against %s', (schema, value, told) =>
    expect(findViolations(schema, value).map(brief)).toEqual(told),
  )

  it('finds the values of a map, and nothing that an object without required fields lacks', () => {
    const found = [[], { a: 1 }].flatMap((value) =>
      findViolations(mapOf({ type: 'boolean' }), value),
    )
    expect(found.map(brief)).toEqual(['mismatch a list of 0', 'mismatch a 1'])
    expect(objectOf([], {})).not.toHaveProperty('required')
  })

  it('begins its paths with the name that the value has', () => {
    const items = { type: 'array', items: { type: 'boolean' } }
    expect(findViolations(items, [1], 'flags').map(brief)).toEqual(['mismatch flags[0] 1'])
    expect(findViolations(schemas.closed as Schema, {}, 'one').map(brief)).toEqual([
      'missing one.a',
    ])
  })

  it('names a hundred violations, and does not look for many more', () => {
    const violations = findViolations(contract.schemas.Pets, Array(1_000_000).fill({}))
    expect(violations.length).toBeLessThan(MAX_PROBLEMS + 5)
    expect(listProblems(violations).slice(98).map(brief)).toEqual([
      'missing [32].categoryId',
      'missing [33].id',
      'more',
    ])
    const unknown = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]),
    )
    const others = findViolations(schemas.closed as Schema, unknown)
    expect(others).toHaveLength(MAX_PROBLEMS + 1)
    expect(listProblems(others).slice(99).map(brief)).toEqual(['unknown-field x98', 'more'])
    expect(listProblems(violations.slice(0, MAX_PROBLEMS))).toHaveLength(MAX_PROBLEMS)
    expect([isEnough(violations), isEnough(violations.slice(0, MAX_PROBLEMS))]).toEqual([
      true,
      false,
    ])
  })

  it('cuts a path that is as long as its sender likes', () => {
    const [violation] = findViolations(schemas.weights as Schema, { ['x'.repeat(1_000)]: 0.5 })
    expect(violation).toMatchObject({ path: `${'x'.repeat(200)}…`, got: '0.5' })
  })
})

describe('words', () => {
  it.each<[Schema, string]>([
    [{ type: 'array', minItems: 1 }, 'a list of at least 1 item'],
    [{ type: 'array', minItems: 1, maxItems: 1 }, 'a list of 1 item'],
    [{ type: 'array', minItems: 11, maxItems: 21 }, 'a list from 11 to 21 items'],
    [{ type: 'array' }, 'a list'],
    [{ type: 'integer', minimum: 7, maximum: 7 }, 'an integer of 7'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 'a number from 0 to 1'],
    [{ type: 'string' }, 'a string'],
    [
      { type: 'string', pattern: '^a$', minLength: 1 },
      'a string matching ^a$ of at least 1 character',
    ],
    [{ type: 'string', format: 'date-time' }, 'a date and time'],
    [{ type: 'object' }, 'an object'],
    [{}, 'JSON data'],
    [{ enum: ['a'] }, 'a'],
    [{ oneOf: [{ type: 'boolean' }, { type: 'object' }] }, 'a boolean or an object'],
  ])('%j asks for %s', (schema, words) => expect(inWords(schema)).toBe(words))

  it.each<[unknown, string]>([
    ['x'.repeat(99), `"${'x'.repeat(59)}…`],
    ['x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['x'.repeat(59), `"${'x'.repeat(59)}…`],
    [`${'x'.repeat(58)}🦊🦊🦊`, `"${'x'.repeat(58)}\ufffd…`],
    [Number.NEGATIVE_INFINITY, 'a number out of range'],
    [1.5, '1.5'],
    [null, 'null'],
    [true, 'true'],
    [new Error('a'), 'an instance of Error'],
    [new (class Unknown {})(), 'an instance of Unknown'],
    [new (class {})(), 'an object'],
    [new (class lower {})(), 'an object'],
    [Object.create(null), 'an object'],
    [Object.create(Object.create(null)), 'an object'],
    [Object.create({ constructor: { name: 'Two Words' } }), 'an object'],
    [Object.create({ constructor: { name: 7 } }), 'an object'],
    // biome-ignore lint/suspicious/noThenProperty: this is what a promise is known by.
    [{ then: 1 }, 'an object'],
    [[1, 2], 'a list of 2'],
    [{}, 'an object'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'a number out of range'],
    [503n, '503n, a bigint'],
    [undefined, 'nothing'],
    [() => 1, 'a function'],
    [Symbol('a'), 'a symbol'],
    [new Date(0), 'an instance of Date'],
    [Promise.resolve(), 'a promise; did you forget await?'],
    [2n ** 64n, '18446744073709551616'],
  ])('%s is shown as %s', (value, text) => expect(describeValue(value)).toBe(text))
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

/**
 * Values that fit a schema or nearly do: whatever is drawn at large seldom has two right fields at
 * once.
 */
function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: right(schema) }, { weight: 1, arbitrary: anything() })
}

function right({
  type,
  enum: words,
  const: only,
  oneOf,
  items,
  properties = {},
}: Schema): fc.Arbitrary<unknown> {
  if (oneOf) return fc.oneof(...oneOf.map(near))
  if (words) return fc.constantFrom(...words)
  if (only !== undefined) return fc.constant(only)
  if (type === 'array') return fc.array(near(items ?? {}), { maxLength: 4 })
  if (type === 'integer' || type === 'number')
    return fc.oneof(fc.integer({ min: -1, max: 2 }), fc.integer({ min: 99, max: 101 }))
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') return fc.string({ unit: fc.constantFrom('a', 'z', '🦊'), maxLength: 5 })
  const fields = Object.entries(properties).map(([name, field]) => [name, near(field)] as const)
  const record: Record<string, fc.Arbitrary<unknown>> = {
    ...Object.fromEntries(fields),
    other: anything(),
  }
  return fc.record(record, { requiredKeys: fields.slice(0, -1).map(([name]) => name) })
}
