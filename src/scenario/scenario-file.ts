// How a text says that it means a file rather than the name of a shipped scenario.
const FILE_LIKE = /[\\/]|\.(?:ya?ml|json)$/i

/** Whether this means a file rather than a shipped scenario: it has a slash, or ends in .yaml, .yml or .json. */
export function isScenarioFile(nameOrFile: string): boolean {
  return FILE_LIKE.test(nameOrFile)
}
