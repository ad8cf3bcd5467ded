// What was probably meant by an unknown name, field or value.
import { joinWords, type Problem, type ProblemOf, sayMeant } from './problem.ts'

const MAX_NEAR = 5

/** The nearest first; none if all are far off. */
export function findNear(name: string, names: readonly string[]): string[] {
  const lower = name.toLowerCase()
  const near: { one: string; distance: number }[] = []
  for (const one of names) {
    const maxDistance = Math.min(name.length, one.length) / 2
    // Anyone can send a very long name, which would take long to compare.
    if (Math.abs(name.length - one.length) > maxDistance) continue
    const distance = measureDistance(lower, one.toLowerCase())
    if (distance <= maxDistance) near.push({ one, distance })
  }
  near.sort((left, right) => left.distance - right.distance)
  return near.slice(0, MAX_NEAR).map((found) => found.one)
}

/** Levenshtein's: how many letters must be added, left out or replaced. */
function measureDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      const replaced = (row[j - 1] as number) + (isSame ? 0 : 1)
      const removed = (row[j] as number) + 1
      const added = (next[j - 1] as number) + 1
      next.push(Math.min(replaced, removed, added))
    }
    row = next
  }
  return row[right.length] as number
}

/**
 * What to say after an unknown name: `did you mean createPet?`, or `otherwise`, by default which
 * names there are.
 */
export function suggest(
  name: string,
  names: readonly string[],
  otherwise = `expected ${joinWords(names, 'or')}`,
) {
  return sayMeant(findNear(name, names)[0], otherwise)
}

/** What people call our fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  animals: 'pets',
  code: 'status',
  probability: 'rate',
  count: 'times',
  keys: 'apiKeys',
  name: 'scenario',
}

/** The problem with what was probably meant. */
export function addHint(problem: Problem): Problem {
  if (problem.kind !== 'unknown-field' && problem.kind !== 'mismatch') return problem
  const near = problem.kind === 'mismatch' ? guessValue(problem) : guessField(problem)
  return near === undefined ? problem : { ...problem, near }
}

function guessField(problem: ProblemOf<'unknown-field'>): string | undefined {
  const { name, known } = problem
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
  if (other !== undefined && known.includes(other)) return other
  return findNear(name, known)[0]
}

function guessValue(problem: ProblemOf<'mismatch'>): string | undefined {
  const { path, got = '', choices = [] } = problem
  const amount = Number(got)
  const isPercentage = /\brate$/.test(path) && amount > 1 && amount <= 100
  // A division would give 0.33299999999999996 for 33.3.
  if (isPercentage) return String(Number(`${got}e-2`))
  // A short text is shown as JSON.
  return findNear(got.replace(/^"(.*)"$/, '$1'), choices)[0]
}
