// Why something was refused, as data. `say` turns every kind of problem into English; a problem of the kind `text` was written as a sentence
// where it was found. Nothing reads the English back.
import { MAX_PROBLEMS } from '../limits.ts'

/** Where in a file the problem is. */
interface Place {
  readonly file: string
  /** Absent in JSON. */
  readonly line?: number
}

/** One reason for a refusal. A `path` is like `pets[3].status`; it is empty for a whole body. */
export type Problem = {
  readonly at?: Place
  /** The function that was called with wrong options. */
  readonly caller?: string
} & (
  | { readonly kind: 'missing'; readonly path: string }
  | {
      readonly kind: 'mismatch'
      readonly path: string
      readonly expected: string
      /** Absent if it is a secret. */
      readonly got?: string
      /** The valid values, if they can be listed. */
      readonly choices?: readonly string[]
      /** What was probably meant. */
      readonly near?: string
      readonly advice?: string
    }
  | {
      readonly kind: 'unknown-field'
      readonly path: string
      readonly name: string
      readonly known: readonly string[]
      readonly near?: string
    }
  | { readonly kind: 'duplicate-id'; readonly path: string; readonly id: string; readonly also: string }
  /** `of` is the body of a request; absent for a file. */
  | { readonly kind: 'syntax'; readonly of?: 'body'; readonly found: string; readonly line?: number; readonly column?: number }
  /** The path that the service compared: with a `baseUrl`, not what the client sent. */
  | { readonly kind: 'unknown-path'; readonly compared: string }
  /** `base` is the version segment that is missing or there twice; `prefix` is what precedes it. */
  | { readonly kind: 'near-path'; readonly slip: PathSlip; readonly near: string; readonly base: string; readonly prefix?: string }
  | { readonly kind: 'not-found'; readonly what: string; readonly id: string }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'fault'; readonly status: number; readonly reason: string }
  /** Anything else, in words. */
  | { readonly kind: 'text'; readonly path?: string; readonly text: string }
  /** There are more problems than a message names. */
  | { readonly kind: 'more' }
)

/** What is wrong with a path that is nearly right. */
export type PathSlip = 'base-missing' | 'base-twice' | 'prefix' | 'extra-slash' | 'case' | 'typo'

/** A text counts as one problem. */
export type Problems = string | Problem | readonly (string | Problem)[]

/** What a field that is not a text takes at most: a list of names is shared. */
const FIELD_CHARACTERS = 32

/** The list that an error carries. */
export function listProblems(given: Problems): readonly Problem[] {
  const all = typeof given === 'string' || 'kind' in given ? [given] : given
  const listed = all.slice(0, MAX_PROBLEMS).map((one): Problem => (typeof one === 'string' ? { kind: 'text', text: one } : one))
  return all.length > MAX_PROBLEMS ? [...listed, { kind: 'more' }] : listed
}

/** Whether there are more problems than a message names. */
export function isEnough(problems: readonly Problem[]): boolean {
  return problems.length > MAX_PROBLEMS
}

/** A problem as a sentence: `name is required`, `limit: expected an integer from 1 to 100, got 0`. */
export function say(problem: Problem): string {
  const { at, caller } = problem
  const by = caller === undefined ? '' : `${caller}: `
  if (at === undefined) return by + sayWithoutPlace(problem)
  return `${by}${at.file}${at.line === undefined ? ':' : `:${at.line}`} ${sayWithoutPlace(problem)}`
}

function sayWithoutPlace(problem: Problem): string {
  switch (problem.kind) {
    case 'missing':
      return `${sayPath(problem.path)} is required`
    case 'mismatch': {
      const { path, expected, got, advice, near } = problem
      const rest = `${got === undefined ? '' : `, got ${got}`}${advice === undefined ? '' : `; ${advice}`}`
      return `${sayPath(path)}: expected ${expected}${rest}${sayNear(near)}`
    }
    case 'unknown-field':
      return `${sayPath(problem.path)}: unknown field${sayNear(problem.near) || `; expected ${joinWords(problem.known, 'or')}`}`
    case 'duplicate-id':
      return `${problem.path}: duplicate id ${problem.id} (also ${problem.also})`
    case 'syntax':
      return `${problem.of ? `The ${problem.of} is not valid JSON: ` : ''}${sayFound(problem)}`
    case 'unknown-path':
      return `Path not found: ${problem.compared}`
    case 'near-path':
      return `${saySlip(problem)}${problem.prefix === undefined ? '' : ` ${problem.prefix}`}; did you mean ${problem.near}?${sayTwice(problem)}`
    case 'not-found':
      return `${problem.what} ${problem.id} not found`
    case 'too-large':
      return `Body too large; the limit is ${problem.maxBytes} bytes`
    case 'fault':
      return `Deliberate fault: ${problem.status} ${problem.reason}`
    case 'text':
      return `${problem.path === undefined ? '' : `${sayPath(problem.path)}: `}${problem.text}`
    case 'more':
      return 'and more'
  }
}

/** What is wrong with a text, and where. */
export function sayFound({ found, line, column }: Extract<Problem, { readonly kind: 'syntax' }>): string {
  return `${found}${line === undefined ? '' : ` at line ${line}`}${column === undefined ? '' : `, column ${column}`}`
}

/** What is wrong with a path, without naming the right one: `Missing /v1`. */
export function saySlip({ slip, base }: { readonly slip: PathSlip; readonly base: string }): string {
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

/** A mock's `baseUrl` need not end in the version segment, but stands for it. */
function sayTwice({ slip, base }: { readonly slip: PathSlip; readonly base: string }): string {
  if (slip !== 'base-twice') return ''
  return ` The base address stands for ${base} already; leave it out of the path, or make it part of the mock's baseUrl`
}

function sayPath(path: string): string {
  return path === '' ? 'body' : path
}

function sayNear(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** How much room its texts take. */
export function countCharacters(problem: Problem): number {
  return Object.values(problem).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : FIELD_CHARACTERS), 0)
}

/** A list in words: `a, b or c`. */
export function joinWords(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3).toWellFormed()}…`
}
