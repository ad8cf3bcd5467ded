// Recorded traffic (HAR 1.2), judged like the responses to probes.
import { UsageError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'
import { findTarget, parseBaseUrl } from '../mock/base-address.ts'
import { parseQuery } from '../service/parse-input.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { type Exchange, fieldOf, petsOf, readResponse } from './exchange.ts'
import { type Calibration, judge, type Run } from './judge.ts'

/** Without an address, every request to a path of the API counts. */
export function judgeHar(text: string, address: string | undefined, settings: Pick<Run, 'against' | 'expect'>): Calibration {
  const addresses = parseBaseUrl(address)
  const entries = parseEntries(text)
  // Browsers leave keys out: that a request has none means something only if another one has.
  const hasKeys = entries.some((entry) => headerOf(fieldOf(entry, 'request'), 'authorization') !== undefined)
  const exchanges = entries.flatMap((entry) => {
    const url = new URL(String(fieldOf(fieldOf(entry, 'request'), 'url')))
    const target = findTarget(addresses, url)
    try {
      return target === undefined ? [] : [toExchange(entry, target, hasKeys)]
    } catch {
      // Not a target that the service can have.
      return []
    }
  })
  return judge({ ...settings, start: new Date().toISOString(), pets: exchanges.flatMap(({ response }) => petsOf(response)), exchanges })
}

function parseEntries(text: string): readonly unknown[] {
  try {
    const entries: unknown[] = JSON.parse(text).log.entries
    if (entries.every((entry) => URL.canParse(String(fieldOf(fieldOf(entry, 'request'), 'url'))))) return entries
  } catch {}
  throw new UsageError('Expected an HTTP archive (HAR 1.2)')
}

function toExchange(entry: unknown, target: string, hasKeys: boolean): Exchange {
  const [request, response] = [fieldOf(entry, 'request'), fieldOf(entry, 'response')]
  const [method, status, content] = [String(fieldOf(request, 'method')), Number(fieldOf(response, 'status')), fieldOf(response, 'content')]
  const isKeyless = status === 401 || (hasKeys && headerOf(request, 'authorization') === undefined)
  const sent = fieldOf(fieldOf(request, 'postData'), 'text')
  const text = String(fieldOf(content, 'text') ?? '')
  const isEncoded = fieldOf(content, 'encoding') === 'base64'
  const body = isEncoded ? new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))) : text
  const { path: sentPath, query } = parseTarget(target)
  parseQuery(query)
  const path = findRoute(sentPath)?.byMethod.get(method)?.path.slice(contract.basePath.length)
  const probe = { tier: 'writes', method, target, key: isKeyless ? 'none' : undefined, type: headerOf(request, 'content-type') } as const
  return {
    // Without values, which are the recording's own.
    label: `${method} ${path ?? 'another path'}`,
    probe: { ...probe, body: sent === undefined ? undefined : String(sent) },
    response: readResponse(status, (name) => headerOf(response, name), body, method),
  }
}

function headerOf(message: unknown, wanted: string): string | undefined {
  const headers = fieldOf(message, 'headers')
  const found = Array.isArray(headers)
    ? headers.find((one) => String(fieldOf(one, 'name')).toLowerCase() === wanted.toLowerCase())
    : undefined
  return found === undefined ? undefined : String(fieldOf(found, 'value'))
}
