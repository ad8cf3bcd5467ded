// Which rows of a timeline a reader asks for.
import type { OperationId } from '../contract/generated/contract.ts'
import { hash } from '../contract/random.ts'
import { type KeptRow, statusOf } from './kept-row.ts'
import { isChange, isWaiting, type TimelineRow } from './row.ts'

/** Which requests to return; all by default. */
export interface LogFilter {
  /** Only requests for this operation. */
  readonly operation?: OperationId | undefined
  /** Only this status, or this class of them; 0 for no response. */
  readonly status?: number | '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | undefined
  /** Only requests with this method, in any case. */
  readonly method?: string | undefined
  /** Only requests with this API key. */
  readonly apiKey?: string | undefined
  /** Only the last n. By default all; 1,000 for all sandboxes; 100 in the HTTP API. */
  readonly limit?: number | undefined
  /** Includes requests whose response is still delayed or held. */
  readonly waiting?: boolean | undefined
}

type Status = NonNullable<LogFilter['status']>

export const STATUS_CLASSES: readonly Status[] = ['1xx', '2xx', '3xx', '4xx', '5xx']

/**
 * Whether a row passes a filter, apart from its limit. A change passes unless the filter is about
 * requests.
 */
export function createRowFilter(filter: LogFilter) {
  const { operation, status, waiting = false } = filter
  const method = filter.method?.toUpperCase()
  const keyDigest = filter.apiKey === undefined ? undefined : hash(filter.apiKey)
  const conditions = [operation, status, method, keyDigest]
  const isAboutRequests = conditions.some((value) => value !== undefined)

  return (row: KeptRow | TimelineRow): boolean => {
    if (isChange(row)) return !isAboutRequests
    // A request that is still waiting does not have a status, as for the matchers.
    if (isWaiting(row) && (!waiting || status !== undefined)) return false
    if (operation !== undefined && row.operation !== operation) return false
    if (method !== undefined && row.method.toUpperCase() !== method) return false
    if (status !== undefined) {
      const own = 'decidedStatus' in row ? statusOf(row) : row.status
      if (!isStatus(own, status)) return false
    }
    if (keyDigest === undefined) return true
    return 'keyDigest' in row && row.keyDigest === keyDigest
  }
}

function isStatus(status: number, wanted: Status): boolean {
  if (typeof wanted === 'number') return status === wanted
  return String(status)[0] === wanted[0]
}
