// Makes a checked scenario of a value, a document with shortcuts, a name or a file. The caller says
// how to read files. A caller with only a value can call `checkScenario` directly. `createOrigin`
// does not check again.
import { UsageError } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { describeValue, readOwn } from '../contract/values.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { checkScenario, findProblems } from './check-scenario.ts'
import { isReference, type ScenarioDocument } from './document.ts'
import type { ScenarioName } from './generated/scenarios.ts'
import { findShipped, isScenarioFile } from './scenario-names.ts'

/**
 * A scenario with shortcuts, or the name of a shipped one: fetched before it is loaded. Editors
 * suggest the names.
 */
export type ScenarioReference =
  | ScenarioName
  | (string & Record<never, never>)
  | (ScenarioDocument &
      ({ readonly extends: string } | Required<Pick<ScenarioDocument, 'generate'>>))

export interface Source {
  /** The scenario in a file that is named or extended, or why it cannot be that file. */
  readFile?(wanted: string): Promise<ReadScenario | string>
  /** Adds to each problem where in the file it is. */
  place?(problems: readonly Problem[]): readonly Problem[]
  /** For a document that has no name. */
  readonly name?: string
}

export function openScenario(
  given: unknown,
  source: Source = {},
): ReadScenario | Promise<ReadScenario> {
  if (!isReference(given)) return checkScenario(given)
  if (typeof given === 'string') return openNamed(given, source)
  return resolveDocument(given, source)
}

async function openNamed(wanted: string, source: Source): Promise<ReadScenario> {
  const found = await findNamed(wanted, 'scenario', source)
  if ('kind' in found) throw new UsageError(found)
  return found
}

/** The scenario of that name or in that file, or the problem with the field at `path`. */
async function findNamed(
  wanted: string,
  path: string,
  source: Source,
): Promise<ReadScenario | Problem> {
  if (!isScenarioFile(wanted)) {
    const { scenarios } = await import('./shipped.ts')
    const alternative = source.readFile ? ', or a file' : undefined
    return findShipped(scenarios, wanted, path, alternative)
  }
  const found = await source.readFile?.(wanted)
  if (typeof found === 'object') return found
  const expected = found ?? 'the name of a shipped scenario'
  return { kind: 'mismatch', path, expected, got: describeValue(wanted) }
}

/** The scenario of a document with shortcuts. */
export async function resolveDocument(document: unknown, source: Source): Promise<ReadScenario> {
  const problems: Problem[] = []
  let parent: ReadScenario | undefined
  const wanted = readOwn(document, 'extends')
  if (typeof wanted === 'string') {
    const found = await findNamed(wanted, 'extends', source)
    if ('kind' in found) problems.push(found)
    else parent = found
  }
  problems.push(...findProblems(document, parent))
  if (problems.length > 0) throw new UsageError(source.place?.(problems) ?? problems)

  const { expandChecked } = await import('./expand.ts')
  const scenario = expandChecked(document as ScenarioDocument, parent)
  if (source.name === undefined) return scenario
  return { name: source.name, ...scenario }
}
