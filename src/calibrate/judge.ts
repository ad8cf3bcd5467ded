// From exchanges to findings and worlds, whether they are probes or recorded traffic.
import { assumptions } from '../contract/generated/contract.ts'
import type { Task } from '../contract/turns.ts'
import { withoutUndefined } from '../contract/values.ts'
import { answerQuestions, type Question } from './answer-questions.ts'
import { type Blame, findBlame, isWronglyAccepted } from './blame.ts'
import { allows, chooseTogether } from './choose.ts'
import { describeRow, type Exchange } from './exchange.ts'
import type { Finding, Reasons, Verdict } from './finding.ts'
import { type Flaw, findFlaws, findTarget } from './flaws.ts'
import type { Followed } from './follow.ts'
import { followWorlds } from './follow-worlds.ts'
import { gatherClues, isDoubtful } from './gather-clues.ts'
import type { Judged } from './judge-row.ts'
import type { Choices, Prediction } from './model.ts'

interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** The choices already made, with which the service is compared. */
  readonly preset: Choices
  readonly reasons: Reasons
  /** The valid keys; without this, those that were not always refused. */
  readonly keys?: readonly number[] | undefined
}

export interface Judgement {
  readonly findings: readonly Found[]
  /** The best choices, even if some responses contradict them. */
  readonly choices: Choices
  /** Those that nothing contradicts. */
  readonly confirmed: Choices
  readonly worlds: readonly Followed[]
  readonly explained: number
}

type Found = Omit<Finding, 'isAccepted'>

const MAX_ROWS = 20
const VERDICTS = {
  spec: 'violates the spec',
  rfc: 'violates HTTP',
  version: 'another API version?',
  choice: 'no choice fits',
} satisfies Record<string, Verdict>
/** Some choice explains more responses than the others. */
const CONTESTED: readonly Verdict[] = ['no choice fits', 'could not check']
const questionIds: ReadonlySet<string> = new Set(assumptions.map(({ id }) => id))

/** A deviation, and the responses that have it. */
type Deviation = { readonly found: Omit<Found, 'rows'>; readonly exchanges: Exchange[] }

export function* judge(evidence: Evidence): Task<Judgement> {
  const { exchanges, preset, reasons, keys } = evidence
  const readable = exchanges.filter(({ answer }) => answer.problem === undefined)
  const worlds = yield* followWorlds(readable, keys)
  const judged = worlds
    .flatMap(({ judged }) => judged)
    .map((judged) => ({ judged, clues: gatherClues(judged) }))
  const clues = judged.flatMap((row) => row.clues)
  const chosen = chooseTogether(clues, preset)
  const deviations = collectDeviations(
    judged.map((row) => row.judged),
    chosen.choices,
  )
  const misfits = new Map<string, Exchange[]>()
  for (const [id, { found, exchanges: own }] of deviations) {
    if (!questionIds.has(found.subject)) continue
    misfits.set(found.subject, own)
    deviations.delete(id)
  }
  const first = exchanges.find(({ answer }) => answer.problem !== undefined) ?? exchanges[0]
  const unseen = first ? describeRow(first) : 'no request was read'
  const questions = answerQuestions({ clues, chosen, preset, reasons, misfits, unseen })
  const confirmed: Record<string, string> = {}
  const likely: Record<string, string | undefined> = {}
  for (const { id, choice, verdict, rows } of questions) {
    if (choice !== undefined) confirmed[id] = choice
    const isContested = rows.length > 0 && CONTESTED.includes(verdict)
    if (choice !== undefined || isContested) likely[id] = chosen.choices[id]
  }
  const explained = judged.filter(({ judged: { fits }, clues: own }) => {
    return fits.length > 0 && own.every((clue) => allows(clue, chosen.choices))
  })
  // If no response can be read, the report says so once.
  const asked = readable.length > 0 ? questions.map(toFinding) : []
  return {
    findings: [...listUnread(exchanges), ...listFindings(deviations), ...asked],
    choices: withoutUndefined(likely),
    confirmed,
    worlds,
    explained: explained.length,
  }
}

function toFinding({ id, verdict, detail, rows }: Question): Found {
  const kind = verdict === 'differs' ? 'differs' : 'choice'
  return { id: `${kind}/${id}`, verdict, subject: id, detail, rows: listRows(rows) }
}

function collectDeviations(rows: readonly Judged[], choices: Choices): Map<string, Deviation> {
  const deviations = new Map<string, Deviation>()
  for (const judged of rows) {
    const { exchange } = judged
    for (const { kind, place, detail } of listDeviations(judged, choices)) {
      const { name } = findTarget(exchange)
      const isQuestion = questionIds.has(place)
      const id = isQuestion ? `${kind}/${place}` : `${kind}/${name.replace(' ', ':')}/${place}`
      const subject = isQuestion ? place : name
      const known = deviations.get(id)
      if (known) known.exchanges.push(exchange)
      else
        deviations.set(id, {
          found: { id, verdict: VERDICTS[kind], subject, detail },
          exchanges: [exchange],
        })
    }
  }
  return deviations
}

/** A response that violates the spec is not blamed a second time. */
function listDeviations(judged: Judged, choices: Choices): (Flaw | Blame)[] {
  const { exchange, predictions, fits } = judged
  if (isWronglyAccepted(judged)) return [findBlame(judged)]
  const deviations: (Flaw | Blame)[] = findFlaws(exchange, new Set(predictions.map(statusOf)))
  const isBlamed = deviations.some(({ kind }) => kind !== 'rfc')
  if (exchange.answer.keepsUnknown) deviations.push(KEPT)
  const isRefusedElsewhere = isDoubtful(judged) && !allows({ fits: fits.map(choicesOf) }, choices)
  const isExplained = fits.length > 0 && !isRefusedElsewhere
  if (!isExplained && !isBlamed) deviations.push(findBlame(judged))
  return deviations
}

const KEPT: Blame = {
  kind: 'choice',
  place: 'unknown-fields',
  detail: 'the response has a field that only the request made up',
}
const statusOf = ({ status }: Prediction) => status
const choicesOf = ({ choices }: Prediction) => choices

function listFindings(deviations: ReadonlyMap<string, Deviation>): Found[] {
  return [...deviations.values()].map(({ found, exchanges }) => {
    const detail = `${found.detail} (${describeRows(exchanges)})`
    return { ...found, detail, rows: listRows(exchanges) }
  })
}

/** One for each reason. */
function listUnread(exchanges: readonly Exchange[]): Found[] {
  const unread = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const { problem } = exchange.answer
    if (problem === undefined) continue
    const id = `unread/${findTarget(exchange).name.replace(' ', ':')}/${exchange.answer.status}`
    const known = unread.get(id)
    if (known) known.push(exchange)
    else unread.set(id, [exchange])
  }
  return [...unread].map(([id, own]) => {
    const subject = findTarget(own[0] as Exchange).name
    const detail = describeRows(own)
    return { id, verdict: 'could not check', subject, detail, rows: listRows(own) }
  })
}

function describeRows(exchanges: readonly Exchange[]): string {
  const [first, ...others] = exchanges
  const line = describeRow(first as Exchange)
  return others.length === 0 ? line : `${line}, and ${others.length} more`
}

function listRows(exchanges: readonly Exchange[]): number[] {
  return exchanges.slice(0, MAX_ROWS).map(({ row }) => row)
}
