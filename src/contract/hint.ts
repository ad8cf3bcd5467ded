// What was probably meant by a name or a value that is not known.
import { findNear } from '../near-names.ts'
import type { Problem } from './problem.ts'

/** Names that other tools have for our fields. */
const OTHER_NAMES = new Map(Object.entries({ animals: 'pets', code: 'status', probability: 'rate', count: 'times', keys: 'apiKeys' }))

/** The problem with what was meant, if that can be guessed. */
export function addHint(problem: Problem): Problem {
  if (problem.kind === 'unknown-field') {
    const other = OTHER_NAMES.get(problem.name) ?? ''
    return withNear(problem, problem.known.includes(other) ? other : findNear(problem.name, problem.known)[0])
  }
  if (problem.kind !== 'mismatch') return problem
  const { path, got = '', choices = [] } = problem
  const isPercentage = /\brate$/.test(path) && Number(got) > 1 && Number(got) <= 100
  // A short text is shown as JSON.
  return withNear(problem, isPercentage ? String(Number(got) / 100) : findNear(got.replace(/^"(.*)"$/, '$1'), choices)[0])
}

function withNear(problem: Problem, near: string | undefined): Problem {
  return near === undefined ? problem : ({ ...problem, near } as Problem)
}
