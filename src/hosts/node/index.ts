import { checkValue, readOptions } from '../../contract/options.ts'
import type { BeforeOption } from '../../control/control.ts'
import { ROW_ID } from '../../control/method-inputs.ts'
import type { Scenario } from '../../world/scenario.ts'

export { type Middleware, type MiddlewareOptions, middleware } from './middleware.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'

/**
 * The scenario of a YAML or JSON file, with `extends` and `generate` resolved, or a shipped one by
 * name; of a recording the state before a row, as `before` or in the name (`run.jsonl#12`). A
 * UsageError names every problem and its line.
 *
 * @example
 * const mock = createMock({ scenario: await loadScenario('./scenario.yaml') })
 */
export async function loadScenario(nameOrFile: string, options?: BeforeOption): Promise<Scenario> {
  // Loaded on demand: most servers start without a file. A copy, since the caller may change it.
  const { findScenario } = await import('./scenario-files.ts')
  const name = checkValue({ type: 'string', title: 'a name or a file' }, nameOrFile, 'scenario')
  const { before } = readOptions<BeforeOption>('loadScenario', { before: ROW_ID }, options)
  const reference = before === undefined ? name : `${name}#${before}`
  return { ...(await findScenario(reference)) }
}
