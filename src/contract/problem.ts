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
type ProblemOf<Name> = Extract<Problem, { readonly kind: Name }>
export type PathSlip = 'base-missing' | 'base-twice' | 'prefix' | 'extra-slash' | 'case' | 'typo'
export type Problems = string | Problem | readonly (string | Problem)[]

const MAX_NEAR = 5

export function listProblems(given: Problems): readonly Problem[] {
  const all = typeof given === 'string' || 'kind' in given ? [given] : given
  const toProblem = (one: string | Problem): Problem =>
    typeof one === 'string' ? { kind: 'text', text: one } : one
  const listed = all.slice(0, MAX_PROBLEMS).map(toProblem)
  return all.length > MAX_PROBLEMS ? [...listed, { kind: 'more' }] : listed
}

export const isEnough = (problems: readonly Problem[]): boolean => problems.length > MAX_PROBLEMS

/**
 * A problem as a sentence: `name is required`, `limit: expected an integer from 1 to 100, got 0`.
 */
export function say(problem: Problem): string {
  const { at, caller } = problem
  const by = caller === undefined ? '' : `${caller}: `
  const place = at === undefined ? '' : `${at.file}:${at.line ?? ''} `
  return by + place + (sentences[problem.kind] as (problem: Problem) => string)(problem)
}

export const sentences: {
  readonly [Kind in Problem['kind']]: (problem: ProblemOf<Kind>) => string
} = {
  missing: ({ path }) => sayMissing(path),
  mismatch({ path, expected, got, advice, near, caller }) {
    // The caller has named what has no path.
    const place = path === '' && caller !== undefined ? '' : `${sayPath(path)}: `
    const instead = got === undefined ? '' : `, got ${got}`
    return `${place}expected ${expected}${instead}${sayAdvice(advice)}${sayNear(near)}`
  },
  'unknown-field': ({ path, near, known }) =>
    `${sayPath(path)}: unknown field; ${sayMeant(near, `expected ${joinWords(known, 'or') || 'no arguments'}`)}`,
  'duplicate-id': ({ path, id, also }) => `${path}: duplicate id ${id} (also ${also})`,
  syntax: (problem) =>
    `${problem.of ? `The ${problem.of} is not valid JSON: ` : ''}${sayFound(problem)}`,
  'unknown-path': ({ compared }) => `Path not found: ${compared}`,
  'near-path'(problem) {
    const { prefix, near } = problem
    return `${saySlip(problem)}${prefix === undefined ? '' : ` ${prefix}`}${sayNear(near)}`
  },
  'not-found': ({ what, id, advice }) => `${what} ${id} not found${sayAdvice(advice)}`,
  'too-large': ({ maxBytes }) => `Body too large; the limit is ${maxBytes} bytes`,
  fault: ({ status, reason }) => `Deliberate fault: ${status} ${reason}`,
  text: ({ path, text }) => `${path === undefined ? '' : `${sayPath(path)}: `}${text}`,
  more: () => 'and more',
}

export const sayFound = ({ found, line, column }: ProblemOf<'syntax'>): string =>
  `${found}${line === undefined ? '' : ` at line ${line}`}${column === undefined ? '' : `, column ${column}`}`

export function saySlip({ slip, base }: ProblemOf<'near-path'>): string {
  const slips = {
    'base-missing': `Missing ${base}`,
    'base-twice': `${base} twice`,
    'extra-slash': 'Extra slash',
    prefix: 'Unknown prefix',
    case: 'Paths are case-sensitive',
    typo: 'Unknown path',
  }
  return slips[slip]
}

const sayPath = (path: string): string => (path === '' ? 'body' : path)
export const sayMissing = (path: string): string => `${sayPath(path)} is required`

const sayAdvice = (advice?: string): string => (advice ? `; ${advice}` : '')
const sayNear = (near?: string): string => sayAdvice(sayMeant(near))
export const sayMeant = (near = '', otherwise = ''): string =>
  near ? `did you mean ${near}?` : otherwise

export const addCaller = (problems: readonly Problem[], caller: string): Problem[] =>
  problems.map((one) => ({
    ...one,
    caller: one.caller === undefined ? caller : `${caller}: ${one.caller}`,
  }))

export const joinWords = (items: readonly string[], word: 'and' | 'or'): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`

/**
 * `100,000` or `1 animal`. Intl would take longer to load than the rest of the command line's
 * banner.
 */
export function count(amount: number, noun?: string): string {
  const digits = String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return noun === undefined ? digits : `${digits} ${noun}${amount === 1 ? '' : 's'}`
}

/**
 * The nearest first; none if all are far off. A name that is far too long, which anyone can send,
 * is not compared.
 */
export function findNear(name: string, names: readonly string[]): string[] {
  const isClose = (one: string, distance: number) =>
    distance <= Math.min(name.length, one.length) / 2
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

const OTHER_NAMES = {
  animals: 'pets',
  code: 'status',
  probability: 'rate',
  count: 'times',
  keys: 'apiKeys',
}

export function addHint(problem: Problem): Problem {
  if (problem.kind === 'unknown-field') {
    const other = new Map(Object.entries(OTHER_NAMES)).get(problem.name) ?? ''
    return withNear(
      problem,
      problem.known.includes(other) ? other : findNear(problem.name, problem.known)[0],
    )
  }
  if (problem.kind !== 'mismatch') return problem
  const { path, got = '', choices = [] } = problem
  const isPercentage = /\brate$/.test(path) && Number(got) > 1 && Number(got) <= 100
  // A short text is shown as JSON.
  const near = isPercentage
    ? String(Number(`${got}e-2`))
    : findNear(got.replace(/^"(.*)"$/, '$1'), choices)[0]
  return withNear(problem, near)
}

const withNear = (problem: Problem, near?: string) =>
  near === undefined ? problem : ({ ...problem, near } as Problem)
