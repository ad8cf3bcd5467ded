// Surprises of a response.
import { parseJson, toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import type { contract, OperationId } from '../generated/contract.ts'
import { type ChangeResponse, type Draft, responseKinds } from './kinds.ts'
import { draw, type Surprise } from './setting.ts'

/** The header that names the seed and the surprises of a response. */
export const SURPRISE_HEADER = 'X-Mock-Surprise'

type OperationContract = (typeof contract.operations)[OperationId]

export type Surprised = ReturnType<typeof surpriseResponse>

/** Changes the body of a response; `call` is like `listPets#3`. */
export function surpriseResponse(setting: Surprise, call: string, given: string) {
  const usual = parseJson(given)
  const labels: string[] = []
  let draft: Draft = { value: usual, delay: 0 }
  for (const [kind, apply] of Object.entries<ChangeResponse>(responseKinds)) {
    const label = `${kind}@${call}`
    const random = draw(setting, label)
    const change = random && apply(draft, random)
    if (!change) continue
    labels.push(label)
    draft = { ...draft, ...change }
  }
  const { value, body = value === usual ? given : toJson(value), mediaType, delay } = draft
  /** The labels are like `order@listPets#3`; the header names them. */
  return { body, mediaType, delay, labels, header: [`seed=${setting.seed}`, ...labels].join(' ') }
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
