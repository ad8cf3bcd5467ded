// A row as recordings and storages save it, and back.
import { collectAssumptions } from './assumption-set.ts'
import { createChange, type KeptChange, type KeptRequest, type KeptRow } from './kept-row.ts'
import { type ChangeRow, isChange, type RequestRow } from './row.ts'
import { showRow } from './show-row.ts'

export type SavedChange = ChangeRow & Pick<KeptChange, 'subject'>
export type SavedRow = RequestRow | SavedChange

/**
 * A row as it is shown, with what `restoreRow` needs besides: the subject of a change, and the
 * response that a client did not wait for.
 */
export function saveRow(row: Readonly<KeptRow>, sandbox: string | null): SavedRow {
  if (isChange(row)) return { ...showRow(row, sandbox), subject: row.subject }
  const shown = showRow({ ...row, outcome: 'sent' }, sandbox)
  return { ...shown, outcome: row.outcome }
}

/** A kept row without the state before it. What was redacted or cut stays so. */
export function restoreRow(saved: SavedRow): KeptRow {
  return isChange(saved) ? restoreChange(saved) : restoreRequest(saved)
}

function restoreChange(saved: SavedChange): KeptChange {
  const { at, realAt, sandbox, isUndone, canUndo, ...fields } = saved
  return createChange({
    ...fields,
    at: Date.parse(at),
    realAt: Date.parse(realAt),
    obstacle: findObstacle(saved),
  })
}

function findObstacle(saved: SavedChange): KeptChange['obstacle'] {
  if (saved.isUndone) return 'undone'
  return saved.canUndo ? undefined : 'forgotten'
}

type NeverSaved = 'isRecorded' | 'keyDigest' | 'lost' | 'unable' | 'isHeld' | 'sentInstead'

/** The compiler asks for the optional fields too, but not for those that are never saved. */
type RestoredRequest = Required<Omit<KeptRequest, NeverSaved>>

function restoreRequest(saved: RequestRow): RestoredRequest {
  return {
    type: 'request',
    id: saved.id,
    before: undefined,
    lacks: saved.lacks,
    at: Date.parse(saved.at),
    realAt: Date.parse(saved.realAt),
    method: saved.method,
    target: saved.target,
    operation: saved.operation,
    decidedStatus: saved.status,
    assumptions: collectAssumptions(saved.assumptions),
    faults: saved.faults,
    struck: saved.struck,
    surprises: saved.surprises,
    decidedError: saved.error,
    decidedProblems: saved.problems,
    notes: saved.notes,
    outcome: saved.outcome === 'held' ? 'waiting' : saved.outcome,
    durationMs: saved.durationMs,
    key: saved.key,
    requestHeaders: saved.request.headers,
    requestBody: saved.request.body,
    responseHeaders: saved.response.headers,
    responseBody: saved.response.body,
  }
}
