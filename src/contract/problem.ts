// Why something was refused, as data. `say` turns it into English, which nothing reads back.
import { MAX_PROBLEMS } from './limits.ts'

/** One reason for a refusal. A `path` is like `pets[3].status`; it is empty for a whole body. */
export type Problem = {
  readonly at?: { readonly file: string; readonly line?: number }
  /** The row of the timeline that is in the way. */
  readonly row?: number
  /** The function, flag or variable that got something wrong. */
  readonly caller?: string
} & (
  | Kind<'missing', { path: string }>
  /** Without `got` if it is a secret; with the valid values if they can be listed. */
  | Kind<
      'mismatch',
      Hints & { path: string; expected: string; got?: string; choices?: readonly string[] }
    >
  | Kind<'unknown-field', { path: string; name: string; known: readonly string[]; near?: string }>
  | Kind<'duplicate-id', { path: string; id: string; also: string }>
  /** `of` is the body of a request; absent for a file. */
  | Kind<'syntax', { of?: 'body'; found: string; line?: number; column?: number }>
  /** The path that the service compared: with a `baseUrl`, not what the client sent. */
  | Kind<'unknown-path', { compared: string }>
  /** `base` is the version segment that is missing or there twice; `prefix` is what precedes it. */
  | Kind<'near-path', { slip: PathSlip; near: string; base: string; prefix?: string }>
  | Kind<'not-found', { what: string; id: string; advice?: string }>
  | Kind<'too-large', { maxBytes: number }>
  | Kind<'fault', { status: number; reason: string }>
  | Kind<'text', { path?: string; text: string }>
  /** There are more problems than a message names. */
  | Kind<'more', object>
)

type Kind<Name, Fields> = { readonly kind: Name } & Readonly<Fields>
type Hints = { near?: string; advice?: string }
export type ProblemOf<Name> = Extract<Problem, { readonly kind: Name }>
export type PathSlip = 'base-missing' | 'base-twice' | 'prefix' | 'extra-slash' | 'case' | 'typo'
export type Problems = string | Problem | readonly (string | Problem)[]

export function listProblems(given: Problems): readonly Problem[] {
  const all = typeof given === 'string' || 'kind' in given ? [given] : given
  const listed: Problem[] = []
  for (const one of all) {
    if (isEnough(listed)) break
    listed.push(typeof one === 'string' ? { kind: 'text', text: one } : one)
  }
  if (isEnough(listed)) listed[MAX_PROBLEMS] = { kind: 'more' }
  return listed
}

/** One more than a message names, so that it can say that there are more. */
export const isEnough = (problems: readonly Problem[]): boolean => problems.length > MAX_PROBLEMS

/**
 * A problem as a sentence: `name is required`, `limit: expected an integer from 1 to 100, got 0`.
 */
export function say(problem: Problem): string {
  const { at, caller } = problem
  const sayKind = sentences[problem.kind] as (problem: Problem) => string
  let text = sayKind(problem)
  if (at !== undefined) text = `${at.file}:${at.line ?? ''} ${text}`
  return caller === undefined ? text : `${caller}: ${text}`
}

type Sentences = { readonly [Kind in Problem['kind']]: (problem: ProblemOf<Kind>) => string }

export const sentences: Sentences = {
  missing: ({ path }) => sayMissing(path),
  mismatch(problem) {
    const { path, expected, got, advice, near, caller } = problem
    let text = `expected ${expected}`
    if (got !== undefined) text += `, got ${got}`
    text += sayAdvice(advice) + sayNear(near)
    // The caller has named what has no path.
    const isNamed = path === '' && caller !== undefined
    return isNamed ? text : `${sayPath(path)}: ${text}`
  },
  'unknown-field'({ path, near, known }) {
    const names = joinWords(known, 'or') || 'no arguments'
    return `${sayPath(path)}: unknown field; ${sayMeant(near, `expected ${names}`)}`
  },
  'duplicate-id': ({ path, id, also }) => `${path}: duplicate id ${id} (also ${also})`,
  syntax(problem) {
    const found = sayFound(problem)
    return problem.of === undefined ? found : `The ${problem.of} is not valid JSON: ${found}`
  },
  'unknown-path': ({ compared }) => `Path not found: ${compared}`,
  'near-path'(problem) {
    let text = saySlip(problem)
    if (problem.prefix !== undefined) text += ` ${problem.prefix}`
    return text + sayNear(problem.near)
  },
  'not-found': ({ what, id, advice }) => `${what} ${id} not found${sayAdvice(advice)}`,
  'too-large': ({ maxBytes }) => `Body too large; the limit is ${maxBytes} bytes`,
  fault: ({ status, reason }) => `Deliberate fault: ${status} ${reason}`,
  text: ({ path, text }) => (path === undefined ? text : `${sayPath(path)}: ${text}`),
  more: () => 'and more',
}

export function sayFound(problem: ProblemOf<'syntax'>): string {
  const { line, column } = problem
  let text = problem.found
  if (line !== undefined) text += ` at line ${line}`
  if (column !== undefined) text += `, column ${column}`
  return text
}

export function saySlip(problem: ProblemOf<'near-path'>): string {
  const { slip, base } = problem
  const slips = {
    'base-missing': `Missing ${base}`,
    'base-twice': `${base} twice`,
    'extra-slash': 'Extra slash',
    prefix: 'Unknown prefix',
    case: 'Paths are case-sensitive',
    typo: 'Unknown path',
  } satisfies Record<PathSlip, string>
  return slips[slip]
}

const sayPath = (path: string): string => (path === '' ? 'body' : path)
export const sayMissing = (path: string): string => `${sayPath(path)} is required`

const sayAdvice = (advice?: string): string => (advice ? `; ${advice}` : '')
const sayNear = (near?: string): string => sayAdvice(sayMeant(near))
export function sayMeant(near = '', otherwise = ''): string {
  return near ? `did you mean ${near}?` : otherwise
}

export function addCaller(problems: readonly Problem[], caller: string): Problem[] {
  const nameCaller = (own?: string) => (own === undefined ? caller : `${caller}: ${own}`)
  return problems.map((problem) => ({ ...problem, caller: nameCaller(problem.caller) }))
}

export function joinWords(items: readonly string[], word: 'and' | 'or'): string {
  const others = items.slice(0, -1)
  const last = items.at(-1) ?? ''
  return others.length === 0 ? last : `${others.join(', ')} ${word} ${last}`
}

/**
 * `100,000` or `1 animal`. Intl would take longer to load than the rest of the command line's
 * banner.
 */
export function count(amount: number, noun?: string): string {
  const digits = String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')
  if (noun === undefined) return digits
  return `${digits} ${noun}${amount === 1 ? '' : 's'}`
}
