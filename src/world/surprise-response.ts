// What surprises do to a response, and how its place is named.
import { firstOf, type QueryParameters } from '../contract/address.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import { type Json, parseJson, toJson } from '../contract/int64-json.ts'
import type { Random } from '../contract/random.ts'
import type { Schema } from '../contract/schema.ts'
import { draw, type ResponseKind, type Surprise } from './surprise.ts'

type Draft = Readonly<{ value: Json; mediaType?: string; delay: number }>
type ChangeResponse = (draft: Draft, random: Random) => Partial<Draft> | undefined

const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset="UTF-8"',
]
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const MESSAGES = ['Sorry, that did not work.', 'Request refused', 'Ein Fehler ist aufgetreten', '?']
const EXTRA_NAMES = ['x-a', 'x-b', 'x-c', 'x-d', 'x-e', 'x-f']
const EXTRA_VALUES: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]

/** Applied in this order; undefined where there is nothing to change. */
const responseKinds: Readonly<Record<ResponseKind, ChangeResponse>> = {
  'short-page'({ value }, random) {
    if (!isLong(value)) return undefined
    const length = 1 + Math.floor(random.next() * (value.length - 1))
    return { value: value.slice(0, length) }
  },
  order({ value }, random) {
    return isLong(value) ? { value: reorder(value, random) } : undefined
  },
  'extra-field'({ value }, random) {
    const field = { [random.pick(EXTRA_NAMES)]: random.pick(EXTRA_VALUES) }
    const extend = (item: Json) => ({ ...(item as object), ...field })
    if (!Array.isArray(value)) return { value: extend(value) }
    if (value.length === 0) return undefined
    return { value: value.map(extend) }
  },
  'error-words'({ value }, random) {
    const isError = (value as { code?: Json }).code !== undefined
    if (!isError) return undefined
    const words = { code: random.pick(CODES), message: random.pick(MESSAGES) }
    return { value: { ...(value as object), ...words } }
  },
  'media-type'(_draft, random) {
    return { mediaType: random.pick(MEDIA_TYPES) }
  },
  delay(_draft, random) {
    return { delay: random.pick(DELAYS_MS) }
  },
}

const isLong = (body: Json): body is Json[] => Array.isArray(body) && body.length > 1

/** Shuffles; the first item always changes. */
function reorder(items: readonly Json[], random: Random): Json[] {
  const ranked = items.map((item) => ({ item, rank: random.next() }))
  ranked.sort((one, other) => one.rank - other.rank)
  const shuffled = ranked.map(({ item }) => item)
  if (shuffled[0] === items[0]) shuffled.push(shuffled.shift() as Json)
  return shuffled
}

export type Surprised = ReturnType<typeof surpriseResponse>

/** `place` is like `listPets#3`, and a label like `order@listPets#3`. */
export function surpriseResponse(surprise: Surprise, place: string, given: string) {
  const usual = parseJson(given)
  const labels: string[] = []
  let draft: Draft = { value: usual, delay: 0 }
  for (const [kind, apply] of Object.entries(responseKinds)) {
    const label = `${kind}@${place}`
    const random = draw(surprise, label)
    const change = random && apply(draft, random)
    if (!change) continue
    labels.push(label)
    draft = { ...draft, ...change }
  }
  const { value, mediaType, delay } = draft
  return {
    body: value === usual ? given : toJson(value),
    mediaType,
    delay,
    labels,
    header: [`seed=${surprise.seed}`, ...labels].join(' '),
  }
}

type Sent = Readonly<{
  path: Readonly<Record<string, string>>
  query: QueryParameters
}>

function readParameter({ path, query }: Sent, name: string): string | undefined {
  return path[name] ?? firstOf(query, name)
}

/** `listPets?status=sold`. Undocumented parameters can be secret, or different in each run. */
export function nameTarget(operation: OperationContract, sent?: Sent): string {
  const { operationId } = operation
  const parameters: readonly { name: string; schema: Schema }[] = operation.parameters
  const parts: string[] = []
  for (const { name, schema } of parameters) {
    const text = (sent && readParameter(sent, name)) ?? ''
    const isDocumented = /^-?\d{1,19}$/.test(text) || schema.enum?.includes(text)
    if (isDocumented) parts.push(`${name}=${text}`)
  }
  return parts.length === 0 ? operationId : `${operationId}?${parts.join('&')}`
}
