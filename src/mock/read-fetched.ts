// What was given to `fetch`, as a Request of the platform. In environments such as jsdom the global
// classes are of another realm, and the platform's Request refuses them or takes them for a text.
import { isBodiless } from '../contract/address.ts'
import { isObject } from '../contract/values.ts'
import { readForeignBody } from './foreign-body.ts'

interface Fetched {
  readonly request: Request
  /** Beside the request, which refuses one of another realm. */
  readonly signal: AbortSignal | undefined
}

/** What a Request takes as it is. */
const FIELDS = [
  'method',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'referrer',
  'referrerPolicy',
  'integrity',
  'keepalive',
  'duplex',
] as const
type Fields = RequestInit & { duplex?: string }

export async function readFetched(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  url: URL,
): Promise<Fetched> {
  const given = isRequestObject(input) ? input : undefined
  const signal = (init?.signal === undefined ? given?.signal : init.signal) ?? undefined
  if (given && !init) return { request: given, signal }
  const fields = readFields(init)
  if (given && !(given instanceof Request)) await addForeign(fields, given)
  const foreign = await readForeignBody(fields.body, signal)
  if (foreign) fields.body = foreign.body
  const request = new Request(given instanceof Request ? given : url.href, fields)
  if (foreign?.type && !request.headers.has('content-type'))
    request.headers.set('content-type', foreign.type)
  return { request, signal }
}

/** Of any realm or library, so not by its class. */
export const isRequestObject = (value: unknown): value is Request =>
  isObject(value) && typeof value.url === 'string' && isObject(value.headers)

/** One by one, since a field may be a getter of a class, which a copy of the object would lack. */
function readFields(init: Fields | undefined): Fields {
  const read: Record<string, unknown> = {}
  for (const name of FIELDS) {
    if (init?.[name] !== undefined) read[name] = init[name]
  }
  const fields = read as Fields
  if (init?.headers) fields.headers = readHeaders(init.headers)
  if (init?.body) fields.body = init.body
  return fields
}

/** Adds what the fields leave to a request of another realm or library. */
async function addForeign(fields: Fields, given: Request): Promise<void> {
  fields.method ??= given.method
  fields.headers ??= readHeaders(given.headers)
  if (fields.body === undefined && !isBodiless(given.method))
    fields.body = await given.arrayBuffer()
}

/** As pairs; not every library can iterate over its headers. */
function readHeaders(headers: HeadersInit): HeadersInit {
  if (Array.isArray(headers) || typeof headers.forEach !== 'function') return headers
  const pairs: [string, string][] = []
  headers.forEach((value: string, name: string) => {
    pairs.push([name, value])
  })
  return pairs
}
