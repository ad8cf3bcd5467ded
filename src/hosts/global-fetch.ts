// The mock behind the global `fetch`, without MSW. It answers requests to its addresses and passes
// all others on.
import { UsageError } from '../contract/errors.ts'
import { type BaseUrl, findTarget, parseBaseUrl } from '../mock/base-address.ts'
import { createAsk } from '../mock/fetch.ts'
import type { Mock } from '../mock/mock.ts'

interface PassThrough {
  readonly original: typeof fetch
  readonly fetch: typeof fetch
  /**
   * The active store. It may return nothing for a request that is not its own, which is then sent
   * as usual.
   */
  ask?: ((...request: Parameters<typeof fetch>) => Promise<Response> | undefined) | undefined
}

/**
 * On the global object, since that is what it changes, and the package may be in a process twice.
 */
const PASS_THROUGH = Symbol.for('animal-store-mock.fetch')
const marks = globalThis as { [PASS_THROUGH]?: PassThrough }
const NO_FETCH =
  'This environment has no fetch; in Jest, set testEnvironment to "node" or "jest-fixed-jsdom"'

/**
 * For clients that keep the `fetch` they find when they are imported: a kit calls it first. It
 * changes no request.
 */
export function installPassThrough(): void {
  const original = globalThis.fetch
  if (marks[PASS_THROUGH] || !original) return
  const passThrough: PassThrough = {
    original,
    fetch: (...request) => passThrough.ask?.(...request) ?? original(...request),
  }
  marks[PASS_THROUGH] = passThrough
  globalThis.fetch = passThrough.fetch
}

export function replaceFetch(mock: Mock, baseUrl: BaseUrl | undefined): () => void {
  const addresses = parseBaseUrl(baseUrl)
  const original = globalThis.fetch
  if (!original) throw new UsageError(NO_FETCH)
  const passThrough = marks[PASS_THROUGH]
  let isStopped = false
  const ask = createAsk(mock, (url) => (isStopped ? undefined : findTarget(addresses, url)))
  const replaced: typeof fetch = (...request) => ask(...request) ?? original(...request)
  globalThis.fetch = replaced
  if (passThrough) passThrough.ask = ask
  return () => {
    // Other code may have replaced it since then, and then still calls this one.
    isStopped = true
    if (passThrough?.ask === ask) passThrough.ask = undefined
    if (globalThis.fetch === replaced) globalThis.fetch = original
  }
}

/**
 * Lets other code, such as MSW, replace the global `fetch`, and sends it what goes through the
 * pass-through. Meanwhile MSW sees the original, so that what it passes on does not come back. A
 * `fetch` that others have replaced stays.
 */
export function replaceFetchBy(listen: () => void): () => void {
  const passThrough = marks[PASS_THROUGH]
  if (!passThrough || globalThis.fetch !== passThrough.fetch) {
    listen()
    return () => {}
  }
  globalThis.fetch = passThrough.original
  listen()
  passThrough.ask = globalThis.fetch
  return () => {
    passThrough.ask = undefined
    if (globalThis.fetch === passThrough.original) globalThis.fetch = passThrough.fetch
  }
}
