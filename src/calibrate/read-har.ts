// Recorded traffic (HAR 1.2), decided like the responses to probes.
import { UsageError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'
import { parseBaseUrl } from '../mock/base-address.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { type Exchange, petsOf, readResponse } from './exchange.ts'
import { type Calibration, judge, type Run } from './judge.ts'

interface Headed {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

interface HarEntry {
  readonly request: Headed & { readonly method: string; readonly url: string; readonly postData?: { readonly text?: string } }
  readonly response: Headed & { readonly status: number; readonly content: { readonly text?: string; readonly encoding?: string } }
}

/** Without an address, every request to a path of the API counts. */
export function calibrateHar(text: string, address: string | undefined, settings: Pick<Run, 'against' | 'expect'>): Calibration {
  const [base] = parseBaseUrl(address)
  const entries = parseHar(text)
  // Browsers leave keys out: that a request has none means something only if another one has.
  const hasKeys = entries.some(({ request }) => headerOf(request, 'authorization') !== undefined)
  const exchanges = entries.flatMap((entry) => {
    const url = new URL(entry.request.url)
    const target = base?.pattern.test(url.origin + url.pathname) ? base.toTarget(url) : undefined
    return target === undefined ? [] : [toExchange(entry, target, hasKeys)]
  })
  return judge({ ...settings, start: new Date().toISOString(), pets: exchanges.flatMap(({ response }) => petsOf(response)), exchanges })
}

function parseHar(text: string): readonly HarEntry[] {
  try {
    const { entries } = JSON.parse(text.replace(/^\ufeff/, '')).log as { entries: readonly HarEntry[] }
    for (const { request, response } of entries)
      [new URL(request.url), headerOf(request, ''), headerOf(response, ''), response.content.text]
    return entries
  } catch {
    throw new UsageError('Expected an HTTP archive (HAR 1.2)')
  }
}

function toExchange({ request, response }: HarEntry, target: string, hasKeys: boolean): Exchange {
  const { method, postData } = request
  const { text = '', encoding } = response.content
  const isKeyless = response.status === 401 || (hasKeys && headerOf(request, 'authorization') === undefined)
  const body = encoding === 'base64' ? new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))) : text
  const operation = findRoute(parseTarget(target).path)?.byMethod.get(method)
  return {
    // Without values, which are the recording's own.
    label: `${method} ${operation?.path.slice(contract.basePath.length) ?? 'another path'}`,
    probe: {
      tier: 'writes',
      method,
      target,
      key: isKeyless ? 'none' : undefined,
      type: headerOf(request, 'content-type'),
      body: postData?.text,
    },
    response: readResponse(response.status, (name) => headerOf(response, name), body, method),
  }
}

function headerOf({ headers }: Headed, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value
}
