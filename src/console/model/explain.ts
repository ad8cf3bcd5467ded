// Why a request got its response, and which lines of its body are wrong.
import { sayFound, sayMissing } from '../../contract/problem.ts'
import { listReasons, type Reason } from '../../control/rows/reasons.ts'
import type { RequestRow } from '../../world/row.ts'
import { kindOf } from '../../world/surprise.ts'
import { capitalize } from './text.ts'

export type Cause = Readonly<{ chip?: string; tone?: 'bad' | 'accent'; text: string }>

/**
 * What is wrong with a line of the body: of a field, of the whole (no field), or of text that is
 * not JSON.
 */
export type LineMark = Readonly<{ field?: string; line?: number; text: string }>

/** What the page shows instead of a status, and what it means. */
export const OUTCOMES = {
  waiting: { sign: '…', text: 'The response is delayed' },
  dropped: { sign: 'drop', text: 'The connection was dropped' },
  aborted: { sign: 'left', text: 'The client left before the response' },
} as const

/** Another choice would change only the order or a header of the response. */
const QUIET: RequestRow['assumptions'] = ['list-order', 'sunset-header']

/** The most important first. */
export function causesOf(row: RequestRow): readonly Cause[] {
  const causes: Cause[] = []
  for (const reason of listReasons(row)) causes.push(...describeReason(reason, row))
  const id = addedId(row)
  if (id !== undefined) causes.push({ text: `Added animal ${id}` })
  return causes
}

function describeReason(reason: Reason, row: RequestRow): readonly Cause[] {
  const { kind, texts } = reason
  const plain = texts.map((text) => ({ text }))
  const { prefer = '' } = row.request.headers
  switch (kind) {
    case 'refused':
    case 'note':
      return plain
    case 'fault':
      return [{ chip: 'fault', tone: 'bad', text: texts[0] ?? '' }, ...plain.slice(1)]
    case 'asked':
      return [{ chip: 'your request', text: `Prefer: ${prefer}` }]
    case 'surprise':
      return [{ chip: 'surprise', tone: 'accent', text: texts.map(kindOf).join(', ') }]
    case 'assumes':
      return []
  }
}

export function sayCause(cause: Cause): string {
  return cause.chip ? `${capitalize(cause.chip)}: ${cause.text}` : cause.text
}

/** The id of the animal that the request added. */
export function addedId(row: RequestRow): string | undefined {
  // A fault can respond in the same way.
  if (row.operation !== 'createPet' || row.status !== 201 || row.faults.length > 0) return undefined
  return /"id"\s*:\s*(-?\d+)/.exec(row.response.body)?.[1]
}

export function tellingAssumptions(row: RequestRow) {
  return row.assumptions.filter((id) => !QUIET.includes(id))
}

export function markLines(row: RequestRow): LineMark[] {
  const marks: LineMark[] = []
  if (row.request.body === '') return marks
  for (const problem of row.problems) {
    if (problem.kind === 'syntax' && problem.line !== undefined)
      marks.push({ line: problem.line, text: sayFound(problem) })
    if (problem.kind === 'mismatch') {
      const text = `expected ${problem.expected}`
      marks.push(problem.path === '' ? { text } : { field: problem.path, text })
    }
    if (problem.kind === 'unknown-field') marks.push({ field: problem.path, text: 'unknown field' })
    if (problem.kind === 'missing') marks.push({ text: sayMissing(problem.path) })
  }
  return marks
}
