// From what a caller passes as a scenario (a value, a document, a name or a file) to the scenario that it means: finds what it extends,
// checks the whole once, and expands it. The caller knows where files are.
import { describeValue, isPlainObject, readOwn } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { joinWords } from '../contract/text.ts'
import type { ScenarioName } from '../generated/scenarios.ts'
import { MAX_GENERATED_PETS } from '../limits.ts'
import { findNear } from '../near-names.ts'
import type { Scenario, State } from '../world/start.ts'
import { findProblems } from './check.ts'
import { explainMistake, extendParent, findShipped, isReference, isScenarioFile, type ScenarioDocument, type Shipped } from './document.ts'

/** A scenario with shortcuts, or the name of a shipped one: to be fetched before it is loaded. Editors suggest the names. */
export type ScenarioReference =
  | ScenarioName
  | (string & Record<never, never>)
  | (ScenarioDocument & ({ readonly extends: string } | Required<Pick<ScenarioDocument, 'generate'>>))

/** Where a document comes from, and what it may use there. */
export interface Origin {
  /** The scenarios that a document can extend by name; the shipped ones by default. */
  readonly shipped?: (() => Promise<Shipped>) | undefined
  /** The scenario in a file that is named or extended, or why it cannot be that file; absent where there are no files. */
  readFile?(wanted: string): Promise<State | string>
  /** Adds to problems where they are, and hints. */
  place?(problems: readonly Problem[]): readonly Problem[]
  /** What a scenario without a name is called. */
  readonly name?: string
  /** How many animals a document may list or generate, if that is less than what the schema allows. */
  readonly maxPets?: number | undefined
}

type Found =
  | { readonly scenario: State; readonly problem?: undefined }
  | { readonly scenario?: undefined; readonly problem: Extract<Problem, { readonly kind: 'mismatch' }> }

/** The scenario that is meant: a value at once, which loading it checks, and all that has to be fetched first as a promise. */
export function resolveScenario(given: unknown, origin: Origin = {}): Scenario | Promise<State> {
  if (typeof given === 'string') return findNamed(given, origin)
  if (isReference(given)) return resolveDocument(given, origin)
  const excess = findExcess(given, origin.maxPets)
  if (excess.length > 0) throw new UsageError(excess)
  return given as Scenario
}

async function findNamed(wanted: string, origin: Origin): Promise<State> {
  if (isScenarioFile(wanted) && !origin.readFile) throw new UsageError(explainMistake(wanted) as string)
  const { scenario, problem } = await find(wanted, 'scenario', origin)
  if (scenario) return scenario
  const [near] = findNear(wanted, problem.choices ?? [])
  throw new UsageError({ ...problem, ...(near !== undefined && { near }) })
}

/** The shipped scenario of that name or the one in a file, or the problem with the field at `path`, which names it. */
async function find(wanted: string, path: string, { shipped = importShipped, readFile }: Origin): Promise<Found> {
  const refuse = (expected: string, choices?: readonly string[]): Found => ({
    problem: { kind: 'mismatch', path, expected, got: describeValue(wanted), ...(choices && { choices }) },
  })
  if (isScenarioFile(wanted)) {
    const found = readFile ? await readFile(wanted) : 'the name of a shipped scenario'
    return typeof found === 'string' ? refuse(found) : { scenario: found }
  }
  const scenarios = await shipped()
  const scenario = findShipped(scenarios, wanted)
  const names = Object.keys(scenarios)
  return scenario ? { scenario } : refuse(`${joinWords(names, 'or')}${readFile ? ', or a file' : ''}`, names)
}

/** The scenario of a document; a UsageError names every problem, those of an extended file first. */
export async function resolveDocument(document: unknown, origin: Origin): Promise<State> {
  const { scenario, problem, elsewhere = [] } = await findParent(document, origin)
  const excess = findExcess(document, origin.maxPets)
  const problems = [...(problem ? [problem] : []), ...(excess.length > 0 ? excess : findProblems(document, scenario))]
  if (elsewhere.length + problems.length > 0) throw new UsageError([...elsewhere, ...(origin.place?.(problems) ?? problems)])
  const expanded = await expand(document as ScenarioDocument, scenario)
  return origin.name === undefined ? expanded : { name: origin.name, ...expanded }
}

/** What a document extends, the problem with the field that names it, or those of the other file. */
async function findParent(document: unknown, origin: Origin): Promise<Partial<Found> & { readonly elsewhere?: readonly Problem[] }> {
  const wanted = readOwn(document, 'extends')
  if (typeof wanted !== 'string') return {}
  return find(wanted, 'extends', origin).catch((error) => {
    if (!(error instanceof UsageError)) throw error
    return { elsewhere: error.problems }
  })
}

/** More animals than one control request may bring: other clients wait while they are checked and stored. */
function findExcess(document: unknown, max = Number.POSITIVE_INFINITY): Problem[] {
  const { pets, generate }: Partial<Record<keyof ScenarioDocument, unknown>> = isPlainObject(document) ? document : {}
  const listed = Array.isArray(pets) ? pets.length : 0
  const count = isPlainObject(generate) && Number.isInteger(generate.count) ? Number(generate.count) : 0
  const more = (path: string, flag: string, got: number): Problem[] =>
    got > max ? [{ kind: 'mismatch', path, expected: `at most ${max} over HTTP (serve ${flag} takes more)`, got: String(got) }] : []
  return [...more('pets', '--scenario', listed), ...(count > MAX_GENERATED_PETS ? [] : more('generate.count', '--count', count))]
}

export async function importShipped(): Promise<Shipped> {
  return (await import('../scenarios.ts')).scenarios
}

/** The word lists are loaded only for a document that asks for animals. */
async function expand(document: ScenarioDocument, parent: State | undefined): Promise<State> {
  if (!document.generate) return extendParent(document, parent)
  const { expandChecked } = await import('./expand.ts')
  return expandChecked(document, parent)
}
