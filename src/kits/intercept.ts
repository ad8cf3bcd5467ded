// Intercepts the requests to a store, by MSW or instead of `fetch`.
import { UsageError } from '../contract/errors.ts'
import { homepage } from '../contract/generated/version.ts'
import { cutText } from '../contract/values.ts'
import { replaceFetch } from '../hosts/global-fetch.ts'
import type { Mock } from '../mock/mock.ts'
import type { Interception } from './intercept-msw.ts'
import type { InterceptionOptions } from './kit-options.ts'
import { createOutgoing } from './outgoing.ts'

const NEEDS_MSW =
  `install it (npm i -D msw@2), in Jest with the settings at ${homepage}testing#jest, ` +
  'or pass intercept: "fetch"'
const OTHER =
  'mockStore: another store is active; use one store, with a list as baseUrl if there are ' +
  'several addresses'
/**
 * Marks an active store, on the global object that interception changes: the package may be in a
 * process twice.
 */
const ACTIVE = Symbol.for('animal-store-mock.active')
const marks = globalThis as { [ACTIVE]?: boolean }

export function createInterception(mock: Mock, kit: string, options: InterceptionOptions) {
  const { baseUrl, intercept } = options
  const outgoing = createOutgoing(kit, options)
  let active: Interception | undefined

  return {
    isActive: () => active !== undefined,
    elsewhere: outgoing.elsewhere,
    /**
     * The requests that have gone past the store, and how to catch them. Some come late, when their
     * test is over.
     */
    takePast(): string[] {
      const past = outgoing.takePast()
      return active?.letsPass?.() ? [] : past
    },
    async start(): Promise<void> {
      if (marks[ACTIVE]) throw new UsageError(OTHER)
      if (intercept === 'fetch') {
        active = { stop: replaceFetch(mock, baseUrl) }
        outgoing.start('fetch')
      } else {
        const { interceptWithMsw } = await importMsw()
        active = interceptWithMsw(mock, baseUrl, outgoing)
      }
      marks[ACTIVE] = true
    },
    reset: () => active?.reset?.(),
    use(...handlers: object[]): void {
      if (!active?.use)
        throw new UsageError('store.use needs MSW (intercept: "msw"), inside a test or a hook')
      active.use(handlers)
    },
    stop(): void {
      if (!active) return
      marks[ACTIVE] = false
      outgoing.stop()
      active.stop()
      active = undefined
    },
  }
}

async function importMsw() {
  try {
    return await import('./intercept-msw.ts')
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n', 1)
    const reason = cutText(line, 200)
    throw new UsageError(`mockStore: msw could not be loaded (${reason}); ${NEEDS_MSW}`)
  }
}
