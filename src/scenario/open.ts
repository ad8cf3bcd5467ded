// From a value, a document with shortcuts, a name or a file to a checked scenario. The caller says
// how files are read. Callers that have only values call `readValue`, which checks at once.
// `createOrigin` checks the result of neither.
import { UsageError } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { describeValue, readOwn } from '../contract/values.ts'
import type { ReadScenario } from '../world/scenario.ts'
import {
  findProblems,
  findShipped,
  isReference,
  isScenarioFile,
  readValue,
  type ScenarioDocument,
} from './document.ts'
import type { ScenarioName } from './generated/scenarios.ts'

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
  place?(problems: readonly Problem[]): readonly Problem[]
  readonly name?: string
}

export function openScenario(
  given: unknown,
  source: Source = {},
): ReadScenario | Promise<ReadScenario> {
  if (!isReference(given)) return readValue(given)
  if (typeof given !== 'string') return resolveDocument(given, source)
  return findNamed(given, 'scenario', source).then((found) => {
    if ('kind' in found) throw new UsageError(found)
    return found
  })
}

async function findNamed(
  wanted: string,
  path: string,
  { readFile }: Source,
): Promise<ReadScenario | Problem> {
  const others = readFile && ', or a file'
  if (!isScenarioFile(wanted))
    return findShipped((await import('./shipped.ts')).scenarios, wanted, path, others)
  const found = (await readFile?.(wanted)) ?? 'the name of a shipped scenario'
  return typeof found === 'object'
    ? found
    : { kind: 'mismatch', path, expected: found, got: describeValue(wanted) }
}

export async function resolveDocument(document: unknown, source: Source): Promise<ReadScenario> {
  const { place = (problems) => problems, name } = source
  const wanted = readOwn(document, 'extends')
  const found = typeof wanted === 'string' ? await findNamed(wanted, 'extends', source) : undefined
  const [missing, parent] = found && 'kind' in found ? [[found], undefined] : [[], found]
  const problems = [...missing, ...findProblems(document, parent)]
  if (problems.length > 0) throw new UsageError(place(problems))
  const { expandChecked } = await import('./expand.ts')
  return {
    ...(name !== undefined && { name }),
    ...expandChecked(document as ScenarioDocument, parent),
  }
}
