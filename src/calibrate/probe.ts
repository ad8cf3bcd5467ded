// The requests that calibrate sends to the real service, as a table. What the responses mean, the
// mock knows: it predicts them.
import { contract, type Pet } from '../contract/generated/contract.ts'
import { JSON_TYPE } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'

export const TIERS = ['read', 'refused-writes', 'create-animal'] as const
export type Tier = (typeof TIERS)[number]

export interface Probe {
  readonly target: string
  readonly key?: 'wrong' | 'none'
  readonly body?: string
  /** The media type of the body, if it is not JSON. */
  readonly type?: string
  /** Sent only if the service refused the probe before. */
  readonly ifRefused?: true
  /**
   * The service knows its categories and animals, so it may also refuse this as the spec documents.
   */
  readonly mayBeRefused?: true
}

/** A status, a path, a key and a field that the service does not have. */
const UNKNOWN = 'animal-store-mock-probe'
/**
 * An id and category that the service is unlikely to have. A double cannot hold it, so that
 * rounding shows.
 */
const UNUSED = String(2n ** 62n + 1n)
const EXTRA = `,"${UNKNOWN}":true`

/** `fillProbe` replaces these by an animal that the service listed, and by the date. */
const LISTED_ID = '{listed id}'
const LISTED_CATEGORY = '{listed category}'
const DATE = '{date}'
const NAME = `animal-store-mock probe ${DATE}`

const { basePath, operations, schemas } = contract
const list = operations.listPets.path
const [limit, filter] = operations.listPets.parameters
const someStatus = filter.schema.enum.at(-1)
const pathTo = (id: string) => operations.getPet.path.replace('{petId}', id)
const newAnimal = (category: string, extra = '') =>
  `{"name":"${NAME}","categoryId":${category}${extra}}`

const PROBES = {
  read: {
    listAll: { target: `${list}?limit=${limit.schema.maximum}` },
    listByStatus: { target: `${list}?status=${someStatus}&limit=${limit.schema.minimum}` },
    listByPage: { target: `${list}?offset=1&page=2` },
    limitTooLow: { target: `${list}?limit=${limit.schema.minimum - 1}` },
    limitTooHigh: { target: `${list}?limit=${limit.schema.maximum + 1}&status=${UNKNOWN}` },
    listedId: { target: pathTo(LISTED_ID) },
    unusedId: { target: pathTo(UNUSED) },
    invalidId: { target: pathTo(UNKNOWN) },
    unknownPath: { target: `${basePath}/${UNKNOWN}`, key: 'none' },
    listWithoutKey: { target: list, key: 'none' },
    listedIdWithoutKey: { target: pathTo(LISTED_ID), key: 'none' },
    listWithWrongKey: { target: list, key: 'wrong' },
  },
  // The service must refuse these: required fields are missing or have the wrong type.
  'refused-writes': {
    noFields: { target: list, body: '{}' },
    wrongTypes: {
      target: list,
      body: `{"name":1,"categoryId":"${UNKNOWN}","status":"${UNKNOWN}"}`,
    },
    wrongMediaType: { target: list, body: '{}', type: 'text/plain' },
  },
  // One animal settles three questions. Only if it is refused, the next ones find out why.
  'create-animal': {
    unusedCategoryAndExtra: {
      target: list,
      body: newAnimal(UNUSED, EXTRA),
      mayBeRefused: true,
    },
    extra: { target: list, body: newAnimal(LISTED_CATEGORY, EXTRA), ifRefused: true },
    unusedCategory: {
      target: list,
      body: newAnimal(UNUSED),
      ifRefused: true,
      mayBeRefused: true,
    },
    usualAnimal: { target: list, body: newAnimal(LISTED_CATEGORY), ifRefused: true },
    animalWithoutKey: { target: list, body: newAnimal(UNUSED), key: 'none' },
  },
} satisfies Record<Tier, Record<string, Probe>>

/** In the order in which they are sent. The first one lists the animals. */
export function createProbes(upTo: Tier): readonly Probe[] {
  const tiers = TIERS.slice(0, TIERS.indexOf(upTo) + 1)
  return tiers.flatMap((tier): readonly Probe[] => Object.values(PROBES[tier]))
}

/** A probe with a body creates an animal. */
export const methodOf = ({ body }: Probe) => (body === undefined ? 'GET' : 'POST')

export function needsAnimal(probe: Probe): boolean {
  const { target, body = '' } = probe
  return target.includes(LISTED_ID) || body.includes(LISTED_CATEGORY)
}

export function fillProbe(probe: Probe, pet: Pet | undefined, date: string): Probe {
  const name = fitText(NAME.replace(DATE, date), schemas.NewPet.properties.name)
  const target = probe.target.replace(LISTED_ID, String(pet?.id))
  if (probe.body === undefined) return { ...probe, target }
  const body = probe.body.replace(NAME, name).replace(LISTED_CATEGORY, String(pet?.categoryId))
  return { ...probe, target, body }
}

/** Within the length that the contract allows. */
function fitText(text: string, schema: Schema): string {
  const { minLength = 0, maxLength } = schema
  return text.padEnd(minLength, '.').slice(0, maxLength)
}

const SENDERS = { none: 'without a key', wrong: 'with a wrong key' }

export function describeProbe(probe: Probe): string {
  const { target, key, type, body } = probe
  const parts = [methodOf(probe), target.slice(basePath.length)]
  if (key !== undefined) parts.push(SENDERS[key])
  if (type !== undefined) parts.push(type)
  if (body !== undefined) parts.push(body)
  return parts.join(' ')
}

export function headersOf(probe: Probe, apiKey: string): Record<string, string> {
  const { key, body, type = JSON_TYPE } = probe
  const headers: Record<string, string> = {}
  const sent = key === 'wrong' ? UNKNOWN : apiKey
  if (key !== 'none') headers.authorization = `Bearer ${sent}`
  if (body !== undefined) headers['content-type'] = type
  return headers
}
