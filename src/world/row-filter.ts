// Which rows of a timeline a reader asks for.
import type { OperationId } from '../contract/generated/contract.ts'
import { MAX_LOG_ROWS } from '../contract/limits.ts'
import { hash } from '../contract/random.ts'
import { type KeptRow, statusOf } from './kept-row.ts'
import { isChange, type TimelineRow } from './row.ts'

/** Which requests to return; all by default. */
export interface LogFilter {
  /** Only requests for this operation. */
  readonly operation?: OperationId
  /** Only this status; 0 for no response. */
  readonly status?: number
  /** Only requests with this method, in any case. */
  readonly method?: string
  /** Only requests with this API key. */
  readonly apiKey?: string
  /** Only the last n. By default all; 1,000 for all sandboxes; 100 in the HTTP API. */
  readonly limit?: number
  /** Includes requests whose response is still delayed. */
  readonly waiting?: boolean
}

/** Over HTTP the usual limit is lower. */
export const defaultLimit = ({ sandbox }: { readonly sandbox?: string | undefined }): number =>
  sandbox === '*' ? MAX_LOG_ROWS : Number.MAX_SAFE_INTEGER

/**
 * Which rows a filter lets through, apart from its limit. A change passes unless the filter is
 * about requests.
 */
export function createRowFilter(filter: LogFilter) {
  const { apiKey, method, waiting, limit, ...others } = filter
  const given = {
    ...others,
    method: method?.toUpperCase(),
    keyDigest: apiKey === undefined ? undefined : hash(apiKey),
  }
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined)
  return (row: KeptRow | TimelineRow): boolean => {
    if (isChange(row)) return wanted.length === 0
    // A request that is still waiting does not have a status, as for the matchers.
    if (row.outcome === 'waiting' && (!waiting || given.status !== undefined)) return false
    const status = 'decidedStatus' in row ? statusOf(row) : row.status
    const own: Readonly<Record<string, unknown>> = { status, method: row.method.toUpperCase() }
    return wanted.every(([name, value]) => (own[name] ?? row[name as keyof typeof row]) === value)
  }
}
