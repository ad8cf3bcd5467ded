import { describe, expect, it } from 'vitest'
import { briefOf } from '../../../test/support/brief.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { petSchema } from '../../contract/pet.ts'
import { findViolations } from '../../contract/schema.ts'
import { type GenerateOptions, generatePets } from './generate-pets.ts'

/** How often each value occurs; `undefined` counts the animals that lack the field. */
const countBy = (pets: readonly Pet[], field: 'status' | 'categoryId') => {
  const counts: Record<string, number> = {}
  for (const pet of pets) {
    const value = Object.hasOwn(pet, field) ? JSON.stringify(pet[field]) : 'undefined'
    counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

describe('a seed', () => {
  it('gives the animals of generate-pets.golden.json', async () => {
    const lines = generatePets({ seed: 7, count: 25 }).map((pet) => `  ${JSON.stringify(pet)}`)
    await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot('generate-pets.golden.json')
  })

  it('gives the same first animals for every count', () => {
    const many = generatePets({ seed: 3, count: 500 })
    for (const count of [0, 1, 2, 99])
      expect(generatePets({ seed: 3, count })).toEqual(many.slice(0, count))
  })
})

describe('generated animals', () => {
  const pets = generatePets({ seed: 11, count: 3000 })

  it('are valid by the contract', () => {
    expect(
      pets.flatMap((pet) => findViolations({ ...petSchema, additionalProperties: false }, pet)),
    ).toEqual([])
  })

  it('are of every status, and some have none', () => {
    const counts = countBy(pets, 'status')
    expect(Object.keys(counts).sort()).toEqual(['"available"', '"pending"', '"sold"', 'undefined'])
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(400)
  })

  it.each<[string, NonNullable<GenerateOptions['status']>, Record<string, number>]>([
    ['one status', { available: 0, pending: 0, sold: 1 }, { '"sold"': 400 }],
    ['two statuses', { available: 1, pending: 3 }, { '"available"': 100, '"pending"': 300 }],
    ['no status', { absent: 1 }, { undefined: 400 }],
    ['fractions', { sold: 0.25, absent: 0.75 }, { '"sold"': 100, undefined: 300 }],
    [
      'three statuses',
      { available: 5, pending: 2, sold: 1 },
      { '"available"': 250, '"pending"': 100, '"sold"': 50 },
    ],
    [
      'two statuses and no status',
      { available: 2, sold: 1, absent: 1 },
      { '"available"': 200, '"sold"': 100, undefined: 100 },
    ],
    [
      'all statuses and no status',
      { available: 1, pending: 4, sold: 2, absent: 1 },
      { '"available"': 50, '"pending"': 200, '"sold"': 100, undefined: 50 },
    ],
    ['small weights', { available: 0.001, sold: 0.001 }, { '"available"': 200, '"sold"': 200 }],
  ])('are spread over the statuses by weight: %s', (_, status, expected) => {
    const counts = countBy(generatePets({ count: 400, status }), 'status')
    expect(Object.keys(counts).sort()).toEqual(Object.keys(expected).sort())
    for (const [value, count] of Object.entries(expected))
      expect(Math.abs((counts[value] ?? 0) - count)).toBeLessThanOrEqual(30)
  })

  it('have exact ids beyond 2^53', () => {
    expect(
      generatePets({ count: 3, firstId: Number.MAX_SAFE_INTEGER }).map(({ id }) => id),
    ).toEqual([9007199254740991, 9007199254740992n, 9007199254740993n])
    expect(generatePets({ count: 1, firstId: 2n ** 63n - 1n }).map(({ id }) => id)).toEqual([
      9223372036854775807n,
    ])
  })
})

describe('generatePets', () => {
  it.each<[unknown, string]>([
    [{}, 'missing count'],
    [{ count: -1 }, 'mismatch count -1'],
    [{ count: 1.5 }, 'mismatch count 1.5'],
    [{ count: 10_000_001 }, 'mismatch count 10000001'],
    [{ count: 1, seed: 2 ** 53 }, 'mismatch seed 9007199254740992'],
    [{ count: 1, seed: 'x' }, 'mismatch seed "x"'],
    [{ count: 1, status: { gone: 1 } }, 'unknown-field status.gone'],
    [{ count: 1, status: { sold: 1e308 } }, 'mismatch status.sold 1e+308'],
    [{ count: 1, status: { sold: undefined } }, 'mismatch status none'],
    [{ count: 1, status: { sold: -1 } }, 'mismatch status.sold -1'],
    [{ count: 1, status: { sold: 5e-324 } }, 'mismatch status none'],
    [{ count: 1, status: { sold: 0 } }, 'mismatch status none'],
    [{ count: 2, firstId: 2n ** 63n - 1n }, 'mismatch firstId a last one of 9223372036854775808'],
    [{ count: 1, firstId: '1' }, 'mismatch firstId "1"'],
    [{ count: 1, firstId: 1.5 }, 'mismatch firstId 1.5'],
    [{ count: 1, first: 1 }, 'unknown-field first near firstId'],
  ])('refuses %o, and names the problem', (options, problem) => {
    expect(briefOf(() => generatePets(options as GenerateOptions))).toEqual([problem])
  })
})
