// A request with its response, from the real service, a recording (HAR 1.2) or the mock: reads it and compares it with
// the spec. Only what a report may show is kept of a body, so names of animals never leave this file.
import { isObject, readOwn } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { type Json, parseInt64, tryJson } from '../contract/int64-json.ts'
import { petSchema, toPet } from '../contract/pet.ts'
import { count, say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { contract, type Pet } from '../generated/contract.ts'
import { parseQuery } from '../service/parse-input.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { JSON_TYPE, type Probe, UNKNOWN } from './probes.ts'

export interface Response {
  /** 0 if there was none. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly json?: Json | undefined
  /** Why it says nothing about the service, with what was seen. */
  readonly problem?: string
}

export interface Exchange {
  readonly label: string
  readonly probe: Probe
  readonly response: Response
}

/** Strings of other fields are emptied. */
const SHOWN_FIELDS = ['id', 'categoryId', 'status', 'code']
/** Names, codes, media types and numbers. An encoded secret hardly ever looks like one. */
const SHOWN = /^(?:[a-z]{1,40}(?:[_./+-][a-z]{1,40}){0,5}\d{0,3}|-?\d{1,19})$/i
/** Too many texts contain a shorter key by chance. */
const MIN_KEY_CHARACTERS = 8
const SHOWN_VIOLATIONS = 3
const SHOWN_EXTRAS = 20
const RELIED_ON = /^(?:link|location|etag|content-range|x-[a-z-]*(?:total|count|page|cursor)[a-z-]*)$/
const { schemas, operations } = contract

/** `body` is undefined if part of it is missing; `secret` is the key, which a service may repeat. */
export function readResponse(status: number, fields: Iterable<readonly [string, string]>, body?: string, secret = UNKNOWN): Response {
  const json = tryJson(body)
  const headers = new Map([...fields].map(([name, value]) => [name.toLowerCase(), show(value.split(';', 1)[0]?.trim() ?? '', secret)]))
  const response = { status, headers, json: json === undefined ? undefined : scrub(json, secret) }
  const retryAfter = headers.has('retry-after') ? `, Retry-After: ${headers.get('retry-after')}` : ''
  if (status >= 300 && status < 400) return { ...response, problem: `${status}, a redirect, which is not followed` }
  if (status === 429 || status < 200 || status >= 500) return { ...response, problem: `${status}${retryAfter}` }
  return body === undefined ? { ...response, problem: `${status}, without its whole body` } : response
}

function show(text: string, secret: string): string {
  const hidden = secret.toLowerCase()
  const isSecret = text.toLowerCase() === hidden || (hidden.length >= MIN_KEY_CHARACTERS && text.toLowerCase().includes(hidden))
  return !isSecret && (SHOWN.test(text) || new Date(text).toUTCString() === text) ? text : '…'
}

function scrub(value: Json, secret: string, field = ''): Json {
  if (typeof value === 'string') return SHOWN_FIELDS.includes(field) ? show(value, secret) : ''
  if (Array.isArray(value)) return value.map((item) => scrub(item, secret))
  if (!isObject(value)) return value
  const isOurs = (name: string) => name === UNKNOWN || show(name, secret) === name
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [isOurs(name) ? name : '…', scrub(item as Json, secret, name)]))
}

/** The valid animals, up to the longest list that the spec allows. */
export function petsOf({ json }: Response): Pet[] {
  const items: readonly unknown[] = Array.isArray(json) ? json.slice(0, operations.listPets.parameters[0].schema.maximum) : [json]
  const isPet = (item: unknown): item is Pet => findViolations(petSchema, item).length === 0
  return items.filter(isPet).map((pet) => toPet(pet.id, pet))
}

/** `200 with 3 animals`, `404 NotFound`, `201 with status absent`. */
export function describeResponse({ status, json, problem, headers }: Response): string {
  if (problem !== undefined) return problem
  const parts: unknown[] = [status, readOwn(json, 'code')]
  if (json === undefined) parts.push(`without JSON, Content-Type: ${headers.get('content-type') ?? 'none'}`)
  if (Array.isArray(json)) parts.push(`with ${count(json.length, 'animal')}`)
  if (readOwn(json, 'id') !== undefined) parts.push(`with status ${readOwn(json, 'status') ?? 'absent'}`)
  if (headers.has('sunset')) parts.push(`(Sunset: ${headers.get('sunset')})`)
  return parts.filter((part) => part !== undefined).join(' ')
}

/** `allowed` are the statuses that the request may get. */
export function findDeviations({ probe, response }: Exchange, allowed: readonly number[]): string[] {
  const { status, json, headers } = response
  const { path, query } = parseTarget(probe.target)
  const route = findRoute(path)
  const found: string[] = []
  if (status === 401 && !headers.has('www-authenticate')) found.push('401 without WWW-Authenticate')
  // The spec says nothing about other paths.
  if (!route) return found
  const isAllowed = allowed.includes(status)
  if (!isAllowed) found.push(`expected ${allowed.join(' or ')}, got ${status}`)
  const type = headers.get('content-type')
  if (type?.toLowerCase() !== JSON_TYPE) found.push(`expected ${JSON_TYPE}, got ${type ?? 'no media type'}`)
  const error: Schema = { ...schemas.Error, properties: { ...schemas.Error.properties, status: { const: status } } }
  const success = isAllowed ? narrow(route.params, parseQuery(query), tryJson(probe.body)) : {}
  const violations = findViolations(status >= 400 ? error : success, json).slice(0, SHOWN_VIOLATIONS)
  return [...found, ...violations.map(say)]
}

/** Fields and headers that the spec does not name, but clients could come to rely on. */
export function findExtras({ probe, response: { status, json, headers, problem } }: Exchange): string[] {
  if (problem !== undefined || !findRoute(parseTarget(probe.target).path)) return []
  const [name, { properties }] = status >= 400 ? (['Error', schemas.Error] as const) : (['Pet', schemas.Pet] as const)
  const fields = (Array.isArray(json) ? json : [json]).flatMap((item) => (isObject(item) ? Object.keys(item) : []))
  const unknown = new Set(fields.filter((field) => field !== UNKNOWN && !Object.hasOwn(properties, field)))
  const relied = [...headers.keys()].filter((header) => RELIED_ON.test(header))
  return [...[...unknown].map((field) => `${name}.${field}`), ...relied].slice(0, SHOWN_EXTRAS)
}

/** For a success of this very request: also catches a list that is too long, a wrong status, and an id that lost digits. */
function narrow(params: Readonly<Record<string, string>>, asked: ReadonlyMap<string, string[]>, sent: Json | undefined): Schema {
  const [limit, filter] = operations.listPets.parameters
  const isValid = (schema: Schema, value: unknown) => findViolations(schema, value).length === 0
  const [status] = asked.get(filter.name) ?? []
  const known = Object.entries({
    id: parseInt64(params.petId ?? ''),
    categoryId: readOwn(sent, 'categoryId'),
    status: isValid(filter.schema, status) ? status : readOwn(sent, 'status'),
  }).filter(([, value]) => value !== undefined)
  const properties = { ...schemas.Pet.properties, ...Object.fromEntries(known.map(([name, value]) => [name, { const: value }])) }
  const pet: Schema = { ...schemas.Pet, required: [...schemas.Pet.required, ...known.map(([name]) => name)], properties }
  if (params.petId !== undefined || sent !== undefined) return pet
  const size = parseInt64(asked.get(limit.name)?.[0] ?? String(limit.schema.default))
  return { ...schemas.Pets, maxItems: isValid(limit.schema, size) ? Number(size) : limit.schema.maximum, items: pet }
}

type HarMessage = Readonly<{ headers: readonly Readonly<{ name: string; value: string }>[] }>
type HarText = Readonly<{ text?: string; size?: number; mimeType?: string; encoding?: string }>
type HarEntry = Readonly<{
  request: HarMessage & Readonly<{ method: string; url: string; bodySize?: number; postData?: HarText }>
  response: HarMessage & Readonly<{ status: number; content: HarText }>
}>

/** Every request to a path of the API counts, on any host. */
export function readHar(text: string): Exchange[] {
  try {
    const entries: readonly HarEntry[] = JSON.parse(text).log.entries
    // Browsers leave keys out: a missing key means something only if another request has one.
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
  // For a revalidated copy browsers record 304 with the body and the media type of the copy.
  const status = response.status === 304 && content.text ? 200 : response.status
  const types = content.mimeType?.includes('/') ? [{ name: 'content-type', value: content.mimeType }] : []
  const authorization = findHeader(request, 'authorization')
  const headers = [...types, ...response.headers].map(({ name, value }) => [name, value] as const)
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

/** Without the recorded values; undefined if it is not a request of the API. */
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

/** Undefined if the recording lacks part of it. */
function readText({ text, encoding }: HarText, size = -1): string | undefined {
  if (text === undefined) return size === 0 ? '' : undefined
  const bytes = encoding === 'base64' ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : new TextEncoder().encode(text)
  const decoded = new TextDecoder().decode(bytes)
  return bytes.length < size && tryJson(decoded) === undefined ? undefined : decoded
}

function findHeader({ headers }: HarMessage, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value
}
