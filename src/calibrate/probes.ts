// The requests that calibrate sends. What they show is not written down: the mock predicts every response.
import { UsageError } from '../contract/errors.ts'
import { contract, type Pet } from '../generated/contract.ts'

/** How far the probes go: each tier includes those before it. */
export const TIERS = ['read', 'refused-writes', 'create-animal'] as const
export type Tier = (typeof TIERS)[number]

export interface Probe {
  readonly tier: Tier
  readonly method: string
  /** As the mock routes it, `/v1` included. */
  readonly target: string
  readonly key?: 'wrong' | 'none' | undefined
  readonly type?: string | undefined
  readonly body?: string | undefined
  /** Left out if the store is empty. */
  readonly needsAnimal?: boolean
  readonly ifRefused?: boolean
  /** The service knows its categories and animals, so it may also refuse this as the spec documents. */
  readonly mayBeRefused?: boolean
}

/** A status, a path, a key and a field that the service does not have. */
export const UNKNOWN = 'animal-store-mock-probe'
/** An id and category that the service is unlikely to have. A double cannot hold it, so a service that rounds shows that. */
export const UNUSED = 2n ** 62n + 1n
export const EXTRA = `,"${UNKNOWN}":true`
export const JSON_TYPE = 'application/json'
const { basePath, operations } = contract
const list = operations.listPets.path
const [{ schema: limit }, { schema: status }] = operations.listPets.parameters

/** The first probe lists the animals; `pet` is one of them. Reports show braces instead of its values. */
export function createProbes(upTo: Tier, pet?: Pet, date = '{date}'): readonly Probe[] {
  const read = (target: string, more: Partial<Probe> = {}): Probe => ({ tier: 'read', method: 'GET', target, ...more })
  const get = (petId: unknown, more?: Partial<Probe>) => read(operations.getPet.path.replace('{petId}', String(petId)), more)
  const post = (body: string, type = JSON_TYPE): Probe => ({ tier: 'refused-writes', method: 'POST', target: list, type, body })
  const create = (categoryId: unknown, extra: string, more: Partial<Probe> = { ifRefused: true }): Probe => ({
    ...post(`{"name":"animal-store-mock probe ${date}","categoryId":${categoryId}${extra}}`),
    tier: 'create-animal',
    needsAnimal: categoryId !== UNUSED,
    mayBeRefused: categoryId === UNUSED,
    ...more,
  })
  const { id, categoryId } = pet ?? { id: '{listed id}', categoryId: '{listed category}' }
  const probes = [
    read(`${list}?limit=${limit.maximum}`),
    read(`${list}?status=${status.enum.at(-1)}&limit=${limit.minimum}`),
    read(`${list}?offset=1&page=2`),
    read(`${list}?limit=${limit.minimum - 1}`),
    read(`${list}?limit=${limit.maximum + 1}&status=${UNKNOWN}`),
    get(id, { needsAnimal: true }),
    get(UNUSED),
    get(UNKNOWN),
    read(`${basePath}/${UNKNOWN}`, { key: 'none' }),
    read(list, { key: 'none' }),
    get(id, { needsAnimal: true, key: 'none' }),
    read(list, { key: 'wrong' }),
    // The service must refuse these: required fields are missing or have the wrong type.
    post('{}'),
    post(`{"name":1,"categoryId":"${UNKNOWN}","status":"${UNKNOWN}"}`),
    post('{}', 'text/plain'),
    // One animal settles three questions. Only if it is refused, the next ones find out why.
    create(UNUSED, EXTRA, {}),
    create(categoryId, EXTRA),
    create(UNUSED, ''),
    create(categoryId, ''),
    // Shows a service that does not check keys.
    create(UNUSED, '', { key: 'none', mayBeRefused: false }),
  ]
  return probes.filter(({ tier }) => TIERS.indexOf(tier) <= TIERS.indexOf(upTo))
}

const SENDERS = { none: 'without a key', wrong: 'with a wrong key' }

export function describeProbe({ method, target, key, type = JSON_TYPE, body }: Probe): string {
  const parts = [method, target.slice(basePath.length), key && SENDERS[key], type === JSON_TYPE ? '' : type, body]
  return parts.filter(Boolean).join(' ')
}

export function headersOf({ key, type }: Probe, apiKey: string): Readonly<Record<string, string>> {
  const authorization = `Bearer ${key === 'wrong' ? UNKNOWN : apiKey}`
  return { ...(key !== 'none' && { authorization }), ...(type !== undefined && { 'content-type': type }) }
}

/** Plain http only on this machine, since the key is sent there. */
export function parseAddress(given: string | URL): URL {
  const isSafe = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]))[^?#@]+$/i.test(String(given))
  if (isSafe && URL.canParse(String(given))) return new URL(given)
  throw new UsageError('Expected the https address of the service, like https://staging.example.com/v1 (http only on this machine)')
}
