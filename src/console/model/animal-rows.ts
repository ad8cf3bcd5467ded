// The history of an animal: the rows that made, changed, removed or returned it.
import { type Json, tryJson } from '../../contract/int64-json.ts'
import { isChange, isCut, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { findAdded } from './explain.ts'

export type AnimalEvent = Readonly<{ row: TimelineRow; verb: 'made' | 'changed' | 'returned' }>

/** As the rows are, newest first. */
export function listAnimalEvents(rows: readonly TimelineRow[], id: string): AnimalEvent[] {
  const events: AnimalEvent[] = []
  for (const row of rows) {
    const verb = findVerb(row, id)
    if (verb) events.push({ row, verb })
  }
  return events
}

function findVerb(row: TimelineRow, id: string): AnimalEvent['verb'] | undefined {
  if (isChange(row)) {
    const isAbout = row.changed.some((item) => item.kind === 'pet' && item.id === id)
    if (!isAbout) return undefined
    return row.method === 'pets.add' ? 'made' : 'changed'
  }
  if (String(findAdded(row)?.id) === id) return 'made'
  return returns(row, id) ? 'returned' : undefined
}

function returns(row: RequestRow, id: string): boolean {
  const { body } = row.response
  // Most bodies are told apart without reading them.
  if (row.status !== 200 || !body.includes(id)) return false
  // The mock writes no spaces.
  if (isCut(body)) return body.includes(`"id":${id},`) || body.includes(`"id":${id}}`)
  const value = tryJson(body)
  if (Array.isArray(value)) return value.some((item) => hasId(item, id))
  return value !== undefined && hasId(value, id)
}

function hasId(item: Json, id: string): boolean {
  return typeof item === 'object' && item !== null && 'id' in item && String(item.id) === id
}
