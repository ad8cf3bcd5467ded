import { expect, it } from 'vitest'
import { shrink } from './surprise.ts'

const numbers = Array.from({ length: 100 }, (_, index) => index)

/** Fails with all of the guilty ones, and counts the tries. */
function createTrial(...guilty: number[]) {
  const trial = {
    tries: 0,
    async fails(part: readonly number[]) {
      trial.tries++
      return guilty.every((one) => part.includes(one))
    },
  }
  return trial
}

it.each([0, 49, 50, 99])(
  'shrink finds the one guilty surprise %i with two tries per halving',
  async (guilty) => {
    const trial = createTrial(guilty)
    expect(await shrink(numbers, trial.fails)).toEqual([guilty])
    expect(trial.tries).toBeLessThanOrEqual(14)
  },
)

it('shrink finds several surprises that make a test fail only together', async () => {
  expect(await shrink(numbers, createTrial(3, 58, 97).fails)).toEqual([3, 58, 97])
})

it('shrink returns the smallest failing set so far when no tries are left', async () => {
  let left = 2
  const fails = async (part: readonly number[]) => left-- > 0 && part.includes(7)
  expect(await shrink(numbers, fails)).toEqual(numbers.slice(0, 50))
})

it('shrink needs no try for a single suspect', async () => {
  expect(await shrink([1], () => Promise.reject(new Error('tried')))).toEqual([1])
})
