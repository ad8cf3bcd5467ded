// What to write where a scenario is expected and something near it was given: its name, its file, or the promise of one.
import { excerpt, isPromise } from '../contract/describe-value.ts'
import { isScenarioFile } from './scenario-file.ts'

/** The mistake in one line; undefined if it is none of these. `name` is what messages call the value. */
export function explainMistake(value: unknown, name = 'scenario'): string | undefined {
  if (typeof value === 'string') {
    const text = excerpt(value)
    const load = `await loadScenario(${text}) from animal-store-mock/node`
    return isScenarioFile(value)
      ? `${name} must be an object, not a file name: pass ${load}`
      : `${name} must be an object, not a name: pass scenarios[${text}] from animal-store-mock/scenarios, or ${load}`
  }
  return isPromise(value) ? `${name} must be an object, got ${excerpt(value)}` : undefined
}
