// How a request ended, and the reasons for its response.
import { isAsked, type RequestRow } from '../../world/row.ts'

/** `asked`: the request itself asked for a fault (`Prefer`). */
export type ReasonKind = 'refused' | 'note' | 'fault' | 'asked' | 'surprise' | 'assumes'
export type Reason = Readonly<{ kind: ReasonKind; texts: readonly string[] }>

type Ending = Pick<RequestRow, 'status' | 'outcome'>

export function isFailure(row: Ending): boolean {
  return row.status >= 400 || row.outcome === 'dropped'
}

export function toneOf(row: Ending): 'good' | 'warn' | 'bad' {
  if (row.outcome === 'dropped' || row.status >= 500) return 'bad'
  if (row.outcome !== 'sent' || row.status >= 400) return 'warn'
  return 'good'
}

/** By the service, not by a fault. The rows of another server may have no problems. */
export function isRefused(row: Pick<RequestRow, 'error' | 'problems'>): boolean {
  const { error, problems = [] } = row
  const isByFault = problems.some((problem) => problem.kind === 'fault')
  return error !== null && !isByFault
}

/** The most important first. */
export function listReasons(row: RequestRow): Reason[] {
  const { error, faults, struck = [] } = row
  const reasons: Reason[] = []
  if (isRefused(row)) reasons.push({ kind: 'refused', texts: [String(error)] })
  if (isAsked(row)) reasons.push({ kind: 'asked', texts: faults })
  else reasons.push({ kind: 'fault', texts: struck })
  reasons.push({ kind: 'note', texts: row.notes.filter((note) => note !== error) })
  reasons.push({ kind: 'surprise', texts: row.surprises })
  reasons.push({ kind: 'assumes', texts: row.assumptions })
  return reasons.filter((reason) => reason.texts.length > 0)
}

/** The word before texts that are shown as one list. */
const LIST_WORDS: Partial<Record<ReasonKind, string>> = {
  asked: 'fault',
  surprise: 'surprise',
  assumes: 'assumes',
}

/** The reasons as they are printed, one text each. */
export function printReasons(row: RequestRow): { kind: ReasonKind; text: string }[] {
  const printed: { kind: ReasonKind; text: string }[] = []
  for (const { kind, texts } of listReasons(row)) {
    const word = LIST_WORDS[kind]
    const lines = word === undefined ? texts : [`${word} ${texts.join(', ')}`]
    for (const text of lines) printed.push({ kind, text })
  }
  return printed
}
