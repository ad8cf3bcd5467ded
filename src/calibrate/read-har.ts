// The exchanges of an HTTP archive (HAR 1.2) that are about the service. A HAR is a stranger's
// file: it may lack anything, and have anything.
import { misuse } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import {
  MAX_CALIBRATED_BODY_BYTES,
  MAX_HAR_CHARACTERS,
  MAX_HAR_ENTRIES,
} from '../contract/limits.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { findRoute } from '../service/route.ts'
import type { RawExchange } from './exchange.ts'

/** Why an entry says nothing about the service. */
export const SKIPS = ['other address', 'preflight', 'cached', 'failed', 'unreadable'] as const
type Skip = (typeof SKIPS)[number]

export interface Traffic {
  /** The host of the service. */
  readonly against: string
  readonly exchanges: readonly RawExchange[]
  readonly skipped: Readonly<Record<Skip, number>>
  /** Browsers leave keys out. */
  readonly hasKeys: boolean
  /** The day of the first entry. */
  readonly on: string
}

/** The address of an entry: that of the service, and what follows it. */
interface Address {
  readonly service: string
  readonly target: string
}

type Entry = Readonly<{ address: Address; value: Record<string, unknown>; row: number }>

const VERSION = /^(?<prefix>.*?)(?<target>\/v\d+\/.*)$/
const { basePath } = contract

export function readHar(given: unknown): Traffic {
  const list = listEntries(typeof given === 'string' ? parseText(given) : given)
  const skipped = { 'other address': 0, preflight: 0, cached: 0, failed: 0, unreadable: 0 }
  const entries: Entry[] = []
  for (const [index, value] of list.entries()) {
    const address = readAddress(value)
    if (!address || !isObject(value)) skipped.unreadable++
    else entries.push({ address, value, row: index + 1 })
  }
  const service = findService(entries)
  const exchanges: RawExchange[] = []
  for (const entry of entries) {
    const skip = entry.address.service === service ? findSkip(entry) : 'other address'
    const exchange = skip === undefined ? readExchange(entry) : undefined
    if (exchange) exchanges.push(exchange)
    else skipped[skip ?? 'unreadable']++
  }
  if (exchanges.length > 0 && exchanges.every(({ responseBody }) => !responseBody)) {
    throw misuse('har', 'no response has its body; record the file with contents')
  }
  const starts = exchanges.map(({ start }) => start)
  const first = starts.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  return {
    against: new URL(service).host,
    exchanges,
    skipped,
    hasKeys: exchanges.some(({ requestHeaders }) => requestHeaders.has('authorization')),
    on: new Date(Number.isFinite(first) ? first : 0).toISOString().slice(0, 10),
  }
}

function parseText(text: string): unknown {
  if (text.length > MAX_HAR_CHARACTERS)
    throw misuse('har', `expected at most ${MAX_HAR_CHARACTERS} characters`)
  try {
    // Some tools write a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw misuse('har', 'expected a HAR file, got something that is not JSON')
  }
}

function listEntries(har: unknown): readonly unknown[] {
  const entries = readOwn(readOwn(har, 'log'), 'entries')
  if (!Array.isArray(entries)) throw misuse('har', 'expected a HAR file with log.entries')
  if (entries.length > MAX_HAR_ENTRIES)
    throw misuse('har', `expected at most ${MAX_HAR_ENTRIES} entries`)
  return entries
}

function readAddress(entry: unknown): Address | undefined {
  const text = readOwn(readOwn(entry, 'request'), 'url')
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  const found = VERSION.exec(pathname)?.groups
  return { service: origin + (found?.prefix ?? ''), target: (found?.target ?? pathname) + search }
}

/** The address at which most requests are for paths of the contract. */
function findService(entries: readonly Entry[]): string {
  const counts = new Map<string, number>()
  const others = new Set<string>()
  for (const { address } of entries) {
    const { service, target } = address
    if (isKnown(target)) counts.set(service, (counts.get(service) ?? 0) + 1)
    else if (isKnown(target.replace(/^\/v\d+/, basePath))) others.add(target.split('/')[1] ?? '')
  }
  const [found] = [...counts].sort(([, one], [, other]) => other - one)
  if (found) return found[0]
  const [version] = others
  const hint = version === undefined ? '' : `; it has /${version}: another API version?`
  throw misuse('har', `no request is for a path of the API under ${basePath}${hint}`)
}

function isKnown(target: string): boolean {
  try {
    const [path = ''] = target.split('?')
    return findRoute(path) !== undefined
  } catch {
    return false
  }
}

function findSkip({ value, address }: Entry): Skip | undefined {
  const status = readOwn(readOwn(value, 'response'), 'status')
  const method = readOwn(readOwn(value, 'request'), 'method')
  if (method === 'OPTIONS') return 'preflight'
  if (typeof status !== 'number' || !Number.isInteger(status) || status <= 0) return 'failed'
  if (value._fromCache !== undefined && value._fromCache !== null) return 'cached'
  if (status === 304) return 'cached'
  // A service may have more paths than the spec.
  const isOther = !address.target.startsWith(`${basePath}/`) || status < 400
  return !isKnown(address.target) && isOther ? 'other address' : undefined
}

function readExchange({ value, address, row }: Entry): RawExchange | undefined {
  const request = readOwn(value, 'request')
  const response = readOwn(value, 'response')
  const method = readOwn(request, 'method')
  const start = Date.parse(String(value.startedDateTime))
  const time = Number(value.time)
  const requestBody = readOwn(readOwn(request, 'postData'), 'text')
  const responseBody = readContent(readOwn(response, 'content'))
  const size = Math.max(String(requestBody ?? '').length, responseBody?.length ?? 0)
  if (typeof method !== 'string' || size > MAX_CALIBRATED_BODY_BYTES) return undefined
  // Without times, the order of the file.
  const began = Number.isNaN(start) ? row : start
  return {
    row,
    start: began,
    end: began + (time > 0 ? time : 0),
    method: method.toUpperCase(),
    target: address.target,
    requestHeaders: readRequestFields(request),
    requestBody: typeof requestBody === 'string' ? requestBody : undefined,
    status: Number(readOwn(response, 'status')),
    responseHeaders: readFields(response),
    responseBody,
  }
}

/** Some tools name the type of a body only beside the body. */
function readRequestFields(request: unknown): Headers {
  const fields = readFields(request)
  const type = readOwn(readOwn(request, 'postData'), 'mimeType')
  const isNamed = typeof type === 'string' && /^[\t -~]+$/.test(type)
  if (isNamed && !fields.has('content-type')) fields.set('content-type', type)
  return fields
}

/** Undefined if the body was not recorded. */
function readContent(content: unknown): string | undefined {
  const text = readOwn(content, 'text')
  if (typeof text !== 'string') return readOwn(content, 'size') === 0 ? '' : undefined
  if (readOwn(content, 'encoding') !== 'base64') return text
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined
  }
}

/** Those that HTTP/2 begins with a colon are not fields. */
function readFields(message: unknown): Headers {
  const fields = new Headers()
  const given = readOwn(message, 'headers')
  for (const field of Array.isArray(given) ? given : []) {
    try {
      fields.append(String(readOwn(field, 'name')), String(readOwn(field, 'value')))
    } catch {
      // Not a valid field.
    }
  }
  return fields
}
