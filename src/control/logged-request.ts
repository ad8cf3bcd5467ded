// A logged request with its query, id and body as values, for tests. They are parsed when they are read, since most never are.
import { type Json, parseInt64, parseJson } from '../contract/int64-json.ts'
import { contract, type Int64 } from '../generated/contract.ts'
import type { LogEntry } from '../world/log-entry.ts'

/** A logged request, as `requests()` returns it. */
export interface LoggedRequest extends LogEntry {
  /** The query parameters, decoded; a list where one was repeated. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The id in the path; null if there is none, or it is not an int64. */
  readonly petId: Int64 | null
  /** The JSON of the request's body; undefined if it has none, is not JSON, or is cut. */
  readonly json: Json | undefined
}

/** The entry with its parts. They do not show when it is printed or compared: they say nothing new, and JSON has no bigints. */
export function parseParts<T extends LogEntry>(entry: T): T & LoggedRequest {
  const [path, query] = entry.target.split(/\?(.*)/s) as [string, string?]
  return Object.defineProperties({ ...entry } as T & LoggedRequest, {
    query: { get: () => parseQuery(query) },
    petId: { get: () => parseId(entry, path) },
    json: { get: () => parseBody(entry.request.body) },
  })
}

function parseQuery(query: string | undefined): LoggedRequest['query'] {
  const sent = new URLSearchParams(query)
  const unlessSeveral = (values: readonly string[]) => (values.length === 1 ? (values[0] as string) : values)
  return Object.fromEntries([...new Set(sent.keys())].map((name) => [name, unlessSeveral(sent.getAll(name))]))
}

function parseId({ operation }: LogEntry, path: string): Int64 | null {
  const hasId = operation !== null && contract.operations[operation].path.endsWith('/{petId}')
  return hasId ? (parseInt64(path.slice(path.lastIndexOf('/') + 1)) ?? null) : null
}

function parseBody(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
