// From responses to verdicts. The mock is the model: it answers the same requests about the same
// animals under every choice. A choice fits if its responses show what the service's show.
import { type AssumptionChoices, assumptions, contract } from '../contract/generated/contract.ts'
import { createMock } from '../mock/mock.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import { toCall } from '../service/call.ts'
import { describeAnswer, petsOf, readAnswer, type Trial } from './answer.ts'
import { findDeviations } from './deviations.ts'
import { headersOf, methodOf } from './probe.ts'
import { type Sign, signs } from './signs.ts'

type Deviation = 'violates the spec' | 'differs' | 'no choice fits'
/** What a check comes to. */
export type Verdict = 'as specified' | 'confirmed' | Deviation | 'undecided' | 'could not check'

/** The verdict on one response or one assumption. */
export interface Finding {
  /** What the check comes to. */
  readonly verdict: Verdict
  /** An assumption, or a request (`GET /pets?limit=0`). Each has one finding. */
  readonly subject: string
  /** What was seen, or why nothing was. */
  readonly detail: string
}

/** How a service compares with the spec and with the mock's choices. */
export interface Calibration {
  /** `could not check` if nothing differs, but a check could not be made. */
  readonly outcome: 'matches' | 'differs' | 'could not check'
  /** Of the responses, then of the assumptions. */
  readonly findings: readonly Finding[]
  /** A scenario with the choices that the service shows; `calibrated` says when and where. */
  readonly scenario: ScenarioDocument
}

const MODEL_KEY = 'model-key'
const MAX_SHOWN_CLUES = 4
const { createPet } = contract.operations
const REFUSALS = createPet.statuses.filter((status) => status >= 400 && status !== 401)
export const DEVIATIONS: readonly Verdict[] = ['violates the spec', 'differs', 'no choice fits']

export function judge(against: string, trials: readonly Trial[]): Calibration {
  const now = new Date().toISOString()
  const predict = createModel(trials, now)
  const checks = trials.map(createCheck)
  const assume: Record<string, string> = {}
  const judged: Finding[] = []
  // If no response can be read, the report says so once.
  const isReadable = trials.some(({ response }) => response.problem === undefined)
  for (const assumption of isReadable ? assumptions : []) {
    const { id, choices } = assumption
    const models = choices.map((one) => predict({ ...assume, [id]: one }))
    allowPredicted(checks, models)
    const { choice, ...finding } = judgeChoice(assumption, trials, models)
    if (choice !== undefined) assume[id] = choice
    judged.push({ ...finding, subject: id })
  }
  const responses = checks.map(judgeResponse)
  const findings = [...responses, ...judged]
  return {
    outcome: decideOutcome(findings),
    findings,
    scenario: {
      extends: 'default',
      assume,
      calibrated: { on: now.slice(0, 10), against, choices: assume },
    },
  }
}

/** A trial, and the statuses that its response may have. */
type Check = Readonly<{ trial: Trial; allowed: Set<number> }>

function createCheck(trial: Trial): Check {
  return { trial, allowed: new Set(trial.probe.mayBeRefused ? REFUSALS : []) }
}

/** Each model has a response for each check, in the same order. */
function allowPredicted(checks: readonly Check[], models: readonly (readonly Trial[])[]): void {
  for (const [index, { allowed }] of checks.entries()) {
    for (const model of models) {
      const predicted = model[index]
      if (predicted) allowed.add(predicted.response.status)
    }
  }
}

function decideOutcome(findings: readonly Finding[]): Calibration['outcome'] {
  const verdicts = new Set(findings.map(({ verdict }) => verdict))
  if (DEVIATIONS.some((one) => verdicts.has(one))) return 'differs'
  if (verdicts.has('could not check')) return 'could not check'
  const isChecked = verdicts.has('as specified') || verdicts.has('confirmed')
  return isChecked ? 'matches' : 'could not check'
}

/** The responses of the mock under these choices. */
function createModel(trials: readonly Trial[], now: string) {
  const pets = listPets(trials)
  return (choices: Readonly<Record<string, string>>): readonly Trial[] => {
    const assume: Partial<AssumptionChoices> = { 'valid-keys': 'any', ...choices }
    const mock = createMock({
      scenario: {},
      pets,
      apiKeys: [MODEL_KEY],
      now,
      frozen: true,
      assume,
    })
    return trials.map((trial) => {
      const { probe } = trial
      const headers = headersOf(probe, MODEL_KEY)
      const reply = mock.answer(toCall({ ...probe, method: methodOf(probe), headers }))
      const response = readAnswer(reply.status, Object.entries(reply.headers), reply.body)
      return { ...trial, response }
    })
  }
}

/** Every animal that the service showed, as it showed it last. */
function listPets(trials: readonly Trial[]) {
  const shown = trials.filter(({ probe }) => probe.body === undefined)
  const pets = shown.flatMap(({ response }) => petsOf(response))
  const byId = new Map(pets.map((pet) => [String(pet.id), pet]))
  return [...byId.values()]
}

function judgeResponse({ trial, allowed }: Check): Finding {
  const { label: subject, response } = trial
  const detail = describeAnswer(response)
  if (response.problem !== undefined) return { verdict: 'could not check', subject, detail }
  const deviations = findDeviations(trial, allowed)
  if (deviations.length === 0) return { verdict: 'as specified', subject, detail }
  return { verdict: 'violates the spec', subject, detail: `${deviations.join('; ')} (${detail})` }
}

type Judged = Omit<Finding, 'subject'> & { readonly choice?: string }
type Assumption = (typeof assumptions)[number]
/** A response that shows something, and the choices under which the mock shows the same. */
type Clue = Readonly<{ line: string; fits: readonly string[] }>

function judgeChoice(
  assumption: Assumption,
  trials: readonly Trial[],
  models: readonly (readonly Trial[])[],
): Judged {
  const sign: Sign = signs[assumption.id]
  const clues: Clue[] = []
  let unread = trials.find(({ response }) => response.problem !== undefined)
  for (const [index, trial] of trials.entries()) {
    const predicted = models.map((model) => sign.read(model[index] as Trial, model))
    // It proves nothing if every choice predicts the same.
    const isSame = predicted.length > 1 && new Set(predicted).size === 1
    if (predicted[0] === undefined || isSame) continue
    const isReadable = trial.response.problem === undefined
    const shown = isReadable ? sign.read(trial, trials) : undefined
    if (shown === undefined) {
      unread = trial
      continue
    }
    const fits = assumption.choices.filter((_, choice) => predicted[choice] === shown)
    clues.push({ line: describeTrial(trial), fits })
  }
  if (clues.length > 0) return weighClues(assumption, sign, clues)
  if (sign.unseen !== undefined && !unread) return { verdict: 'undecided', detail: sign.unseen }
  return { verdict: 'could not check', detail: describeTrial(unread ?? (trials[0] as Trial)) }
}

function weighClues(assumption: Assumption, sign: Sign, clues: readonly Clue[]): Judged {
  const { choices, default: preset } = assumption
  const [choice, other] = choices.filter((one) => clues.every(({ fits }) => fits.includes(one)))
  if (choice === undefined) return { verdict: 'no choice fits', detail: describeMisfits(clues) }
  const seen = `(${clues[0]?.line})`
  if (other !== undefined)
    return { verdict: 'could not check', detail: `${choice} or ${other} ${seen}` }
  const doubt = sign.doubts?.[choice]
  if (doubt !== undefined) return { verdict: 'undecided', detail: `${doubt} ${seen}` }
  if (choice === preset) return { verdict: 'confirmed', detail: `${choice} ${seen}`, choice }
  const detail = `the mock has ${preset}, the service ${choice} ${seen}`
  return { verdict: 'differs', detail, choice }
}

/** The responses that no choice predicts; if each is predicted by some, all of them. */
function describeMisfits(clues: readonly Clue[]): string {
  const odd = clues.filter(({ fits }) => fits.length === 0)
  const shown = odd.length > 0 ? odd : clues
  const lines = new Set(shown.map(({ line }) => line))
  return [...lines].slice(0, MAX_SHOWN_CLUES).join('; ')
}

const describeTrial = ({ label, response }: Trial) => `${label} → ${describeAnswer(response)}`
