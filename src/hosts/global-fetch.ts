// The mock behind the global `fetch`, without MSW: it answers requests to its addresses, and all others go where they always went.
import { UsageError } from '../contract/errors.ts'
import { type BaseUrl, findTarget, pageAddress, parseBaseUrl } from '../mock/base-address.ts'
import { createFetch } from '../mock/fetch.ts'
import type { Mock } from '../mock/mock.ts'

/** Replaces the global `fetch`; the function that it returns puts it back. */
export function replaceFetch(mock: Mock, baseUrl: BaseUrl | undefined): () => void {
  const addresses = parseBaseUrl(baseUrl)
  const original = globalThis.fetch
  if (!original) throw new UsageError('This environment has no fetch; in Jest, set testEnvironment to "node" or "jest-fixed-jsdom"')
  const answer = createFetch(mock, baseUrl === undefined ? {} : { baseUrl })
  let isStopped = false
  const replaced: typeof fetch = (input, init) => (!isStopped && isOurs(input) ? answer(input, init) : original(input, init))
  globalThis.fetch = replaced

  function isOurs(input: RequestInfo | URL): boolean {
    const text = typeof input === 'object' && 'url' in input ? input.url : String(input)
    const base = pageAddress() ?? 'http://localhost'
    return URL.canParse(text, base) && findTarget(addresses, new URL(text, base)) !== undefined
  }

  return () => {
    // Other code may have replaced it since then, and then still calls this one.
    isStopped = true
    if (globalThis.fetch === replaced) globalThis.fetch = original
  }
}
