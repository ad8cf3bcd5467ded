// The mock behind the global `fetch`, without MSW: requests to its addresses are answered here, all others go where they always went.

import { type BaseUrl, pageAddress, parseBaseUrl } from '../mock/base-address.ts'
import { createFetch } from '../mock/fetch.ts'
import type { Mock } from '../mock/mock.ts'

/** Replaces the global `fetch`; the function that it returns puts it back. */
export function replaceFetch(mock: Mock, baseUrl: BaseUrl | undefined): () => void {
  const addresses = parseBaseUrl(baseUrl)
  const original = globalThis.fetch
  const answer = createFetch(mock, baseUrl === undefined ? {} : { baseUrl })
  const replaced: typeof fetch = (input, init) => (isOurs(input) ? answer(input, init) : original(input, init))
  globalThis.fetch = replaced

  function isOurs(input: RequestInfo | URL): boolean {
    const text = typeof input === 'object' && 'url' in input ? input.url : String(input)
    const base = pageAddress() ?? 'http://localhost'
    if (!URL.canParse(text, base)) return false
    const { origin, pathname } = new URL(text, base)
    return addresses.some(({ pattern }) => pattern.test(origin + pathname))
  }

  return () => {
    // Whoever has replaced it since then will put it back.
    if (globalThis.fetch === replaced) globalThis.fetch = original
  }
}
