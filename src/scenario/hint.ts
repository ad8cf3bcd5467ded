// What the tester probably meant by a wrong name or value in a file. Values get no hints: TypeScript gives them, and a page stays small.
import type { Problem } from '../contract/problem.ts'
import { findNear } from '../near-names.ts'

/** Names that other tools have for our fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  animals: 'pets',
  code: 'status',
  probability: 'rate',
  count: 'times',
  keys: 'apiKeys',
}

/** The problem with what was meant, if that can be guessed. */
export function addHint(problem: Problem): Problem {
  const near =
    problem.kind === 'unknown-field' ? findField(problem.name, problem.known) : problem.kind === 'mismatch' ? findValue(problem) : undefined
  return near === undefined ? problem : ({ ...problem, near } as Problem)
}

function findField(name: string, known: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
  return other !== undefined && known.includes(other) ? other : findClose(name, known)
}

function findValue({ path, got = '', choices }: Extract<Problem, { readonly kind: 'mismatch' }>): string | undefined {
  const value = parseShown(got)
  if (/\brate$/.test(path)) return typeof value === 'number' && value > 1 && value <= 100 ? String(value / 100) : undefined
  if (typeof value !== 'string') return undefined
  return choices && findClose(value, choices)
}

/** A short text or number is shown as JSON. */
function parseShown(got: string): unknown {
  try {
    return JSON.parse(got)
  } catch {
    return undefined
  }
}

function findClose(name: string, names: readonly string[]): string | undefined {
  // Too short to guess.
  return name.length < 3 ? undefined : findNear(name, names)[0]
}
