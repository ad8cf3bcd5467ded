import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../scenario/read.ts'
import { UNSAFE } from './to-visible.ts'
import { toYaml } from './to-yaml.ts'

const read = async (text: string) => (await readDocument(text, 'a.yaml')).value

describe('toYaml', () => {
  it('has a line for each animal and each fault', () => {
    const document = {
      name: 'sold-out',
      description: 'Every animal: sold',
      pets: [
        { id: 9223372036854775807n, name: 'Rex', categoryId: 3, status: 'sold' },
        { id: 2, name: 'No', categoryId: 1 },
      ],
      apiKeys: ['qa-key', 'b=='],
      now: '2030-12-06T00:00:00.000Z',
      frozen: true,
      latency: [20, 80],
      faults: [{ operation: '*', status: 503, rate: 0.5 }],
      assume: {},
    }
    expect(toYaml(document)).toBe(`name: sold-out
description: "Every animal: sold"
pets:
  - { id: 9223372036854775807, name: Rex, categoryId: 3, status: sold }
  - { id: 2, name: "No", categoryId: 1 }
apiKeys: [qa-key, "b=="]
now: "2030-12-06T00:00:00.000Z"
frozen: true
latency: [20, 80]
faults:
  - { operation: "*", status: 503, rate: 0.5 }
assume: {}
`)
  })

  it.each([[{ pets: [] }], [{ pets: [{}] }], [{ name: '', pets: [{ id: -1, name: '' }] }]])('loads back: %j', async (document) => {
    expect(await read(toYaml(document))).toEqual(document)
  })

  it('loads back whatever the texts are, and hides nothing in them', async () => {
    const names = fc.sample(fc.string({ unit: 'binary' }), 100)
    const document = { name: 'any', pets: names.map((name, id) => ({ id, name })) }
    const text = toYaml(document)
    expect(await read(text)).toEqual(document)
    expect(text.replaceAll('\n', '').search(UNSAFE)).toBe(-1)
  })
})
