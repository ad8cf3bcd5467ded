// Recorded traffic (HAR 1.2) as exchanges, judged like the responses to probes. Every request to a path of the API counts, on any host.
import { UsageError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'
import { parseQuery } from '../service/parse-input.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { type Exchange, readResponse, tryJson } from './exchange.ts'

type HarMessage = { readonly headers: readonly { readonly name: string; readonly value: string }[] }
type HarText = { readonly text?: string; readonly size?: number; readonly mimeType?: string; readonly encoding?: string }
/** As far as it is read. */
type HarEntry = {
  readonly request: HarMessage & { readonly method: string; readonly url: string; readonly bodySize?: number; readonly postData?: HarText }
  readonly response: HarMessage & { readonly status: number; readonly content: HarText }
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
  const { method, postData, bodySize } = request
  const { pathname, search } = new URL(request.url)
  const target = pathname.slice(Math.max(pathname.lastIndexOf(`${contract.basePath}/`), 0)) + search
  const label = describeTarget(method, target)
  if (label === undefined) return undefined
  const { content } = response
  // A browser that has revalidated its copy says 304, and has the media type of the copy only here.
  const status = response.status === 304 && content.text ? 200 : response.status
  const types = content.mimeType?.includes('/') ? [['content-type', content.mimeType] as const] : []
  const authorization = findHeader(request, 'authorization')
  const headers = [...types, ...response.headers.map(({ name, value }) => [name, value] as const)]
  const read = readResponse(status, headers, readText(content, content.size), authorization?.split(' ')[1])
  const key = status === 401 || (hasKeys && authorization === undefined) ? 'none' : undefined
  const body = readText(postData ?? { text: '' }, bodySize)
  const sent = { key, type: findHeader(request, 'content-type'), body: body || undefined, mayBeRefused: key === undefined } as const
  return {
    label: `${label} ${status}`,
    probe: { tier: 'read', method, target, ...sent },
    response: body === undefined ? { ...read, problem: 'the recording does not have the whole request' } : read,
  }
}

/** Without values, which are the recording's own; undefined if it is not a request of the API. */
function describeTarget(method: string, target: string): string | undefined {
  try {
    const { path, query } = parseTarget(target)
    const operation = findRoute(path)?.byMethod.get(method)
    const asked = parseQuery(query)
    const known = contract.operations.listPets.parameters.map(({ name }) => name).filter((name) => asked.has(name))
    return operation && `${method} ${operation.path.slice(contract.basePath.length)}${known.length > 0 ? `?${known.join('&')}` : ''}`
  } catch {
    return undefined
  }
}

/** Undefined if the recording has none of it, or only a part. */
function readText({ text, encoding }: HarText, size = -1): string | undefined {
  if (text === undefined) return size === 0 ? '' : undefined
  const bytes = encoding === 'base64' ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : new TextEncoder().encode(text)
  const decoded = new TextDecoder().decode(bytes)
  return bytes.length < size && tryJson(decoded) === undefined ? undefined : decoded
}

function findHeader({ headers }: HarMessage, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value
}
