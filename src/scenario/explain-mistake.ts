// What to write where a scenario is expected and something near it was given: its name, or the promise of one.
import { describeValue, isPromise } from '../contract/options.ts'

/** The mistake in one line; undefined if it is neither. */
export function explainMistake(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const name = JSON.stringify(value)
    return `scenario must be a scenario, not its name: pass scenarios[${name}] from animal-store-mock/scenarios, or await loadScenario(${name}) from animal-store-mock/node`
  }
  return isPromise(value) ? `scenario must be a scenario, got ${describeValue(value)}` : undefined
}
