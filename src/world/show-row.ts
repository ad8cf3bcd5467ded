// From a kept row to what readers get: a frozen copy without secrets.
import { deepFreeze } from '../contract/values.ts'
import { nameAssumptions } from './assumption-set.ts'
import { printInstant } from './clock.ts'
import {
  findLack,
  type HostLimit,
  isDelivered,
  type KeptChange,
  type KeptRequest,
  type KeptRow,
  statusOf,
} from './kept-row.ts'
import { redactMessage, redactTarget, storeHeaders } from './redact.ts'
import { findRoundedId } from './rounded-id.ts'
import { addValues, type ChangeRow, isChange, type LoggedMessage, type RequestRow } from './row.ts'

type Shown<Row> = Row extends KeptChange ? ChangeRow : RequestRow

export function showRow<Row extends Readonly<KeptRow>>(row: Row, sandbox: string | null): Shown<Row>
export function showRow(row: Readonly<KeptRow>, sandbox: string | null): ChangeRow | RequestRow {
  return isChange(row) ? showChange(row, sandbox) : showRequest(row, sandbox)
}

function showChange(row: Readonly<KeptChange>, sandbox: string | null): ChangeRow {
  const shown: ChangeRow = {
    type: 'change',
    id: row.id,
    at: printInstant(row.at),
    realAt: printInstant(row.realAt),
    sandbox,
    method: row.method,
    changed: row.changed,
    isWhole: row.isWhole,
    text: row.text,
    undoes: row.undoes,
    isUndo: row.isUndo,
    isUndone: row.obstacle === 'undone',
    canUndo: row.obstacle === undefined,
  }
  return deepFreeze(row.backTo === undefined ? shown : { ...shown, backTo: row.backTo })
}

/** What readers get of a response that the client did not get. */
const NO_RESPONSE = {
  decidedError: null,
  decidedProblems: [],
  responseHeaders: {},
  responseBody: '',
} as const

/** Most readers never look at the messages, so those are made when they are first read. */
function showRequest(row: Readonly<KeptRequest>, sandbox: string | null): RequestRow {
  const result = isDelivered(row) ? (row.sentInstead ?? row) : NO_RESPONSE
  let request: LoggedMessage | undefined
  let response: LoggedMessage | undefined
  let notes: readonly string[] | undefined
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
    assumptions: Object.freeze(nameAssumptions(row.assumptions)),
    faults: deepFreeze(row.faults),
    ...(row.struck && { struck: deepFreeze(row.struck) }),
    surprises: deepFreeze(row.surprises),
    error: result.decidedError,
    problems: deepFreeze(result.decidedProblems),
    get notes() {
      notes ??= deepFreeze(listNotes(row))
      return notes
    },
    outcome: outcomeOf(row),
    durationMs: row.durationMs,
    key: row.key,
    get request() {
      request ??= deepFreeze(redactMessage(row.requestHeaders, row.requestBody))
      return request
    },
    get lacks(): RequestRow['lacks'] {
      if (row.lacks) return row.lacks
      const isRedacted = shown.target !== row.target || shown.request.body !== row.requestBody
      return isRedacted ? 'values' : findLack(row)
    },
    get response() {
      response ??= deepFreeze(
        redactMessage(storeHeaders(result.responseHeaders), result.responseBody),
      )
      return response
    },
  }
  return Object.freeze(addValues(shown))
}

function outcomeOf(row: Readonly<KeptRequest>): RequestRow['outcome'] {
  return row.outcome === 'waiting' && row.isHeld ? 'held' : row.outcome
}

/** With what only readers need to know. */
function listNotes(row: Readonly<KeptRequest>): readonly string[] {
  const notes = [...row.notes]
  if (row.lost !== undefined) notes.push(sayLost(row.lost))
  if (row.unable !== undefined) notes.push(NEAREST[row.unable])
  const rounded = findRoundedId(row)
  if (rounded !== undefined) notes.push(rounded)
  return notes
}

const NEAREST: Readonly<Record<HostLimit, string>> = {
  reset: 'The connection was closed: it cannot be reset here',
  cut: 'The connection was closed before the response: it cannot be cut here',
  slow: 'The response was delayed as a whole: it cannot be sent slowly here',
}

function sayLost(status: number): string {
  if (status >= 400) return `The ${status} was lost; nothing was changed`
  return 'The operation ran; its response was lost'
}
