// A request and its response as the judge sees them: what `clean.ts` lets through, from a probe or
// a file.
import type { Json } from '../contract/int64-json.ts'
import { count } from '../contract/problem.ts'
import { readOwn } from '../contract/values.ts'

/** A request and its response as they were seen, in memory only: nothing of it is kept as it is. */
export interface RawExchange {
  readonly row: number
  /** Milliseconds. */
  readonly start: number
  readonly end: number
  readonly method: string
  /** With the base path of the contract, and the query. */
  readonly target: string
  readonly requestHeaders: Headers
  readonly requestBody: string | undefined
  readonly status: number
  readonly responseHeaders: Headers
  /** Undefined if it was not recorded. */
  readonly responseBody: string | undefined
  /** Why there is no response, in our words. */
  readonly problem?: string
}

/** An ordinal instead of a key. `unknown`: the source leaves keys out. */
export type Key = number | 'none' | 'malformed' | 'unknown'

export interface Exchange {
  /** Its place in the source, from 1. */
  readonly row: number
  readonly start: number
  readonly end: number
  readonly method: string
  readonly target: string
  readonly key: Key
  /** The media type of the body. */
  readonly type: string | undefined
  readonly body: string | undefined
  readonly answer: Answer
}

export interface Answer {
  readonly status: number
  /** The media type; undefined without one. */
  readonly type: string | undefined
  readonly hasChallenge: boolean
  readonly hasAllow: boolean
  readonly sunset: string | undefined
  /** Undefined for what is not JSON. */
  readonly json: Json | undefined
  /** The body was not recorded. */
  readonly isUnseen: boolean
  /** The response has a field that only the request made up. */
  readonly keepsUnknown: boolean
  /** Why it says nothing about the service. */
  readonly problem: string | undefined
}

/** `200 with 3 animals`, `404 NotFound`, `201 with status absent`. */
export function describeAnswer(answer: Answer): string {
  const { status, json, problem, sunset } = answer
  if (problem !== undefined) return problem
  const parts = [String(status)]
  const code = readOwn(json, 'code')
  if (code !== undefined) parts.push(String(code))
  if (json === undefined && !answer.isUnseen)
    parts.push(`without JSON, Content-Type: ${answer.type ?? 'none'}`)
  if (Array.isArray(json)) parts.push(`with ${count(json.length, 'animal')}`)
  if (readOwn(json, 'id') !== undefined)
    parts.push(`with status ${String(readOwn(json, 'status') ?? 'absent')}`)
  if (sunset !== undefined && status < 300) parts.push(`(Sunset: ${sunset})`)
  return parts.join(' ')
}

const nameRow = ({ row, method, target }: Exchange): string => `#${row} ${method} ${target}`

export const describeRow = (one: Exchange): string =>
  `${nameRow(one)} → ${describeAnswer(one.answer)}`
