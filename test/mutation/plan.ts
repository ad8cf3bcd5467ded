// Which tests are asked about a mutant, and in what order: from what one plain run of all of them has seen.

/** What one test file did in the plain run. */
export interface Seen {
  readonly file: string
  /** The tests that passed, and how long each took. */
  readonly passed: Readonly<Record<string, number>>
  /** Those that did not, and why: they are not asked about mutants. */
  readonly failed: readonly string[]
  /** How often each test reached each mutant. */
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** How often mutants were reached outside of tests: in hooks, and while modules loaded for the first time. */
  readonly outside: Readonly<Record<string, number>>
}

/** Tests of one file that are asked together. */
export interface Question {
  readonly file: string
  readonly tests: readonly string[]
  /** Whether the modules have to load again, because the mutant acts while they do. */
  readonly reload: boolean
  /** How long a test may take before it counts as one that fails. */
  readonly timeoutMs: number
}

export interface Trial {
  readonly mutant: string
  /** How often the plain run reached the mutant. */
  readonly hits: number
  readonly questions: readonly Question[]
}

/** A mutant that so many tests let pass is not asked about any further; the quickest are asked. */
const MAX_TESTS = 1_000
const MAX_TESTS_MS = 120_000
/** Loading every module again takes a while; and a module that a test imports as it needs it may have been loaded for good by then. */
const MAX_RELOADS = 8
const MAX_LATE_RELOADS = 3
/** A test may take so many times longer than in the plain run, and this long in any case. */
const LATE_FACTOR = 3
const MIN_TIMEOUT_MS = 10_000

export function toTrial(
  { id, file }: { readonly id: string; readonly file: string },
  seen: readonly Seen[],
  mutantsOfFile: ReadonlySet<string>,
): Trial {
  const questions: Question[] = []
  /** Tests that take long, and so are waited for longer: asked when all others have let the mutant pass. */
  const slow: Question[] = []
  let tests = 0
  let spent = 0
  let hits = 0
  const own = file.replace(/\.ts$/, '.test.ts')
  const reaching = seen
    .map(({ file, passed, perTest, outside }) => ({
      file,
      outside: outside[id] ?? 0,
      hits: sum(Object.values(perTest).map((mutants) => mutants[id] ?? 0)),
      tests: Object.keys(passed)
        .filter((test) => perTest[test]?.[id] !== undefined)
        .sort((one, other) => (passed[one] ?? 0) - (passed[other] ?? 0)),
      all: Object.keys(passed),
      ms: passed,
      // Who uses the file at all may notice what changes while it loads; who uses most of it, most likely.
      uses: new Set(Object.values(perTest).flatMap((mutants) => Object.keys(mutants).filter((mutant) => mutantsOfFile.has(mutant)))).size,
    }))
    .sort(
      (one, other) =>
        Number(other.file === own) - Number(one.file === own) || medianOf(one.ms, one.tests) - medianOf(other.ms, other.tests),
    )
  for (const part of reaching) {
    hits += part.hits + part.outside
    const chosen = part.tests.filter((test) => {
      if (tests >= MAX_TESTS || (tests > 0 && spent + (part.ms[test] ?? 0) > MAX_TESTS_MS)) return false
      tests++
      spent += part.ms[test] ?? 0
      return true
    })
    const isSlow = (test: string) => LATE_FACTOR * (part.ms[test] ?? 0) > MIN_TIMEOUT_MS
    for (const [tests, list] of [
      [chosen.filter((test) => !isSlow(test)), questions],
      [chosen.filter(isSlow), slow],
    ] as const) {
      if (tests.length > 0) list.push({ file: part.file, tests, reload: false, timeoutMs: toTimeout(part.ms, tests) })
    }
  }
  const users = reaching
    .filter((part) => part.all.length > 0 && (part.uses > 0 || part.file === own || part.outside > 0))
    .sort((one, other) => Number(other.file === own) - Number(one.file === own) || other.uses - one.uses)
  const reloads = reaching.some(({ outside }) => outside > 0) ? MAX_RELOADS : MAX_LATE_RELOADS
  for (const { file, all, ms } of users.slice(0, reloads)) {
    questions.push({ file, tests: all, reload: true, timeoutMs: toTimeout(ms, all) })
  }
  return { mutant: id, hits, questions: [...questions, ...slow] }
}

/** Whether a mutant was noticed only because a test did not end in time. */
export function isLate(killer: string): boolean {
  return /timed out|never ends/i.test(killer)
}

function toTimeout(ms: Readonly<Record<string, number>>, tests: readonly string[]): number {
  return Math.max(MIN_TIMEOUT_MS, ...tests.map((test) => LATE_FACTOR * (ms[test] ?? 0)))
}

function medianOf(ms: Readonly<Record<string, number>>, tests: readonly string[]): number {
  return ms[tests[tests.length >> 1] ?? ''] ?? Number.POSITIVE_INFINITY
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
