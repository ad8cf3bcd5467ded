// Why a request got its response, and which lines of its body are wrong.
import { readQuery, splitQuery, valuesOf } from '../../contract/address.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { type Json, toJson, tryJson } from '../../contract/int64-json.ts'
import { STATUSES_OR_ABSENT } from '../../contract/pet.ts'
import { sayFound, sayMissing } from '../../contract/problem.ts'
import { listReasons, type Reason } from '../../control/rows/reasons.ts'
import { isCut, type RequestRow } from '../../world/row.ts'
import { kindOf } from '../../world/surprise.ts'
import { capitalize, count, formatSize } from './text.ts'

export type Cause = Readonly<{ chip?: string; tone?: 'bad' | 'accent'; text: string }>

/**
 * What is wrong with a line of the body: of a field, of the whole (no field), or of text that is
 * not JSON.
 */
export type LineMark = Readonly<{ field?: string; line?: number; text: string }>

/** What the page shows instead of a status, and what it means. */
export const OUTCOMES = {
  waiting: { sign: '…', text: 'The response is delayed' },
  held: { sign: 'held', text: 'The response is held until you release it' },
  dropped: { sign: 'drop', text: 'The connection was dropped' },
  aborted: { sign: 'left', text: 'The client left before the response' },
} as const

/** Another choice would change only the order or a header of the response. */
const QUIET: RequestRow['assumptions'] = ['list-order', 'sunset-header']

/** The most important first. */
export function causesOf(row: RequestRow): readonly Cause[] {
  const causes: Cause[] = []
  for (const reason of listReasons(row)) causes.push(...describeReason(reason, row))
  const added = findAdded(row)
  if (added) causes.push({ text: `${toJson(added.name)} → animal ${added.id}` })
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

/** The animal that the request added. */
export function findAdded(row: RequestRow): Pet | undefined {
  // A fault can respond in the same way.
  if (row.operation !== 'createPet' || row.status !== 201 || row.faults.length > 0) return undefined
  return findAnimal(tryJson(row.response.body))
}

function findAnimal(body: Json | undefined): Pet | undefined {
  const isAnimal = typeof body === 'object' && body !== null && 'id' in body && 'name' in body
  return isAnimal ? (body as unknown as Pet) : undefined
}

/** What a request got, where no reason says it. */
export function describeResult(row: RequestRow): string {
  if (row.outcome !== 'sent') return OUTCOMES[row.outcome].text
  const { body } = row.response
  if (body === '') return 'no body'
  if (row.operation === 'listPets') return describeList(row)
  const animal = findAnimal(tryJson(body))
  if (!animal) return formatSize(body)
  const { name, status = 'no status' } = animal
  return `${toJson(name)}, ${status}`
}

/** What a request would have got instead. */
export function describeWould(row: RequestRow, would: Partial<RequestRow>): string {
  const imagined = { ...row, struck: [], surprises: [], ...would } as RequestRow
  const [cause] = causesOf(imagined)
  return cause ? sayCause(cause) : describeResult(imagined)
}

/** As in `3 sold animals`. */
function describeList(row: RequestRow): string {
  const { body } = row.response
  const parameters = readQuery(splitQuery(row.target).query)
  const status = valuesOf(parameters, 'status').at(-1)
  const noun = isStatus(status) ? `${status} animal` : 'animal'
  // The log has the beginning of a long list.
  if (isCut(body)) return `more than ${count(countIds(body), noun)}`
  const animals = tryJson(body)
  return Array.isArray(animals) ? count(animals.length, noun) : formatSize(body)
}

function isStatus(text: string | undefined): boolean {
  return STATUSES_OR_ABSENT.some((status) => status === text)
}

function countIds(body: string): number {
  return body.match(/"id"\s*:/g)?.length ?? 0
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
