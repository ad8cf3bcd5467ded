// What the name of a scenario means: a file, and of which format, or a shipped scenario.
import type { Scenario } from '../world/situation.ts'

export type Shipped = Readonly<Record<string, Scenario>>

const FILE_LIKE = /[\\/]|\.(?:ya?ml|json)$/i

/** Whether this means a file rather than a shipped scenario: it has a slash, or ends in .yaml, .yml or .json. */
export function isScenarioFile(nameOrFile: string): boolean {
  return FILE_LIKE.test(nameOrFile)
}

/** A file is JSON by its name; any other is YAML. */
export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file)
}

/** The shipped scenario of that name. */
export function findShipped(shipped: Shipped, name: string): Scenario | undefined {
  return Object.hasOwn(shipped, name) ? shipped[name] : undefined
}
