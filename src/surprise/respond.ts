// Surprises of a response. Each kind changes it by itself, so that leaving one out does not move the others.
import { type Json, parseJson, toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import type { contract, OperationId } from '../generated/contract.ts'
import type { Random } from '../random.ts'
import { draw, pick, type Surprise, type SurpriseKind } from './setting.ts'
import { shuffle, spell } from './spell.ts'

/** The header that names the seed and the surprises of a response; the Node server reads from it how to write one. */
export const SURPRISE_HEADER = 'X-Mock-Surprise'

type OperationContract = (typeof contract.operations)[OperationId]
type Result = { readonly status: number; readonly body: string }

/** What the service knows about a request, and what surprises add. */
export interface Surprised {
  readonly method: string
  readonly operation: OperationContract | undefined
  readonly sent: { readonly path: Readonly<Record<string, string>>; readonly query: ReadonlyMap<string, readonly string[]> } | undefined
  readonly faults: readonly string[]
  readonly headers: Record<string, string>
  delay: number
  notes: readonly string[]
  surprises: readonly string[]
}

const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const EXTRAS: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]

/** What changes the body, in this order; undefined where there is nothing to change. */
const CHANGES: Partial<Record<SurpriseKind, (body: Json, random: Random) => Json | undefined>> = {
  'short-page': (body, random) => (isLong(body) ? body.slice(0, 1 + Math.floor(random.next() * (body.length - 1))) : undefined),
  order: (body, random) => (isLong(body) ? reorder(body, random) : undefined),
  'extra-field'(body, random) {
    const field = { [`x-${pick('abcdef'.split(''), random)}`]: pick(EXTRAS, random) }
    if (!Array.isArray(body)) return { ...(body as object), ...field }
    return body.length === 0 ? undefined : body.map((item) => ({ ...(item as object), ...field }))
  },
  'error-words'(body, random) {
    const { code, message } = body as { code?: Json; message?: Json }
    return code === undefined ? undefined : { ...(body as object), code: pick(CODES, random), message: `Sorry. ${message}` }
  },
}

/** Changes the responses of one state; `countCall` counts its calls. `showsWire` if the host itself writes header names and chunks. */
export function createRespond(setting: Surprise, countCall: (target: string) => number) {
  return (result: Result, exchange: Surprised, showsWire: boolean): Result => {
    const { operation, headers } = exchange
    const isDocumented = operation && (operation.statuses as readonly number[]).includes(result.status)
    // What a fault has touched stays as it is.
    if (!isDocumented || exchange.faults.length > 0 || exchange.method === 'HEAD') return result
    const target = nameTarget(operation, exchange)
    const nth = countCall(target)
    const applied: string[] = []
    /** Calls `apply` if the kind is on here; it returns false if it changes nothing. */
    const attempt = (kind: string, apply: (random: Random, label: string) => unknown) => {
      const label = `${kind}@${target}#${nth}`
      const random = draw(setting, label)
      if (random && apply(random, label) !== false) applied.push(label)
    }

    let body = parseJson(result.body)
    for (const [kind, change] of Object.entries(CHANGES)) {
      attempt(kind, (random) => {
        const changed = change(body, random)
        body = changed ?? body
        return changed !== undefined
      })
    }
    let text = applied.length === 0 ? result.body : toJson(body)
    attempt('json-spelling', (random) => (text = spell(body, random)))
    attempt('media-type', (random) => (headers['Content-Type'] = pick(MEDIA_TYPES, random)))
    attempt('delay', (random) => (exchange.delay += pick(DELAYS_MS, random)))
    for (const kind of ['header-case', 'chunks'] as const) {
      attempt(kind, (_, label) => {
        if (!showsWire) exchange.notes = [...exchange.notes, `This host cannot show the surprise ${label}`]
        return showsWire
      })
    }
    headers[SURPRISE_HEADER] = [`seed=${setting.seed}`, ...applied].join(' ')
    exchange.surprises = applied
    return { status: result.status, body: text }
  }
}

/** `listPets?status=sold`: documented parameters only, since others can be different in each run, or secret. */
function nameTarget({ operationId, parameters }: OperationContract, { sent }: Surprised): string {
  const parts = (parameters as readonly { name: string; schema: Schema }[]).flatMap(({ name, schema }) => {
    const text = sent?.path[name] ?? sent?.query.get(name)?.[0] ?? ''
    return /^-?\d{1,19}$/.test(text) || schema.enum?.includes(text) ? [`${name}=${text}`] : []
  })
  return parts.length === 0 ? operationId : `${operationId}?${parts.join('&')}`
}

function isLong(body: Json): body is Json[] {
  return Array.isArray(body) && body.length > 1
}

/** Another animal comes first. */
function reorder(items: readonly Json[], random: Random): Json[] {
  const [first, ...rest] = shuffle(items, random) as [Json, ...Json[]]
  return first === items[0] ? [...rest, first] : [first, ...rest]
}
