import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contract, type Pet } from '../../generated/contract.ts'
import { createSituation } from '../../world/situation.ts'
import { packSituation, unpackSituation } from './packed-situation.ts'

const status = fc.option(fc.constantFrom(...contract.schemas.PetStatus.enum), { nil: undefined })
const anyPet = fc.record({ id: fc.bigInt({ min: -5n, max: 2n ** 63n - 1n }), name: fc.string({ unit: 'grapheme' }), status })

function toPet({ id, name, status }: { id: bigint; name: string; status: Pet['status'] | undefined }): Pet {
  return { id, name, categoryId: 1, ...(status ? { status } : {}) }
}

it('brings a situation across as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(anyPet, { selector: ({ id }) => id }), async (pets) => {
      const situation = createSituation({ name: 'many', pets: pets.map(toPet), apiKeys: ['a', 'b'], latency: [1, 2], frozen: true })
      expect(await unpackSituation(structuredClone(packSituation(situation)))).toEqual(situation)
    }),
  )
})

it('brings a situation across that takes more than one piece', async () => {
  const pets = Array.from(
    { length: 25_000 },
    (_, id): Pet => toPet({ id: BigInt(id), name: `ü ${id}`, status: id % 3 === 0 ? 'sold' : undefined }),
  )
  const situation = createSituation({ pets })
  expect(await unpackSituation(structuredClone(packSituation(situation)))).toEqual(situation)
})
