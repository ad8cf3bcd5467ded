// Surprises of a response. Each kind changes it by itself, so that leaving one out does not move the others.
import { type Json, parseJson, toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import type { contract, OperationId } from '../generated/contract.ts'
import { hash, type Random } from '../random.ts'
import { draw, type Surprise, type SurpriseKind } from './setting.ts'
import { shuffle, spell } from './spell.ts'

/** The header that names the seed and the surprises of a response. */
export const SURPRISE_HEADER = 'X-Mock-Surprise'

type OperationContract = (typeof contract.operations)[OperationId]

/** What only a host can show, because it writes the response itself. */
export interface Wire {
  /** The case of all header names; as they are by default. */
  readonly headerCase?: 'upper' | 'lower'
  /** Sends the body in two chunks, without a Content-Length; the first has this many bytes. */
  readonly firstChunkBytes?: number
}

export type Surprised = ReturnType<typeof surpriseResponse>

const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const MESSAGES = ['Sorry, that did not work.', 'Request refused', 'Ein Fehler ist aufgetreten', '?']
const EXTRAS: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]

const WIRE_KINDS = ['header-case', 'chunks'] as const

/** What changes the body, in this order; undefined where there is nothing to change. */
const CHANGES: Readonly<Partial<Record<SurpriseKind, (body: Json, random: Random) => Json | undefined>>> = {
  'short-page': (body, random) => (isLong(body) ? body.slice(0, 1 + Math.floor(random.next() * (body.length - 1))) : undefined),
  order: (body, random) => (isLong(body) ? reorder(body, random) : undefined),
  'extra-field'(body, random) {
    const field = { [`x-${random.pick('abcdef'.split(''))}`]: random.pick(EXTRAS) }
    if (!Array.isArray(body)) return { ...(body as object), ...field }
    return body.length === 0 ? undefined : body.map((item) => ({ ...(item as object), ...field }))
  },
  'error-words'(body, random) {
    if ((body as { code?: Json }).code === undefined) return undefined
    return { ...(body as object), code: random.pick(CODES), message: random.pick(MESSAGES) }
  },
}

/** Changes the body of a response; `call` is like `listPets#3`. `showsWire` if the host itself writes header names and chunks. */
export function surpriseResponse(setting: Surprise, call: string, given: string, showsWire: boolean) {
  const labels: string[] = []
  const unshown: string[] = []
  let mediaType: string | undefined
  let delay = 0
  /** Calls `apply` if the kind is on here; it returns false if it changes nothing. */
  const attempt = (kind: SurpriseKind, apply: (random: Random) => unknown) => {
    const label = `${kind}@${call}`
    const random = draw(setting, label)
    if (random && apply(random) !== false) labels.push(label)
  }

  let value = parseJson(given)
  for (const [kind, change] of Object.entries(CHANGES)) {
    attempt(kind as SurpriseKind, (random) => {
      const changed = change(value, random)
      value = changed ?? value
      return changed !== undefined
    })
  }
  let body = labels.length === 0 ? given : toJson(value)
  attempt('json-spelling', (random) => (body = spell(value, random)))
  attempt('media-type', (random) => (mediaType = random.pick(MEDIA_TYPES)))
  attempt('delay', (random) => (delay = random.pick(DELAYS_MS)))
  const onWire = WIRE_KINDS.filter((kind) => draw(setting, `${kind}@${call}`))
  for (const kind of onWire) (showsWire ? labels : unshown).push(`${kind}@${call}`)
  const header = [`seed=${setting.seed}`, ...labels].join(' ')
  return {
    body,
    mediaType,
    delay,
    /** What only a host can show. */
    wire: showsWire && onWire.length > 0 ? chooseWire(onWire, body, hash(header)) : undefined,
    /** As in `order@listPets#3`. */
    labels,
    /** Those that the host cannot show. */
    unshown,
    /** The value of the header that names them. */
    header,
  }
}

/** Upper or lower case, and a first chunk that may cut a character. */
function chooseWire(kinds: readonly SurpriseKind[], body: string, bits: number): Wire {
  return {
    ...(kinds.includes('header-case') && { headerCase: bits % 2 === 0 ? 'upper' : 'lower' }),
    ...(kinds.includes('chunks') && { firstChunkBytes: 1 + (bits % new TextEncoder().encode(body).length) }),
  }
}

/** `listPets?status=sold`: documented parameters only, since others can be different in each run, or secret. */
export function nameTarget({ operationId, parameters }: OperationContract, sent: SentParameters | undefined): string {
  const parts = (parameters as readonly { name: string; schema: Schema }[]).flatMap(({ name, schema }) => {
    const text = sent?.path[name] ?? sent?.query.get(name)?.[0] ?? ''
    return /^-?\d{1,19}$/.test(text) || schema.enum?.includes(text) ? [`${name}=${text}`] : []
  })
  return parts.length === 0 ? operationId : `${operationId}?${parts.join('&')}`
}

interface SentParameters {
  readonly path: Readonly<Record<string, string>>
  readonly query: ReadonlyMap<string, readonly string[]>
}

function isLong(body: Json): body is Json[] {
  return Array.isArray(body) && body.length > 1
}

/** Another animal comes first. */
function reorder(items: readonly Json[], random: Random): Json[] {
  const [first, ...rest] = shuffle(items, random) as [Json, ...Json[]]
  return first === items[0] ? [...rest, first] : [first, ...rest]
}
