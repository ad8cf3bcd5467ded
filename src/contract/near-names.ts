// Finds known names close to an unknown one, for "did you mean …?".
import { joinWords, sayMeant } from './problem.ts'

const MAX_NEAR = 5

/** The nearest first; none if all are far off. A name that is far too long, which anyone can send, is not compared. */
export function findNear(name: string, names: readonly string[]): string[] {
  const isClose = (one: string, distance: number) => distance <= Math.min(name.length, one.length) / 2
  return names
    .filter((one) => isClose(one, Math.abs(name.length - one.length)))
    .map((one) => ({ one, distance: toDistance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => isClose(one, distance))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_NEAR)
    .map(({ one }) => one)
}

function toDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const swap = (row[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[right.length] as number
}

/** What to say after an unknown name: `did you mean createPet?`, or `otherwise`, by default which names there are. */
export function suggest(name: string, names: readonly string[], otherwise = `expected ${joinWords(names, 'or')}`): string {
  return sayMeant(findNear(name, names)[0], otherwise)
}
