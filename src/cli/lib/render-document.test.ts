import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { UsageError } from '../../contract/errors.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { formatOf, renderDocument } from './render-document.ts'

const document = {
  name: 'all kinds',
  pets: [
    { id: 1n, name: `${'long '.repeat(60)}name`, categoryId: 9223372036854775807n },
    {
      id: 2n,
      name: '\u0000 ünïcode "quoted"\n: - # \u202e 🐈',
      categoryId: -9223372036854775808n,
      status: 'sold',
    },
    { id: 3n, name: 'yes', categoryId: 0n },
    { id: 4n, name: '0x1f', categoryId: 0n },
  ],
}

describe('renderDocument', () => {
  it('keeps every digit and character in YAML', async () => {
    const text = await renderDocument(document, 'yaml')
    expect(parse(text, { intAsBigInt: true })).toEqual(document)
    expect(text).not.toMatch(/[&*]a\d|>-/)
  })

  it.each(['json', 'yaml'] as const)(
    'escapes control characters in %s, and the text loads back',
    async (format) => {
      const controls = [
        '\u0085\u009b',
        '\u202e',
        '\u2028\u2029',
        '\u{e0001}\u{1d173}',
        '\u001b[2J',
        'a\nb',
      ]
      const names = [...controls, 'a\u200db: #', '\ufeff', 'ünïcode 🐈']
      const text = await renderDocument({ names }, format)
      expect(text).toMatch(/^[\n\x20-\x7eünï🐈]*$/u)
      expect(format === 'json' ? JSON.parse(text) : parse(text)).toEqual({ names })
    },
  )

  it('repeats equal values in YAML, without anchors', async () => {
    const pet = { id: 1 }
    expect(await renderDocument({ pets: [pet, pet] }, 'yaml')).toBe('pets:\n  - id: 1\n  - id: 1\n')
  })

  it('keeps every digit and character in JSON', async () => {
    const text = await renderDocument(document, 'json')
    expect(parseJson(text)).toEqual({
      ...document,
      pets: document.pets.map((pet) => ({
        ...pet,
        id: Number(pet.id),
        categoryId: pet.categoryId === 0n ? 0 : pet.categoryId,
      })),
    })
    expect(text.endsWith('}\n')).toBe(true)
  })
})

describe('formatOf', () => {
  it.each([
    ['a.json', 'json'],
    ['b/a.YAML', 'yaml'],
    ['a.yml', 'yaml'],
  ])('reads the format of %s as %s', (file, format) => {
    expect(formatOf(file)).toBe(format)
  })

  it.each(['a.txt', 'a', 'json'])('refuses %s', (file) => {
    expect(() => formatOf(file)).toThrow(
      new UsageError(`${file}: expected a file that ends in .json, .yaml or .yml`),
    )
  })
})
