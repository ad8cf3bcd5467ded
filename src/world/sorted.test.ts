import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Int64 } from '../contract/generated/contract.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import * as sorted from './sorted.ts'

const {
  compareLists,
  createListBuilder,
  emptyList,
  entriesOf,
  findIn,
  lastKey,
  putIn,
  removeFrom,
  sliceList,
} = sorted
type Key = Int64 | string
type List = sorted.Sorted<Key, string>
type Model = ReadonlyMap<number, string>

const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index)
function buildList(keys: readonly Key[], values: readonly string[]): List {
  const list = createListBuilder<Key, string>()
  for (const [index, key] of keys.entries()) list.add(key, values[index] as string)
  return list.build()
}
const build = (count: number): List => buildList(numbers(count), numbers(count).map(String))
const lastOf = ({ chunks }: List) => chunks.at(-1)
const isTight = (list: List) =>
  lastOf(list)?.keys.length === list.lastLength && lastOf(list)?.values.length === list.lastLength

/**
 * Puts and removals, of one or of a run longer than a chunk, from the last list or from any earlier
 * one.
 */
const step = fc.record({
  isRemoval: fc.boolean(),
  at: fc.oneof(fc.nat(3_000), fc.constantFrom(511, 512, 513, 1_023, 1_024, 1_025, 3_001)),
  length: fc.constantFrom(1, 1, 1, 2, 600),
  by: fc.constantFrom(1, 2),
  base: fc.option(fc.nat(), { freq: 4, nil: undefined }),
})

describe.each<[of: string, toKey: (index: number) => Key]>([
  // Numbers up to 2^53, bigints beyond.
  ['ids', (index) => normalizeInt64(2n ** 53n - 700n + BigInt(index))],
  ['targets', (index) => `${String(index).padStart(4, '0')}?`],
])('a list of %s', (_, toKey) => {
  const inOrder = (model: Model) => [...model].sort(([one], [other]) => one - other)
  const print = (entries: readonly (readonly [unknown, unknown])[]) =>
    entries.map(([key, value]) => `${key}=${value}`).join()

  function expectSame(list: List, model: Model): void {
    const expected = inOrder(model)
    expect(print(entriesOf(list))).toBe(
      print(expected.map(([index, value]) => [toKey(index), value])),
    )
    expect([list.size, lastKey(list)]).toEqual([
      model.size,
      expected.length ? toKey(expected.at(-1)?.[0] as number) : undefined,
    ])
    const sizes = [...list.chunks.slice(0, -1).map(({ keys }) => keys.length), list.lastLength]
    expect(Math.max(...sizes) <= sorted.CHUNK_SIZE && !sizes.slice(0, -1).includes(0)).toBe(true)
    const wrong = [...model.keys(), -1, 5_000, 777].filter(
      (index) => findIn(list, toKey(index)) !== model.get(index),
    )
    expect(wrong).toEqual([])
  }

  it('has the same entries as a map, whatever was done in whatever order, and stays as it was when others are made of it', () => {
    const given = fc.record({
      size: fc.constantFrom(0, 3, 511, 512, 513, 1_024, 1_025, 1_500),
      steps: fc.array(step, { maxLength: 12 }),
    })
    fc.assert(
      fc.property(
        given,
        fc.nat(),
        fc.nat(2_200),
        fc.nat(1_500),
        ({ size, steps }, other, from, count) => {
          const model = new Map(numbers(size).map((index) => [2 * index, 'first']))
          const built = buildList([...model.keys()].map(toKey), [...model.values()])
          const made: [List, Model][] = [[built, model]]
          for (const [nth, { isRemoval, at, length, by, base }] of steps.entries()) {
            let [list, entries] = made[
              base === undefined ? made.length - 1 : base % made.length
            ] as [List, Map<number, string>]
            entries = new Map(entries)
            for (let index = at; index < at + length * by; index += by) {
              list = isRemoval
                ? removeFrom(list, toKey(index))
                : putIn(list, toKey(index), `at ${nth}`)
              if (isRemoval) entries.delete(index)
              else entries.set(index, `at ${nth}`)
            }
            made.push([list, entries])
          }
          for (const [list, entries] of made) expectSame(list, entries)
          expect([isTight(built), isTight(emptyList())]).toEqual([true, true])
          const [[one, before], [last, after]] = [made[other % made.length], made.at(-1)] as [
            [List, Model],
            [List, Model],
          ]
          const differing = inOrder(new Map([...before, ...after])).filter(
            ([index]) => before.get(index) !== after.get(index),
          )
          const compared = compareLists(one, last).map(
            ({ key, before: old, after: now }) => [key, `${old} → ${now}`] as const,
          )
          expect(print(compared)).toBe(
            print(
              differing.map(([index]) => [
                toKey(index),
                `${before.get(index)} → ${after.get(index)}`,
              ]),
            ),
          )
          const values = inOrder(after).map(([, value]) => value)
          expect(sliceList(last, from, from + count)).toEqual(values.slice(from, from + count))
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('a list', () => {
  it('is cut at the borders of its chunks', () => {
    const list = putIn(build(1_024), 1_024, '1024')
    const all = numbers(1_025).map(String)
    for (const from of [0, 3, 511, 512, 1_023, 1_024, 1_025]) {
      for (const count of [0, 1, 2, 512, 9_999])
        expect(sliceList(list, from, from + count)).toEqual(all.slice(from, from + count))
    }
    expect([sliceList(list), sliceList(emptyList())]).toEqual([all, []])
  })

  it('shares its last chunk with the list that an entry is added to, but not with a second one, nor with one that was built', () => {
    const [built, own, next] = [
      build(3),
      putIn(emptyList<Key, string>(), 0, 'zero'),
      putIn(build(512), 512, '512'),
    ]
    const [one, other] = [putIn(own, 1, 'one'), putIn(own, 1, 'other')]
    expect([one, other].map((list) => lastOf(list) === lastOf(own))).toEqual([true, false])
    expect([built, next].map((list) => lastOf(putIn(list, 513, '513')) === lastOf(list))).toEqual([
      false,
      true,
    ])
    expect([own, one, other, built].map((list) => sliceList(list))).toEqual([
      ['zero'],
      ['zero', 'one'],
      ['zero', 'other'],
      ['0', '1', '2'],
    ])
    expect(compareLists(one, own)).toEqual([{ key: 1, before: 'one', after: undefined }])
  })

  it('copies one chunk at a change, and none where nothing changes; an empty one goes', () => {
    expect(
      numbers(512).reduce<List>((list, key) => removeFrom(list, key), build(1_024)).chunks,
    ).toHaveLength(1)
    const list = build(1_600)
    const changed = putIn(list, 600, 'other')
    expect(list.chunks.map((chunk, index) => chunk === changed.chunks[index])).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect([removeFrom(list, 9_999) === list, compareLists(list, list)]).toEqual([true, []])
    expect(compareLists(list, changed)).toEqual([{ key: 600, before: '600', after: 'other' }])
  })
})
