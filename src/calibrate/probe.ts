// The probes that calibrate sends, and how it sends one and reads the response. Only what a report
// may show is kept of a body, so names of animals never leave this file.
import { staysHere } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { contract, type Pet } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { JSON_TYPE, type Json, tryJson } from '../contract/int64-json.ts'
import { isObject } from '../contract/values.ts'

export const TIERS = ['read', 'refused-writes', 'create-animal'] as const
export type Tier = (typeof TIERS)[number]

export interface Probe {
  readonly method: string
  readonly target: string
  readonly key?: 'wrong' | 'none' | undefined
  readonly type?: string | undefined
  readonly body?: string | undefined
  readonly needsAnimal?: boolean
  readonly ifRefused?: boolean
  /**
   * The service knows its categories and animals, so it may also refuse this as the spec documents.
   */
  readonly mayBeRefused?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly json?: Json | undefined
  /** Why it says nothing about the service, with what was seen. */
  readonly problem?: string
}

export type Trial = Readonly<{ label: string; probe: Probe; response: Answer }>

/** A status, a path, a key and a field that the service does not have. */
export const UNKNOWN = 'animal-store-mock-probe'
/**
 * An id and category that the service is unlikely to have. A double cannot hold it, so that
 * rounding shows.
 */
export const UNUSED = String(2n ** 62n + 1n)
export const EXTRA = `,"${UNKNOWN}":true`
const SHOWN_FIELDS = ['id', 'categoryId', 'status', 'code']
/** Names, codes, media types and numbers. A secret hardly ever looks like one. */
const SHOWN = /^(?:[a-z]{1,40}(?:[_./+-][a-z]{1,40}){0,5}\d{0,3}|-?\d{1,19})$/i
const SENDERS = { none: 'without a key', wrong: 'with a wrong key' }
const TIMEOUT_MS = 10_000
const USER_AGENT = `animal-store-mock/${version} calibrate`
const { basePath, operations } = contract
const list = operations.listPets.path
const [limit, filter] = operations.listPets.parameters

const get = (target: string, more?: Partial<Probe>): Probe => ({ method: 'GET', target, ...more })
const getPet = (id: unknown, more?: Partial<Probe>) =>
  get(operations.getPet.path.replace('{petId}', String(id)), more)
const post = (body: string, more?: Partial<Probe>) =>
  get(list, { method: 'POST', type: JSON_TYPE, body, ...more })

/**
 * The first one lists the animals; `pet` is one of them. What the responses mean, the mock knows:
 * it predicts them.
 */
export function createProbes(upTo: Tier, pet?: Pet, date = '{date}'): readonly Probe[] {
  const { id, categoryId } = pet ?? { id: '{listed id}', categoryId: '{listed category}' }
  const create = (category: unknown, extra: string, more: Partial<Probe>) =>
    post(`{"name":"animal-store-mock probe ${date}","categoryId":${category}${extra}}`, more)
  const read = [
    get(`${list}?limit=${limit.schema.maximum}`),
    get(`${list}?status=${filter.schema.enum.at(-1)}&limit=${limit.schema.minimum}`),
    get(`${list}?offset=1&page=2`),
    get(`${list}?limit=${limit.schema.minimum - 1}`),
    get(`${list}?limit=${limit.schema.maximum + 1}&status=${UNKNOWN}`),
    getPet(id, { needsAnimal: true }),
    getPet(UNUSED),
    getPet(UNKNOWN),
    get(`${basePath}/${UNKNOWN}`, { key: 'none' }),
    get(list, { key: 'none' }),
    getPet(id, { needsAnimal: true, key: 'none' }),
    get(list, { key: 'wrong' }),
  ]
  // The service must refuse these: required fields are missing or have the wrong type.
  const mistyped = `{"name":1,"categoryId":"${UNKNOWN}","status":"${UNKNOWN}"}`
  const refused = [post('{}'), post(mistyped), post('{}', { type: 'text/plain' })]
  // One animal settles three questions. Only if it is refused, the next ones find out why.
  const created = [
    create(UNUSED, EXTRA, { mayBeRefused: true }),
    create(categoryId, EXTRA, { needsAnimal: true, ifRefused: true }),
    create(UNUSED, '', { ifRefused: true, mayBeRefused: true }),
    create(categoryId, '', { needsAnimal: true, ifRefused: true }),
    create(UNUSED, '', { key: 'none' }),
  ]
  return [read, refused, created].slice(0, TIERS.indexOf(upTo) + 1).flat()
}

export function describeProbe({ method, target, key, type = JSON_TYPE, body }: Probe): string {
  const parts = [
    method,
    target.slice(basePath.length),
    key && SENDERS[key],
    type === JSON_TYPE ? '' : type,
    body,
  ]
  return parts.filter(Boolean).join(' ')
}

export function headersOf({ key, type }: Probe, apiKey: string): Readonly<Record<string, string>> {
  const authorization = `Bearer ${key === 'wrong' ? UNKNOWN : apiKey}`
  return {
    ...(key !== 'none' && { authorization }),
    ...(type !== undefined && { 'content-type': type }),
  }
}

export async function sendProbe(
  probe: Probe,
  base: URL,
  apiKey: string,
  send: typeof fetch,
): Promise<Answer> {
  const { method, target, body = null } = probe
  const headers = { accept: JSON_TYPE, 'user-agent': USER_AGENT, ...headersOf(probe, apiKey) }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const url = base.href.replace(/\/+$/, '') + target.slice(basePath.length)
  try {
    const response = await send(url, { method, headers, redirect: 'manual', signal, body })
    return readResponse(response.status, response.headers, await response.text())
  } catch (error) {
    // Not the message, which can quote what was sent.
    const { name, cause } = error as Error & { cause?: { code?: unknown } }
    return {
      status: 0,
      headers: new Map(),
      problem: `no complete response (${cause?.code ?? name})`,
    }
  }
}

export function readResponse(
  status: number,
  fields: Iterable<readonly [string, string]>,
  body: string,
): Answer {
  const json = tryJson(body)
  const showField = (value: string) => showWord(value.replace(/;.*/s, '').trim())
  const headers = new Map(
    [...fields].map(([name, value]) => [name.toLowerCase(), showField(value)]),
  )
  const response = { status, headers, json: json && scrub(json) }
  const retryAfter = headers.has('retry-after')
    ? `, Retry-After: ${headers.get('retry-after')}`
    : ''
  if (status >= 300 && status < 400)
    return { ...response, problem: `${status}, a redirect, which is not followed` }
  return status === 429 || status < 200 || status >= 500
    ? { ...response, problem: `${status}${retryAfter}` }
    : response
}

const showWord = (text: string) =>
  SHOWN.test(text) || new Date(text).toUTCString() === text ? text : '…'

function scrub(value: Json, field = ''): Json {
  if (typeof value === 'string') return SHOWN_FIELDS.includes(field) ? showWord(value) : ''
  if (Array.isArray(value)) return value.map((item) => scrub(item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [showWord(name), scrub(item as Json, name)]),
  )
}

/** Plain http only on this machine, since the key is sent there. */
export function parseAddress(given: string | URL): URL {
  const url =
    /^https?:\/\/[^?#@]+$/i.test(String(given)) && URL.canParse(String(given))
      ? new URL(given)
      : undefined
  if (url && (url.protocol === 'https:' || staysHere(url.hostname))) return url
  throw mismatch(
    'baseUrl',
    'an https address like https://staging.example.com/v1 (http only on this machine)',
  )
}
