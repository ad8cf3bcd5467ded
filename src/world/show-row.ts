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
  type SentInstead,
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
const NO_RESPONSE: SentInstead = {
  decidedStatus: 0,
  decidedError: null,
  decidedProblems: [],
  responseHeaders: {},
  responseBody: '',
}

function showRequest(row: Readonly<KeptRequest>, sandbox: string | null): RequestRow {
  const result = responseOf(row)
  const at = printInstant(row.at)
  const shown = {
    type: 'request' as const,
    id: row.id,
    at,
    realAt: row.realAt === row.at ? at : printInstant(row.realAt),
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
    notes: deepFreeze(listNotes(row)),
    outcome: outcomeOf(row),
    durationMs: row.durationMs,
    key: row.key,
  }
  Object.defineProperty(shown, SOURCE, { value: { row, result } })
  Object.defineProperties(shown, MESSAGES)
  return Object.freeze(addValues(shown as typeof shown & Messages))
}

/** What the messages of a shown request are made from, and those that were made. */
interface Source {
  readonly row: Readonly<KeptRequest>
  readonly result: SentInstead
  request?: LoggedMessage
  response?: LoggedMessage
}

type Messages = Pick<RequestRow, 'request' | 'lacks' | 'response'>
type WithSource = RequestRow & { readonly [SOURCE]: Source }

const SOURCE = Symbol('source')

/**
 * Most readers never look at the messages, so those are made when they are first read. All rows
 * share these functions: with some of its own, each row would be slow to make.
 */
const MESSAGES = {
  request: {
    enumerable: true,
    get(this: WithSource): LoggedMessage {
      const source = this[SOURCE]
      const { requestHeaders, requestBody } = source.row
      source.request ??= deepFreeze(redactMessage(requestHeaders, requestBody))
      return source.request
    },
  },
  lacks: {
    enumerable: true,
    get(this: WithSource): RequestRow['lacks'] {
      const { row } = this[SOURCE]
      if (row.lacks) return row.lacks
      const isRedacted = this.target !== row.target || this.request.body !== row.requestBody
      return isRedacted ? 'values' : findLack(row)
    },
  },
  response: {
    enumerable: true,
    get(this: WithSource): LoggedMessage {
      const source = this[SOURCE]
      const { responseHeaders, responseBody } = source.result
      source.response ??= deepFreeze(redactMessage(storeHeaders(responseHeaders), responseBody))
      return source.response
    },
  },
}

/** What the client got, as far as it got anything. */
function responseOf(row: Readonly<KeptRequest>): SentInstead {
  return isDelivered(row) ? (row.sentInstead ?? row) : NO_RESPONSE
}

export function outcomeOf(row: Readonly<KeptRequest>): RequestRow['outcome'] {
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
