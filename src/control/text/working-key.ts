// The API key of a request that is sent for the tester.
import { findListedKeys, RESERVED_KEY, type Scenario, USUAL_KEY } from '../../world/scenario.ts'

export function describeKeyRule(state: Scenario = {}): string {
  const listed = findListedKeys(state)
  if (!listed) return `any bearer token except "${RESERVED_KEY}" works, e.g. ${USUAL_KEY}`
  return listed.length === 0 ? 'no API key is valid' : 'only listed keys are valid'
}

/** Empty if the state accepts no key. The log keeps only the end of the key that was sent. */
export function workingKey(sandbox: string | null, state: Scenario = {}): string {
  const listed = findListedKeys(state)
  if (!listed) return sandbox ?? USUAL_KEY
  return listed.find((key) => sandbox === null || key === sandbox) ?? ''
}

export function authorize(key: string): Readonly<Record<string, string>> {
  if (key === '') return {}
  return { authorization: `Bearer ${key}` }
}
