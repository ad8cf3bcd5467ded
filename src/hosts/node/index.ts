// The entry point `animal-store-mock/node`.
import type { Scenario } from '../../world/start.ts'

export { type Middleware, type MiddlewareOptions, middleware } from './middleware.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'

/**
 * The scenario of a YAML or JSON file, with `extends` and `generate` resolved, or a shipped one by name. Rejects with a UsageError
 * that names every problem with its file and line.
 *
 * @example
 * const mock = createMock({ scenario: await loadScenario('./scenario.yaml') })
 */
export async function loadScenario(nameOrFile: string): Promise<Scenario> {
  // Loaded on demand: most servers start without a file. A copy, since the caller may change it.
  return { ...(await (await import('../../scenario/files.ts')).findScenario(nameOrFile)) }
}
