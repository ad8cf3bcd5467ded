// A row as recordings and storages save it, and back.
import { createChange, type KeptChange, type KeptRow } from './kept-row.ts'
import { type ChangeRow, isChange, type RequestRow } from './row.ts'
import { showRow } from './show-row.ts'

/** A row as `saveRow` makes it. */
export type SavedRow = RequestRow | SavedChange

export type SavedChange = ChangeRow & Pick<KeptChange, 'subject'>

/**
 * A row for `restoreRow`, with what it does not show: the subject of an undo, the response to a
 * client that left.
 */
export function saveRow(row: Readonly<KeptRow>, sandbox: string | null): SavedRow {
  if (isChange(row)) return { ...showRow(row, sandbox), subject: row.subject }
  return { ...showRow({ ...row, outcome: 'sent' }, sandbox), outcome: row.outcome }
}

/** A kept row from a saved one, without the states around it. What is redacted or cut stays so. */
export function restoreRow({ at, realAt, sandbox, ...row }: SavedRow): KeptRow {
  const head = { before: undefined, at: Date.parse(at), realAt: Date.parse(realAt) }
  const obstacle = row.type === 'change' && row.canUndo ? undefined : 'forgotten'
  if (isChange(row))
    return createChange({ ...row, ...head, obstacle: row.isUndone ? 'undone' : obstacle })
  const { request, response, status, error, problems, ...rest } = row
  const decided = { decidedStatus: status, decidedError: error, decidedProblems: problems }
  const messages = { requestHeaders: request.headers, requestBody: request.body }
  return {
    ...rest,
    ...head,
    ...decided,
    ...messages,
    responseHeaders: response.headers,
    responseBody: response.body,
  }
}
