// The one door for scenarios: from a value, a document, a name or a file to a scenario that is checked. Nothing behind the door checks it
// again: its type is `ReadScenario`, and `createOrigin` takes no other.
import type { ScenarioName } from '../generated/scenarios.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { readValue } from './check.ts'
import { isReference, type ScenarioDocument } from './document.ts'
import type { Source } from './resolve.ts'

/** A scenario with shortcuts, or the name of a shipped one: to be fetched before it is loaded. Editors suggest the names. */
export type ScenarioReference =
  | ScenarioName
  | (string & Record<never, never>)
  | (ScenarioDocument & ({ readonly extends: string } | Required<Pick<ScenarioDocument, 'generate'>>))

/** The scenario that is meant: at once if it is a value, and as a promise if something has to be fetched. A UsageError names every problem. */
export function openScenario(given: unknown, source?: Source): ReadScenario | Promise<ReadScenario> {
  return isReference(given) ? import('./resolve.ts').then(({ resolve }) => resolve(given, source)) : readValue(given)
}
