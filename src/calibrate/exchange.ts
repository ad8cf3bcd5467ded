// A request with its response, of the real service, of a recording or of the mock: how it is read, and how it is held against the spec. Of
// a body only what a report may show is kept, so names of animals never get past this file.
import { cutText, isObject, readOwn } from '../contract/describe-value.ts'
import { type Json, parseInt64, parseJson } from '../contract/int64-json.ts'
import { petSchema, toPet } from '../contract/pet.ts'
import { findViolations, type Schema, toSentences } from '../contract/schema.ts'
import { contract, type Pet } from '../generated/contract.ts'
import { parseQuery } from '../service/parse-input.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import { JSON_TYPE, type Probe, UNKNOWN } from './probes.ts'

export interface Response {
  /** 0 if there was none. */
  readonly status: number
  header(name: string): string | undefined
  readonly json?: Json | undefined
  /** Why it says nothing about the service, with what was seen. */
  readonly problem?: string
}

export interface Exchange {
  /** How reports name the request. */
  readonly label: string
  readonly probe: Probe
  readonly response: Response
}

/** The strings that a report may show; all others are emptied. */
const SHOWN_FIELDS = ['id', 'categoryId', 'status', 'code']
const SHOWN_CHARACTERS = 80
const SHOWN_VIOLATIONS = 3
const { schemas, operations } = contract

/** `secret` is the key, which a service may repeat. */
export function readResponse(status: number, header: Response['header'], body: string, method: string, secret = UNKNOWN): Response {
  const json = method === 'HEAD' ? undefined : tryJson(body)
  const response = { status, header, json: json === undefined ? undefined : scrub(json, secret) }
  const seen = (name: string) => (header(name) === undefined ? '' : `, ${name}: ${cutText(header(name) as string, SHOWN_CHARACTERS)}`)
  if (status === 429 || status < 200 || status >= 500) return { ...response, problem: `${status}${seen('Retry-After')}` }
  if (status >= 300 && status < 400) return { ...response, problem: `${status}, a redirect, which is not followed` }
  const isReadable = json !== undefined || method === 'HEAD' || (body === '' && status >= 400)
  return isReadable ? response : { ...response, problem: `${status}, not JSON${seen('Content-Type')}` }
}

/** Undefined if the text is not JSON. */
function tryJson(text = ''): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function scrub(value: Json, secret: string, field = ''): Json {
  if (typeof value === 'string') return SHOWN_FIELDS.includes(field) ? cutText(value.replaceAll(secret, '…'), SHOWN_CHARACTERS) : ''
  if (Array.isArray(value)) return value.map((item) => scrub(item, secret))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, scrub(item as Json, secret, name)]))
}

/** The valid animals of a response. */
export function petsOf({ json }: Response): Pet[] {
  const items = (Array.isArray(json) ? json : [json]) as unknown as Pet[]
  return items.filter((item) => findViolations(petSchema, item).length === 0).map((pet) => toPet(pet.id, pet))
}

/** What came, in a few words: `200 with 3 animals`, `404 NotFound`, `201 with status absent`. */
export function describeResponse({ status, json, problem, header }: Response): string {
  if (problem !== undefined) return problem
  const parts: unknown[] = [status, readOwn(json, 'code')]
  if (Array.isArray(json)) parts.push(`with ${json.length} animal${json.length === 1 ? '' : 's'}`)
  if (readOwn(json, 'id') !== undefined) parts.push(`with status ${readOwn(json, 'status') ?? 'absent'}`)
  if (header('sunset') !== undefined) parts.push(`(Sunset: ${cutText(header('sunset') ?? '', SHOWN_CHARACTERS)})`)
  return parts.filter((part) => part !== undefined).join(' ')
}

/** What of a response is not as the spec has it; `allowed` are the statuses that the request may get. */
export function findDeviations({ probe, response }: Exchange, allowed: readonly number[]): string[] {
  const { status, json, header } = response
  const { path, query } = parseTarget(probe.target)
  const route = findRoute(path)
  const found: string[] = []
  if (status === 401 && header('www-authenticate') === undefined) found.push('401 without WWW-Authenticate')
  if (status === 405 && header('allow') === undefined) found.push('405 without Allow')
  if (!route?.byMethod.has(probe.method)) return found
  const isAllowed = allowed.includes(status)
  if (!isAllowed) found.push(`expected ${allowed.join(' or ')}, got ${status}`)
  const type = header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (json !== undefined && type !== JSON_TYPE) found.push(`expected ${JSON_TYPE}, got ${type ?? 'no media type'}`)
  const error: Schema = { ...schemas.Error, properties: { ...schemas.Error.properties, status: { const: status } } }
  const schema = status >= 400 ? error : isAllowed ? narrow(route.params, parseQuery(query), tryJson(probe.body)) : {}
  return [...found, ...toSentences(findViolations(schema, json)).slice(0, SHOWN_VIOLATIONS)]
}

/**
 * The schema of a successful response to this very request, so that the validator also sees a list that is too long, an animal of another
 * status, and an id that lost digits. Names are not compared, since they are not kept.
 */
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
