// Recorded traffic (HAR 1.2) as exchanges, judged like the responses to probes. Every request to a path of the API counts, on any host.
import { UsageError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { type Exchange, readResponse } from './exchange.ts'

type HarMessage = { readonly headers: readonly { readonly name: string; readonly value: string }[] }

/** As far as it is read. */
interface HarEntry {
  readonly request: HarMessage & { readonly method: string; readonly url: string; readonly postData?: { readonly text?: string } }
  readonly response: HarMessage & { readonly status: number; readonly content: { readonly text?: string } }
}

export function readHar(text: string): Exchange[] {
  try {
    const entries: readonly HarEntry[] = JSON.parse(text).log.entries
    // Browsers leave keys out: that a request has none means something only if another one has.
    const hasKeys = entries.some(({ request }) => findHeader(request, 'authorization') !== undefined)
    return entries.flatMap((entry) => toExchange(entry, hasKeys) ?? [])
  } catch {
    throw new UsageError('Expected an HTTP archive (HAR 1.2)')
  }
}

function toExchange({ request, response }: HarEntry, hasKeys: boolean): Exchange | undefined {
  const { method, postData } = request
  const { status, content } = response
  const { pathname, search } = new URL(request.url)
  const target = pathname.slice(Math.max(pathname.lastIndexOf(`${contract.basePath}/`), 0)) + search
  const isBroken = /%(?![\da-f]{2})/i.test(target)
  const path = isBroken ? undefined : findRoute(parseTarget(target).path)?.byMethod.get(method)?.path
  if (path === undefined) return undefined
  const isKeyless = status === 401 || (hasKeys && findHeader(request, 'authorization') === undefined)
  const sent = { key: isKeyless ? ('none' as const) : undefined, type: findHeader(request, 'content-type'), body: postData?.text }
  return {
    // Without values, which are the recording's own.
    label: `${method} ${path.slice(contract.basePath.length)}`,
    probe: { tier: 'writes', method, target, ...sent },
    response: readResponse(status, (name) => findHeader(response, name), content.text ?? '', method),
  }
}

function findHeader({ headers }: HarMessage, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value
}
