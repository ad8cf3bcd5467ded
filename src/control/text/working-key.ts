// The API key and the sandbox of a request that is sent for the tester.
import { SANDBOX_FIELD } from '../../service/choose-sandbox.ts'
import { findListedKeys, RESERVED_KEY, type Scenario, USUAL_KEY } from '../../world/scenario.ts'

const FIELD = SANDBOX_FIELD.toLowerCase()

export function describeKeyRule(state: Scenario = {}): string {
  const listed = findListedKeys(state)
  if (!listed) return `any bearer token except "${RESERVED_KEY}" works, e.g. ${USUAL_KEY}`
  return listed.length === 0 ? 'no API key is valid' : 'only listed keys are valid'
}

/**
 * The key that chooses the sandbox, if it is valid there. Empty if the state accepts no key. The
 * log keeps only the end of the key that was sent.
 */
export function workingKey(sandbox: string | null, state: Scenario = {}): string {
  const listed = findListedKeys(state)
  if (listed) return listed.find((key) => key === sandbox) ?? listed[0] ?? ''
  return sandbox === null || sandbox === RESERVED_KEY ? USUAL_KEY : sandbox
}

/** The fields that bring a request with this key, which may be empty, into the sandbox. */
export function fieldsFor(sandbox: string | null, key: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  if (key !== '') fields.authorization = `Bearer ${key}`
  if (sandbox !== null && sandbox !== key) fields[FIELD] = sandbox
  return fields
}
