// From a kept row to what readers see: a frozen copy without secrets.
import { deepFreeze } from '../contract/values.ts'
import { printInstant } from './clock.ts'
import {
  findLack,
  isDelivered,
  type KeptChange,
  type KeptRequest,
  type KeptRow,
  statusOf,
} from './kept-row.ts'
import { redactTarget, showMessage, storeHeaders } from './redact.ts'
import { addValues, type ChangeRow, isChange, type LoggedMessage, type RequestRow } from './row.ts'

type Shown<Row> = Row extends KeptChange ? ChangeRow : RequestRow

export function showRow<Row extends Readonly<KeptRow>>(
  row: Row,
  sandbox: string | null,
): Shown<Row> {
  return (
    isChange(row) ? showChange(row, sandbox) : showRequest(row as Readonly<KeptRequest>, sandbox)
  ) as Shown<Row>
}

function showChange(
  { before, obstacle, subject, isRecorded, ...row }: KeptChange,
  sandbox: string | null,
): ChangeRow {
  const { type, id, at, realAt, backTo, ...rest } = row
  const times = { at: printInstant(at), realAt: printInstant(realAt) }
  const judged = { isUndone: obstacle === 'undone', canUndo: !obstacle }
  return deepFreeze({ type, id, ...times, sandbox, ...rest, ...judged, ...(backTo && { backTo }) })
}

/** Most readers never look at the messages, so those are made when they are first read. */
function showRequest(row: Readonly<KeptRequest>, sandbox: string | null): RequestRow {
  const { decidedError, decidedProblems, responseHeaders, responseBody } = isDelivered(row)
    ? row
    : NO_RESPONSE
  let request: LoggedMessage | undefined
  let response: LoggedMessage | undefined
  const shown = {
    type: 'request' as const,
    id: row.id,
    at: printInstant(row.at),
    realAt: printInstant(row.realAt),
    sandbox,
    method: row.method,
    target: redactTarget(row.target),
    operation: row.operation,
    status: statusOf(row),
    assumptions: deepFreeze(row.assumptions),
    faults: deepFreeze(row.faults),
    ...(row.struck && { struck: deepFreeze(row.struck) }),
    surprises: deepFreeze(row.surprises),
    error: decidedError,
    problems: deepFreeze(decidedProblems),
    notes: deepFreeze(row.notes),
    outcome: row.outcome,
    durationMs: row.durationMs,
    key: row.key,
    get request() {
      request ??= deepFreeze(showMessage(row.requestHeaders, row.requestBody))
      return request
    },
    get lacks(): RequestRow['lacks'] {
      const isWhole = shown.target === row.target && shown.request.body === row.requestBody
      return row.lacks ?? (isWhole ? findLack(row) : 'values')
    },
    get response() {
      response ??= deepFreeze(showMessage(storeHeaders(responseHeaders), responseBody))
      return response
    },
  }
  return Object.freeze(addValues(shown))
}

const NO_RESPONSE = {
  decidedError: null,
  decidedProblems: [],
  responseHeaders: {},
  responseBody: '',
} as const
