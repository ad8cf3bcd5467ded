// What the tester probably meant by a wrong name or value in a file. Values get no hints: TypeScript gives them, and a page stays small.
import type { Violation } from '../contract/schema.ts'
import { findNear } from '../near-names.ts'
import { describeProblem } from './check.ts'

/** Names that other tools have for our fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  animals: 'pets',
  code: 'status',
  probability: 'rate',
  count: 'times',
  keys: 'apiKeys',
}
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, sec: 1_000, m: 60_000, min: 60_000 }

/** A problem in words, with a hint if there is one: `…; did you mean pets?` */
export function describeWithHint(violation: Violation): string {
  const meant = 'known' in violation ? findField(violation) : 'got' in violation ? findValue(violation) : undefined
  return `${describeProblem(violation)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

function findField({ path, known }: Extract<Violation, { readonly known: unknown }>): string | undefined {
  const name = /[^.\]]*$/.exec(path)?.[0] ?? ''
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
  return other !== undefined && known.includes(other) ? other : findClose(name, known)
}

function findValue({ path, expected, got }: Extract<Violation, { readonly got: unknown }>): string | undefined {
  const field = /(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? ''
  const percent = Number(got)
  if (field === 'rate') return Number.isInteger(percent) && percent > 1 && percent <= 100 ? String(percent / 100) : undefined
  const text = /^"(.*)"$/.exec(got)?.[1]
  if (text === undefined) return undefined
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(text) ?? []
  const isTime = field === 'delay' || field === 'latency'
  if (isTime && count !== undefined && Object.hasOwn(MILLISECONDS, unit))
    return `${Number(count) * (MILLISECONDS[unit] as number)} (milliseconds)`
  // Only a list of names has a comma or an "or".
  const names = expected.split(/, or a file|, | or /)
  return names.length > 1 ? findClose(text, names) : undefined
}

function findClose(name: string, names: readonly string[]): string | undefined {
  // Too short to guess.
  return name.length < 3 ? undefined : findNear(name, names)[0]
}
