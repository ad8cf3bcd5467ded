// What the responses say about each question that the spec leaves open.
import { type AssumptionId, assumptions } from '../contract/generated/contract.ts'
import { allows, type Chosen, type Clue, findContradicted } from './choose.ts'
import { describeRow, type Exchange } from './exchange.ts'
import type { Reasons, Verdict } from './finding.ts'
import type { Choices } from './model.ts'

export type Question = Readonly<{
  id: AssumptionId
  verdict: Verdict
  detail: string
  rows: readonly Exchange[]
  /** The choice that nothing contradicts. */
  choice?: string
}>

/** Why a choice that fits is not proved. */
const DOUBTS: Readonly<Record<string, string>> = {
  'paging=none': 'there may be other ways of paging',
  'valid-keys=listed': 'which keys are valid cannot be seen',
}
const MAX_SHOWN_ROWS = 4

interface Answers {
  readonly clues: readonly Clue[]
  readonly chosen: Chosen
  readonly preset: Choices
  readonly reasons: Reasons
  /** What was seen instead of an answer. */
  readonly unseen: string
  /** Responses that speak against all choices of a question. */
  readonly misfits: ReadonlyMap<string, readonly Exchange[]>
}

export function answerQuestions(answers: Answers): Question[] {
  const contradictions = new Map<string, Set<Exchange>>()
  for (const [id, exchanges] of answers.misfits) contradictions.set(id, new Set(exchanges))
  for (const clue of answers.clues) {
    if (allows(clue, answers.chosen.choices)) continue
    for (const id of findContradicted(clue, answers.chosen.choices)) {
      const known = contradictions.get(id) ?? new Set()
      contradictions.set(id, known.add(clue.exchange))
    }
  }
  return assumptions.map((assumption) => {
    const { id } = assumption
    const against = [...(contradictions.get(id) ?? [])]
    return { id, ...answerQuestion(assumption, against, answers) }
  })
}

type Assumption = (typeof assumptions)[number]

function answerQuestion(
  { id, choices, default: usual }: Assumption,
  against: readonly Exchange[],
  { clues, chosen, preset, reasons, unseen }: Answers,
): Omit<Question, 'id'> {
  const own = clues.filter(({ about }) => about.includes(id))
  const rows = own.map(({ exchange }) => exchange)
  if (against.length > 0) return describeMisfit(against, own)
  const choice = chosen.choices[id]
  const equal = chosen.ties.get(id) ?? []
  const [first] = rows
  if (
    choice === undefined ||
    !first ||
    (equal.length === choices.length - 1 && choices.length > 1)
  ) {
    const detail = reasons[id]
    if (detail === undefined) return { verdict: 'could not check', detail: unseen, rows: [] }
    return { verdict: 'undecided', detail, rows: [] }
  }
  const seen = `(${describeRow(first)})`
  if (equal.length > 0) {
    const detail = `${[choice, ...equal].join(' or ')} ${seen}`
    return { verdict: 'could not check', detail, rows }
  }
  const doubt = DOUBTS[`${id}=${choice}`]
  if (doubt !== undefined) return { verdict: 'undecided', detail: `${doubt} ${seen}`, rows }
  const made = preset[id] ?? usual
  if (choice === made) return { verdict: 'confirmed', detail: `${choice} ${seen}`, rows, choice }
  const detail = `the mock has ${made}, the service ${choice} ${seen}`
  return { verdict: 'differs', detail, rows, choice }
}

/** The responses that contradict the best choice, and one that shows it. */
function describeMisfit(against: readonly Exchange[], own: readonly Clue[]): Omit<Question, 'id'> {
  const shown = against.slice(0, MAX_SHOWN_ROWS).map(describeRow)
  const other = own.find(({ exchange }) => !against.includes(exchange))
  if (other) shown.push(describeRow(other.exchange))
  return { verdict: 'no choice fits', detail: shown.join('; '), rows: against }
}
