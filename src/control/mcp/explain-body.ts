// The part of a response's body that matters to an agent: of a list, what differs from the last
// response to the same request; of any other long body, its beginning.
import { cutLine } from '../../contract/escape.ts'
import { type Json, toJson, tryJson } from '../../contract/int64-json.ts'
import { count, joinWords } from '../../contract/problem.ts'
import { readOwn } from '../../contract/values.ts'
import type { RequestRow } from '../../world/row.ts'

const MAX_BODY_CHARACTERS = 1_000
const MAX_SHOWN_ITEMS = 5

export function describeBody(body: string): string {
  const isLong = body.length > MAX_BODY_CHARACTERS
  const cut = isLong ? ` (the beginning of ${body.length} characters)` : ''
  return `response${cut}: ${cutLine(body, MAX_BODY_CHARACTERS)}`
}

/** `earlier` is the same request before. */
export function explainBody(row: RequestRow, earlier: RequestRow | undefined): string[] {
  const { body } = row.response
  const items = readList(body)
  const before = readList(earlier?.response.body ?? '')
  const isLong = body.length > MAX_BODY_CHARACTERS
  if (!isLong || !items || !before || !earlier) return [describeBody(body)]
  const differing = [...items].filter(([id, text]) => before.get(id) !== text)
  const gone = [...before.keys()].filter((id) => !items.has(id))
  const since = `since #${earlier.id}, the same request before`
  const shown = differing.slice(0, MAX_SHOWN_ITEMS).map(([, text]) => `  ${cutLine(text)}`)
  const amounts = [`${differing.length} new or changed`]
  if (gone.length > 0) amounts.push(`without ${joinWords(gone.slice(0, MAX_SHOWN_ITEMS), 'and')}`)
  return [`response: ${count(items.size, 'animal')}; ${since}: ${amounts.join(', ')}`, ...shown]
}

type Items = ReadonlyMap<string, string>

/** The items of a list by their ids, as JSON. */
function readList(body: string): Items | undefined {
  const list = tryJson(body)
  if (!Array.isArray(list)) return undefined
  return new Map(list.map((item: Json) => [String(readOwn(item, 'id')), toJson(item)]))
}
