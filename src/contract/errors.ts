// The two kinds of error that are not bugs: the service refuses a request, and a tester makes a
// mistake.
import type { AssumptionId } from './generated/contract.ts'
import { listProblems, type Problem, type Problems, say } from './problem.ts'
import { addHint, suggest } from './suggest.ts'
import { describeValue } from './values.ts'

type Details = Partial<Pick<ApiError, 'headers' | 'assumption'>>

/**
 * The service refuses a request: thrown anywhere below the service, turned into a response in one
 * place.
 */
export class ApiError extends Error {
  readonly status: number
  readonly problems: readonly Problem[]
  readonly headers: Readonly<Record<string, string>>
  /** The assumption that this refusal depends on, if the contract does not ask for it. */
  readonly assumption: AssumptionId | undefined

  constructor(status: number, given: Problems, details: Details = {}) {
    // Refusals are routine, and collecting a stack would be most of the cost of one.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    const problems = listProblems(given)
    super(problems.map(say).join('; '))
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.problems = problems
    this.headers = details.headers ?? {}
    this.assumption = details.assumption
  }
}

export const BUG = /* @__PURE__ */ new ApiError(500, 'Bug in the mock; see its log', {
  headers: { 'X-Mock-Bug': '1' },
})

/** A tester's mistake, here or at a remote mock. It says what is wrong, where, and what to do. */
export class UsageError extends Error {
  /**
   * By its name, since the ES modules and the CommonJS files of the package have separate classes.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UsageError'
  }

  override readonly name = 'UsageError'
  /** Every problem that was found; the message says them, one line each. */
  readonly problems: readonly Problem[]
  /** The status of the control API's response; 0 if no mock responded. */
  readonly status: number

  constructor(given: Problems, status = 400, message?: string) {
    const listed = listProblems(given)
    // A message from another mock already has its hints.
    const problems = message === undefined ? listed.map(addHint) : listed
    super(message ?? problems.map(say).join('\n'))
    this.problems = problems
    this.status = status
  }
}

/** What a client is told: an `ApiError`, or a `UsageError`, which has no headers. */
export type Refusal = Pick<ApiError, 'status' | 'message' | 'problems'> &
  Partial<Pick<ApiError, 'headers' | 'assumption'>>

/** Anything else is our bug: the client gets a 500, and the log gets the stack. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof ApiError || error instanceof UsageError) return error
  console.error(error)
  return BUG
}

/** `got` is left out if it is a secret. */
export function mismatch(
  path: string,
  expected: string,
  given: { got?: unknown; caller?: string; advice?: string; near?: string } = {},
): UsageError {
  const { got, ...by } = given
  const problem = { kind: 'mismatch', path, expected, ...by } as const
  return new UsageError('got' in given ? { ...problem, got: describeValue(got) } : problem)
}

export function misuse(path: string, text: string): UsageError {
  return new UsageError({ kind: 'text', path, text })
}

export const SANDBOXES_ARE_OFF =
  'Sandboxes are off; start the mock with --sandbox, or sandbox: true'
export const IS_SHARED =
  'Sandboxes are on: this is the shared state, not that of any API key; name one with'

export function notFound(
  what: string,
  id: unknown,
  names: readonly string[] = [],
  hint = '',
): UsageError {
  const advice = suggest(String(id), names, hint)
  const problem = { kind: 'not-found', what, id: String(id) } as const
  return new UsageError(advice === '' ? problem : { ...problem, advice }, 404)
}

export function rethrow(
  error: unknown,
  change: (problems: readonly Problem[]) => readonly Problem[],
): never {
  if (!(error instanceof UsageError)) throw error
  throw new UsageError(change(error.problems), error.status)
}
