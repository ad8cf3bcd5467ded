// Not for Storybook, whose pages have no files: a bundler would look for Node's modules.
import { isReference } from '../scenario/document.ts'
import { openScenario } from '../scenario/open.ts'
import type { ReadScenario } from '../world/scenario.ts'

const IN_NODE = globalThis.process?.versions?.node !== undefined

/** The door for scenarios, of a kit: where there is Node, it finds files. */
export function findScenario(given: unknown): ReadScenario | Promise<ReadScenario> {
  if (!IN_NODE || !isReference(given)) return openScenario(given)
  return import('../scenario/files.ts').then((files) => files.findScenario(given))
}
