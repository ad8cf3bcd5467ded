// What a service answered. The body is kept as it is, since the spec and the mock judge it; a
// report shows only words and numbers of it, so no name of an animal leaves through one.
import { contract, type Pet } from '../contract/generated/contract.ts'
import { type Json, tryJson } from '../contract/int64-json.ts'
import { parsePetText, petSchema, toPetText } from '../contract/pet.ts'
import { count, type Problem } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { readOwn } from '../contract/values.ts'
import type { Probe } from './probe.ts'

export interface Answer {
  readonly status: number
  /** By their names in lower case, without parameters. Values that may be secret are `…`. */
  readonly headers: ReadonlyMap<string, string>
  readonly json?: Json | undefined
  /** Why it says nothing about the service, with what was seen. */
  readonly problem?: string | undefined
}

export type Trial = Readonly<{ label: string; probe: Probe; response: Answer }>

/** Names, codes, media types and numbers. A secret hardly ever looks like one. */
const WORD = /^(?:[a-z]{1,40}(?:[_./+-][a-z]{1,40}){0,5}\d{0,3}|-?\d{1,19})$/i
/** Fields of an animal or an error whose values a report may show. */
const SHOWN_FIELDS = ['id', 'categoryId', 'status', 'code']
const HIDDEN = '…'
const [limit] = contract.operations.listPets.parameters

function showWord(text: string): string {
  const isDate = new Date(text).toUTCString() === text
  return WORD.test(text) || isDate ? text : HIDDEN
}

export function readAnswer(
  status: number,
  fields: Iterable<readonly [string, string]>,
  body: string,
): Answer {
  const headers = new Map<string, string>()
  for (const [name, value] of fields) {
    const withoutParameters = value.replace(/;.*/s, '').trim()
    headers.set(name.toLowerCase(), showWord(withoutParameters))
  }
  return { status, headers, json: tryJson(body), problem: findProblem(status, headers) }
}

function findProblem(status: number, headers: Answer['headers']): string | undefined {
  if (status >= 300 && status < 400) return `${status}, a redirect, which is not followed`
  if (status >= 200 && status < 500 && status !== 429) return undefined
  const retryAfter = headers.get('retry-after')
  return retryAfter === undefined ? String(status) : `${status}, Retry-After: ${retryAfter}`
}

/** `200 with 3 animals`, `404 NotFound`, `201 with status absent`. */
export function describeAnswer(answer: Answer): string {
  const { status, headers, json, problem } = answer
  if (problem !== undefined) return problem
  const parts = [String(status)]
  const code = readOwn(json, 'code')
  if (code !== undefined) parts.push(showWord(String(code)))
  if (json === undefined)
    parts.push(`without JSON, Content-Type: ${headers.get('content-type') ?? 'none'}`)
  if (Array.isArray(json)) parts.push(`with ${count(json.length, 'animal')}`)
  if (readOwn(json, 'id') !== undefined) {
    const petStatus = readOwn(json, 'status') ?? 'absent'
    parts.push(`with status ${showWord(String(petStatus))}`)
  }
  if (headers.has('sunset')) parts.push(`(Sunset: ${headers.get('sunset')})`)
  return parts.join(' ')
}

/** A problem of a body without the texts in it, such as names. */
export function redactProblem(problem: Problem): Problem {
  if (problem.kind !== 'mismatch' || !problem.got?.startsWith('"')) return problem
  const text = problem.got.slice(1, -1)
  const field = problem.path.split('.').at(-1) ?? ''
  const shown = SHOWN_FIELDS.includes(field) ? showWord(text) : HIDDEN
  return { ...problem, got: JSON.stringify(shown) }
}

/** The valid animals of a response, at most as many as a list may have. */
export function petsOf(answer: Answer): Pet[] {
  const { json } = answer
  const items: readonly unknown[] = Array.isArray(json)
    ? json.slice(0, limit.schema.maximum)
    : [json]
  const pets = items.filter((item): item is Pet => findViolations(petSchema, item).length === 0)
  // Only the fields of the contract, which is all that the mock takes.
  return pets.map((pet) => parsePetText(toPetText(pet)))
}
