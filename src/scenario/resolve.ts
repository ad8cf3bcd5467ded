// The part of the door that waits: finds the scenario that a name or `extends` means, and loads what generates animals. The caller knows
// where files are.
import { describeValue, readOwn } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { addHint } from '../contract/hint.ts'
import type { Problem } from '../contract/problem.ts'
import { joinWords } from '../contract/text.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { findProblems } from './check.ts'
import { extendParent, findShipped, isScenarioFile, type ScenarioDocument, type Shipped } from './document.ts'

/** Where a document comes from, and what it may use there. */
export interface Source {
  /** The scenarios that a document can extend by name; the shipped ones by default. */
  readonly shipped?: (() => Promise<Shipped>) | undefined
  /** The scenario in a file that is named or extended, or why it cannot be that file; absent where there are no files. */
  readFile?(wanted: string): Promise<ReadScenario | string>
  /** Adds to problems where they are, and hints. */
  place?(problems: readonly Problem[]): readonly Problem[]
  /** What a scenario without a name is called. */
  readonly name?: string
}

/** The scenario of a name, a file or a document; a UsageError names every problem, those of an extended file first. */
export async function resolve(given: unknown, source: Source = {}): Promise<ReadScenario> {
  if (typeof given !== 'string') return resolveDocument(given, source)
  const found = await find(given, 'scenario', source)
  if ('kind' in found) throw new UsageError(addHint(found))
  return found
}

/** The shipped scenario of that name or the one in a file, or the problem with the field at `path`, which names it. */
async function find(wanted: string, path: string, { shipped = importShipped, readFile }: Source): Promise<ReadScenario | Problem> {
  const isFile = isScenarioFile(wanted)
  const scenarios = isFile ? {} : await shipped()
  const found = isFile ? await readFile?.(wanted) : findShipped(scenarios, wanted)
  if (typeof found === 'object') return found
  const names = Object.keys(scenarios)
  const known = isFile ? (found ?? 'the name of a shipped scenario') : `${joinWords(names, 'or')}${readFile ? ', or a file' : ''}`
  return { kind: 'mismatch', path, expected: known, got: describeValue(wanted), ...(isFile ? {} : { choices: names }) }
}

export async function resolveDocument(document: unknown, source: Source): Promise<ReadScenario> {
  const { place = (problems) => problems.map(addHint), name } = source
  const wanted = readOwn(document, 'extends')
  const problems: Problem[] = []
  let elsewhere: readonly Problem[] = []
  let parent: ReadScenario | undefined
  if (typeof wanted === 'string') {
    const found = await find(wanted, 'extends', source).catch((error) => {
      if (!(error instanceof UsageError)) throw error
      elsewhere = error.problems
    })
    if (found && 'kind' in found) problems.push(found)
    else parent = found ?? undefined
  }
  problems.push(...findProblems(document, parent))
  if (elsewhere.length + problems.length > 0) throw new UsageError([...elsewhere, ...place(problems)])
  const expanded = await expand(document as ScenarioDocument, parent)
  return name === undefined ? expanded : { name, ...expanded }
}

export async function importShipped(): Promise<Shipped> {
  return (await import('../scenarios.ts')).scenarios
}

/** The word lists are loaded only for a document that asks for animals. */
async function expand(document: ScenarioDocument, parent: ReadScenario | undefined): Promise<ReadScenario> {
  if (!document.generate) return extendParent(document, parent)
  const { expandChecked } = await import('./expand.ts')
  return expandChecked(document, parent)
}
