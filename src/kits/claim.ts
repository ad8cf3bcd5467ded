// What stores intercept at the moment. A second store for the same address would silently take the requests of the first, and of two
// MSW servers each rejects the requests to the other.
import { UsageError } from '../contract/errors.ts'

/** On the global object, since that is what interception changes, and the package may be in a process twice. */
const CLAIMS = Symbol.for('animal-store-mock.intercepted')

/** Claims addresses, or `msw`, until you call the function that it returns; refuses if another store has one of them. */
export function claim(names: readonly string[]): () => void {
  const holder = globalThis as { [CLAIMS]?: Set<string> }
  holder[CLAIMS] ??= new Set()
  const claims = holder[CLAIMS]
  if (names.some((name) => claims.has(name))) {
    const problem = names.includes('msw') && claims.has('msw') ? 'intercepts requests with MSW too' : 'has the same baseUrl'
    throw new UsageError(`mockStore: another store ${problem}; use one store, with a list as baseUrl if there are several addresses`)
  }
  for (const name of names) claims.add(name)
  return () => names.forEach((name) => void claims.delete(name))
}
