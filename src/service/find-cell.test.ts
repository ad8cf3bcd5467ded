import { describe, expect, it } from 'vitest'
import { compileCoverage } from '../../build/compile-coverage.ts'
import type { CompiledSchema } from '../../build/read-contract.ts'
import { type Field, findCell } from './find-cell.ts'

interface NamedField {
  readonly field: Field
  /** Of the cells, by their numbers. */
  readonly names: readonly string[]
}

/** The field that the build makes of a schema. */
function fieldOf(schema: CompiledSchema, place: 'query' | 'path' | 'body'): NamedField {
  const body = {
    required: true,
    mediaTypes: [],
    schemaName: 'Body',
    schema: { properties: { field: schema } },
  }
  const operation = {
    operationId: 'try',
    method: 'GET',
    path: '/try',
    deprecated: false,
    sunset: null,
    parameters: place === 'body' ? [] : [{ name: 'field', in: place, required: false, schema }],
    body: place === 'body' ? body : null,
    success: 200,
    statuses: [200],
  }
  const { cells, operations } = compileCoverage({
    title: 'Try',
    version: '1',
    basePath: '/v1',
    operations: { try: operation },
    schemas: {},
  })
  const fields = [...(operations.try?.parameters ?? []), ...(operations.try?.bodyFields ?? [])]
  return { field: fields[0] as Field, names: cells }
}

const classOf = ({ field, names }: NamedField, value: unknown) =>
  names[findCell(field, value) ?? -1]?.slice('try.field='.length)
const classesOf = ({ field: { cells, values = {} }, names }: NamedField) =>
  [...Object.values(cells), ...Object.values(values)].map((cell) =>
    names[cell]?.slice('try.field='.length),
  )
const INT64_MAX = 2n ** 63n - 1n

/** A schema, its classes in the order of the report, and values of each. */
const BODY: [string, CompiledSchema, Record<string, unknown[]>][] = [
  [
    'text',
    { type: 'string' },
    {
      absent: [undefined],
      lowest: [''],
      inside: ['absent', 'lowest', '\u{1f98a}'],
      malformed: [null, 7, {}],
    },
  ],
  [
    'bounded text',
    { type: 'string', minLength: 2, maxLength: 4 },
    {
      absent: [undefined],
      lowest: ['ab', '\u{1f98a}\u{1f98a}'],
      highest: ['abcd', '\u{1f98a}'.repeat(4)],
      inside: ['abc'],
      outside: ['', 'a', '\u{1f98a}', 'abcde'],
      malformed: [1n, [], true],
    },
  ],
  [
    'enumeration',
    { type: 'string', enum: ['sold', 'pending'] },
    {
      absent: [undefined],
      sold: ['sold'],
      pending: ['pending'],
      outside: ['Sold', '', 'outside', 'constructor'],
      malformed: [null, 1],
    },
  ],
  [
    'int64',
    { type: 'integer', format: 'int64' },
    {
      absent: [undefined],
      lowest: [-(2n ** 63n)],
      highest: [INT64_MAX],
      inside: [0, -1, 2n ** 62n],
      outside: [2n ** 63n, -(2n ** 63n) - 1n, 1e30],
      malformed: ['1', 1.5, null, Number.POSITIVE_INFINITY, {}],
    },
  ],
  [
    'plain integer',
    { type: 'integer' },
    { absent: [undefined], inside: [0, 2n ** 70n], malformed: [0.5, '0'] },
  ],
  [
    'bounded below',
    { type: 'integer', minimum: 0 },
    { absent: [undefined], lowest: [0], inside: [1], outside: [-1], malformed: [true] },
  ],
]

describe('a body field', () => {
  it.each(BODY)('that is %s', (_, schema, classes) => {
    const field = fieldOf(schema, 'body')
    expect(classesOf(field).sort()).toEqual(Object.keys(classes).sort())
    for (const [name, values] of Object.entries(classes))
      for (const value of values) expect([value, classOf(field, value)]).toEqual([value, name])
  })
})

describe('a parameter', () => {
  it.each<[text: string, name: string]>([
    ['1', 'lowest'],
    ['100', 'highest'],
    ['20', 'inside'],
    ['0', 'outside'],
    ['-5', 'outside'],
    [`1${'0'.repeat(400)}`, 'outside'],
    ['', 'malformed'],
    ['abc', 'malformed'],
    ['005', 'malformed'],
    ['1.0', 'malformed'],
    [' 5', 'malformed'],
  ])('between 1 and 100 sent as %j is %s', (text, name) => {
    expect(classOf(fieldOf({ type: 'integer', minimum: 1, maximum: 100 }, 'query'), text)).toBe(
      name,
    )
  })

  it.each<[text: string, name: string]>([
    [String(INT64_MAX), 'highest'],
    [String(INT64_MAX + 1n), 'outside'],
    ['-9223372036854775808', 'lowest'],
    ['7', 'inside'],
    ['abc', 'malformed'],
  ])('of 64 bits sent as %s is %s', (text, name) => {
    expect(classOf(fieldOf({ type: 'integer', format: 'int64' }, 'path'), text)).toBe(name)
  })

  it('in a path is never absent', () => {
    expect(classesOf(fieldOf({ type: 'integer' }, 'path'))).toEqual(['inside', 'malformed'])
  })
})
