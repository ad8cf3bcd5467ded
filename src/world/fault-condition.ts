// Which calls a fault is for, besides its operation and its animal.
import type { OperationId } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { hash } from '../contract/random.ts'
import { cutText, describeKey } from '../contract/values.ts'
import { findMismatches, type RequestPattern, type SentParts } from './match-request.ts'

/** What a request must be, so that a fault sees it. */
export interface RequestCondition extends RequestPattern {
  /** The API key that it was sent with. The mock keeps its end and a digest. @default any */
  readonly apiKey?: string | undefined
}

/** What a fault may see of a call. */
export interface SeenCall {
  readonly operation: OperationId
  readonly petId: string | undefined
  readonly apiKey: string | undefined
  /** The query as it was sent, and the body if it is JSON. Read only if a fault has a condition. */
  readSent(): SentParts
}

const MAX_SHOWN_CHARACTERS = 40
/** No bearer token looks like this, so that a hidden key is never taken for a key. */
const HIDDEN_KEY = /^…\S{0,4}#[\da-f]{8}$/

function isHiddenKey(text: string): boolean {
  return HIDDEN_KEY.test(text)
}

/** What a state keeps of a key: it tells the key from others, but cannot be used as one. */
export function hideKey(key: string): string {
  if (isHiddenKey(key)) return key
  return `${describeKey(key)}#${printDigest(hash(key))}`
}

/** Whether a hidden key is that of a row. A recorded row knows only the end of its key. */
export function isKeyOf(
  hidden: string,
  row: { readonly key: string | null; readonly keyDigest?: number | undefined },
): boolean {
  const { key, keyDigest } = row
  if (keyDigest === undefined) return hidden.startsWith(`${key}#`)
  return hidden.endsWith(`#${printDigest(keyDigest)}`)
}

const printDigest = (digest: number): string => digest.toString(16).padStart(8, '0')

/** The key of the condition is hidden. */
export function meets(call: SeenCall, condition: RequestCondition): boolean {
  const { apiKey, ...pattern } = condition
  if (apiKey !== undefined) {
    const sent = call.apiKey === undefined ? undefined : hideKey(call.apiKey)
    if (sent !== apiKey) return false
  }
  if (Object.keys(pattern).length === 0) return true
  return findMismatches(pattern, call.readSent()).length === 0
}

/** ` with status sold`, ` without page`, ` with the key …-key`; empty without a condition. */
export function describeCondition(condition: RequestCondition | undefined): string {
  if (!condition) return ''
  const { query = {}, headers = {}, body, apiKey } = condition
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) parts.push(describeField(name, value))
  for (const [name, value] of Object.entries(headers)) {
    parts.push(describeField(name.toLowerCase(), value))
  }
  parts.push(...describeBody(body))
  if (apiKey !== undefined) parts.push(`with the key ${apiKey.replace(/#.*/, '')}`)
  return parts.map((part) => ` ${part}`).join(' and')
}

function describeBody(body: unknown): string[] {
  if (body === undefined) return []
  const isFields = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isFields) return [`with the body ${showValue(body)}`]
  return Object.entries(body).map(([name, value]) => `with ${name} ${showValue(value)}`)
}

/** In a query or a header, null stands for a field that must be absent. */
function describeField(name: string, value: unknown): string {
  return value === null ? `without ${name}` : `with ${name} ${showValue(value)}`
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : toJson(value)
  return cutText(text, MAX_SHOWN_CHARACTERS)
}
