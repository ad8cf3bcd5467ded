import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { toPetText } from '../contract/pet.ts'
import type { Int64, Pet } from '../generated/contract.ts'
import { createShelf, findText } from './catalogue.ts'

const toPet = (id: Int64): Pet => ({ id, name: 'Rex', categoryId: 1 })
const near = (middle: bigint) => fc.bigInt({ min: middle - 8n, max: middle + 8n })
const anyId = fc.oneof(
  near(0n),
  near(2n ** 53n),
  near(-(2n ** 53n)),
  near(2n ** 63n - 9n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)

it('finds the animals that are there by the digits of their ids, and no others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId), fc.array(anyId), (present, others) => {
      const inOrder = present.toSorted((left, right) => (left < right ? -1 : 1)).map(normalizeInt64)
      const shelf = createShelf(inOrder.map(toPet))
      for (const id of [...present, ...others]) {
        expect(findText(shelf, String(id))).toBe(present.includes(id) ? toPetText(toPet(normalizeInt64(id))) : undefined)
      }
    }),
  )
})
