// From responses to verdicts. The mock is the model: it answers the same requests about the same animals under every choice, and a choice
// fits if its responses have the same features as the service's.
import { toErrorText } from '../contract/errors.ts'
import { type AssumptionChoices, type AssumptionId, assumptions, contract, type Pet } from '../generated/contract.ts'
import { createMock } from '../mock/mock.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import type { Scenario } from '../world/situation.ts'
import { describeResponse, type Exchange, fieldOf, findDeviations, petsOf, type Response, readResponse } from './exchange.ts'
import { TIERS, type Tier, UNKNOWN, UNUSED } from './probes.ts'

/** What a check comes to. */
export type Verdict = 'as specified' | 'violates the spec' | 'confirmed' | 'differs' | 'no choice fits' | 'undecided' | 'could not check'

/** The verdict on one response or one assumption. */
export interface Finding {
  /** What the check comes to. */
  readonly verdict: Verdict
  /** An assumption, or a request: `GET /pets?limit=0`. */
  readonly subject: string
  /** What was seen, or why nothing was. */
  readonly detail: string
  /** The responses that it depends on. */
  readonly evidence: readonly string[]
}

/** How a service compares with the spec and with the mock's choices. */
export interface Calibration {
  /** `could not check` if nothing differs, but a check could not be made. */
  readonly outcome: 'matches' | 'differs' | 'could not check'
  /** One for each response, then one for each assumption. */
  readonly findings: readonly Finding[]
  /** A scenario with the choices that the service shows; `calibrated` says when and where. */
  readonly scenario: ScenarioDocument
}

export interface Run {
  readonly against: string
  /** When it began, as ISO 8601. */
  readonly start: string
  /** The animals that the service is known to have. */
  readonly pets: readonly Pet[]
  readonly exchanges: readonly Exchange[]
  /** Absent for a recording. */
  readonly probe?: Tier
  /** Why not all probes were sent. */
  readonly stopped?: string | undefined
  /** An earlier calibration to compare with; without one, the mock's defaults. */
  readonly expect?: Scenario | undefined
}

/** A mock with one choice: its responses, and the assumptions that each depends on by its log. */
interface Model {
  readonly choice: string
  readonly exchanges: readonly (Exchange & { readonly dependsOn: readonly AssumptionId[] })[]
}

const MODEL_KEY = 'model-key'
const DEVIATIONS: readonly Verdict[] = ['violates the spec', 'no choice fits']
const { listPets, createPet, getPet } = contract.operations
const pageSize = listPets.parameters[0].schema.default

/** What is compared, the coarsest first: after the status, only features in which the choices left differ. */
const FEATURES: readonly ((exchange: Exchange, first: Exchange, id: AssumptionId) => unknown)[] = [
  ({ response }, first, id) => {
    if (id === 'paging' && petsOf(response)[0]?.id !== petsOf(first.response)[0]?.id) return 'another page'
    return id === 'unknown-fields' && fieldOf(response.json, UNKNOWN) !== undefined ? 'kept' : response.status
  },
  // In classes, since animals come and go between two requests.
  ({ response: { json } }) => Array.isArray(json) && (json.length < 2 ? json.length : json.length <= pageSize ? 'few' : 'many'),
  ({ response }) => String(fieldOf(response.json, 'status')),
  ({ response }) => {
    const ids = petsOf(response).map(({ id }) => BigInt(id))
    return [1n, -1n].map((sign) => ids.every((id, index) => index === 0 || (id - (ids[index - 1] ?? 0n)) * sign >= 0n)).join()
  },
  ({ response }) => response.status < 300 && response.header('sunset'),
]

/** Where the mock's log is silent, because nearly every response depends on the assumption. */
const APPLIES: Partial<Record<AssumptionId, (exchange: Exchange) => boolean>> = {
  'error-codes': ({ response: { status, json } }) => status >= 400 && typeof fieldOf(json, 'code') === 'string',
  'valid-keys': ({ probe }) => probe.key === 'wrong',
  'unknown-category': ({ probe }) => probe.body?.includes(String(UNUSED)) === true,
}
/** Choices that one response cannot prove. */
const DOUBTS: Readonly<Record<string, string>> = {
  'paging=none': 'there may be other ways of paging',
  'valid-keys=listed': 'which keys are valid cannot be seen',
}
const NEEDS: Partial<Record<AssumptionId, Tier>> = {
  'media-type': 'refused-writes',
  'default-status': 'writes',
  'unknown-fields': 'writes',
  'unknown-category': 'writes',
}

export function judge(run: Run): Calibration {
  const { against, start, exchanges, expect } = run
  const assume: Record<string, string> = {}
  const judged = new Set<Exchange>()
  // Whether getPet has been removed comes first: nothing else can be seen of it then.
  const isFirst = (id: AssumptionId) => Number(id.startsWith('remov'))
  const ordered = assumptions.toSorted((one, other) => isFirst(other.id) - isFirst(one.id))
  const choices = ordered.map((assumption) => {
    const { finding, clues, choice } = judgeChoice(assumption, run, assume)
    if (choice !== undefined) assume[assumption.id] = choice
    if (assumption.id !== 'error-codes') for (const clue of clues) judged.add(clue)
    return finding
  })
  const model = ask(run, assume)
  const responses = exchanges.map((exchange, index) => {
    const { probe, response } = exchange
    const documented = findRoute(parseTarget(probe.target).path)?.byMethod.get(probe.method)?.statuses ?? []
    const expected = probe.tier === 'writes' ? documented : [model[index]?.response.status ?? 0]
    // An assumption explains a refusal; a success is always the documented one.
    const explained = response.status < 400 ? documented.filter((status) => status < 400) : [response.status]
    return judgeResponse(exchange, judged.has(exchange) ? explained : expected)
  })
  // A recording can have the same response a hundred times.
  const findings = [...new Map([...responses, ...choices].map((finding) => [Object.values(finding).join(), finding])).values()]
  const deviations = findings.filter(({ verdict }) => DEVIATIONS.includes(verdict)).map(({ subject }) => subject)
  const calibrated = { on: start.slice(0, 10), against, choices: assume, deviations }
  const scenario = { extends: 'default', assume, calibrated }
  const known = expect?.calibrated?.deviations ?? []
  const compared = findings.map((finding): Finding => {
    const isGone = known.includes(finding.subject) && ['as specified', 'confirmed'].includes(finding.verdict)
    return isGone ? { ...finding, verdict: 'differs', detail: `no longer deviates: ${finding.detail}` } : finding
  })
  return { outcome: conclude(compared, known), findings: compared, scenario }
}

function judgeResponse(exchange: Exchange, allowed: readonly number[]): Finding {
  const { label: subject, response } = exchange
  const detail = describeResponse(response)
  if (response.problem !== undefined) return { verdict: 'could not check', subject, detail, evidence: [] }
  const deviations = findDeviations(exchange, allowed)
  if (deviations.length === 0) return { verdict: 'as specified', subject, detail, evidence: [] }
  return { verdict: 'violates the spec', subject, detail: deviations.join('; '), evidence: [`${subject} → ${detail}`] }
}

function judgeChoice({ id, choices, default: preset }: (typeof assumptions)[number], run: Run, decided: Readonly<Record<string, string>>) {
  const models = choices.map((choice: string) => ({ choice, exchanges: ask(run, { ...decided, [id]: choice }) }))
  const clues: Exchange[] = []
  let fits = models.map(({ choice }) => choice)
  let silent: Exchange | undefined
  for (const [index, exchange] of run.exchanges.entries()) {
    if (!(APPLIES[id]?.(exchange) ?? models.some(({ exchanges }) => exchanges[index]?.dependsOn.includes(id)))) continue
    const says = exchange.response.problem === undefined && explains(id, exchange, index, run)
    if (!says) silent ??= exchange
    const matching = says ? match(id, models, exchange, index, run) : undefined
    if (!matching) continue
    clues.push(exchange)
    fits = fits.filter((choice) => matching.includes(choice))
  }
  const toLine = ({ label, response }: Exchange) => `${label} → ${describeResponse(response)}`
  const evidence = [...new Set(clues.map(toLine))]
  const toResult = (verdict: Verdict, detail: string, shown?: string) => {
    return { clues, choice: shown, finding: { verdict, subject: id, detail, evidence } }
  }
  const [choice, other] = fits
  const [first] = evidence
  if (first === undefined) {
    const reason = explainSilence(id, run, decided)
    const missing = silent ? toLine(silent) : (run.stopped ?? `the first list has ${run.pets.length} valid animals`)
    return reason === undefined ? toResult('could not check', missing) : toResult('undecided', reason)
  }
  if (choice === undefined) return toResult('no choice fits', evidence.slice(0, 4).join('; '))
  if (other !== undefined) return toResult(run.probe ? 'could not check' : 'undecided', `${fits.join(' or ')} (${first})`)
  const doubt = DOUBTS[`${id}=${choice}`]
  if (doubt !== undefined) return toResult('undecided', `${doubt} (${first})`)
  const ours = run.expect?.assume?.[id] ?? preset
  if (choice === ours) return toResult('confirmed', `${choice} (${first})`, choice)
  return toResult('differs', `the mock has ${ours}, the service ${choice} (${first})`, choice)
}

/** A refused animal shows why only if the one before or after it, which lacks one thing or has it, was accepted. */
function explains(id: AssumptionId, { probe, response }: Exchange, index: number, { exchanges }: Run): boolean {
  if (response.status < 400 || NEEDS[id] !== 'writes') return true
  const isAccepted = [exchanges[index - 1], exchanges[index + 1]].some((one) => one?.response.status === createPet.success)
  return isAccepted && id !== 'default-status' && !(id === 'unknown-category' && probe.body?.includes(UNKNOWN))
}

/** The choices whose model responds like this; undefined if all models respond alike, so that the response cannot tell them apart. */
function match(id: AssumptionId, models: readonly Model[], exchange: Exchange, index: number, { exchanges }: Run): string[] | undefined {
  const { status, json } = exchange.response
  const codeOf = (spelling: string) => JSON.parse(toErrorText(status, '', spelling as AssumptionChoices['error-codes'])).code
  if (id === 'error-codes') return models.map(({ choice }) => choice).filter((choice) => codeOf(choice) === fieldOf(json, 'code'))
  let left = models
  let differs = models.length === 1
  for (const feature of FEATURES) {
    const read = (model: Pick<Model, 'exchanges'>) => feature(model.exchanges[index] as Exchange, model.exchanges[0] as Exchange, id)
    const varies = new Set(left.map(read)).size > 1
    differs ||= varies
    const value = feature(exchange, exchanges[0] as Exchange, id)
    if (varies || feature === FEATURES[0]) left = left.filter((model) => read(model) === value)
  }
  return differs ? left.map(({ choice }) => choice) : undefined
}

/** Sends the run's requests to a mock with these choices and the service's animals. */
function ask({ pets, start, exchanges }: Run, choices: Readonly<Record<string, string>>): Model['exchanges'] {
  const assume = { 'valid-keys': 'any', ...choices } as Partial<AssumptionChoices>
  // By the service's own clock, which decides what it has removed.
  const date = Date.parse(exchanges[0]?.response.header('date') ?? '')
  const now = new Date(date > 0 ? date : start).toISOString()
  const journal = { entries: exchanges.length }
  const unique = [...new Map(pets.map((pet) => [String(pet.id), pet])).values()]
  const { answer, control } = createMock({ scenario: {}, pets: unique, apiKeys: [MODEL_KEY], now, frozen: true, assume, journal })
  const responses = exchanges.map(({ probe: { method, target, key, type, body } }) => {
    const authorization = key === 'none' ? undefined : `Bearer ${key === 'wrong' ? UNKNOWN : MODEL_KEY}`
    const header = (name: string) => (name === 'authorization' ? authorization : name === 'content-type' ? type : undefined)
    const reply = answer({ method, target, header, body: body === undefined ? undefined : new TextEncoder().encode(body) })
    const headers = new Headers(reply.headers)
    return readResponse(reply.status, (name) => headers.get(name) ?? undefined, reply.body, method)
  })
  const log = control.requests()
  return exchanges.map((exchange, index) => {
    return { ...exchange, response: responses[index] as Response, dependsOn: log[index]?.assumptions ?? [] }
  })
}

/** Why it is normal that nothing was seen of an assumption; undefined if something should have been. */
function explainSilence(id: AssumptionId, { probe }: Run, decided: Readonly<Record<string, string>>): string | undefined {
  if (!probe) return 'the recording does not show it'
  const needed = NEEDS[id] ?? 'read'
  if (TIERS.indexOf(needed) > TIERS.indexOf(probe)) return `needs ${needed === 'writes' ? '--create-animal' : `--probe ${needed}`}`
  if (id === 'removal-instant') return `can be seen on ${getPet.sunset} only`
  if (id === 'removed-answer') return `cannot be seen before ${getPet.sunset}`
  const isOfGetPet = id === 'invalid-pet-id' || id === 'sunset-header'
  return isOfGetPet && decided['removed-answer'] !== undefined ? `getPet was removed on ${getPet.sunset}` : undefined
}

/** Deviations that an earlier calibration saw do not count; one that has gone does. */
function conclude(findings: readonly Finding[], known: readonly string[]): Calibration['outcome'] {
  const has = (...verdicts: readonly Verdict[]) => findings.some(({ verdict }) => verdicts.includes(verdict))
  const isMoved = findings.some(({ verdict, subject }) => DEVIATIONS.includes(verdict) && !known.includes(subject))
  if (isMoved || has('differs')) return 'differs'
  return has('could not check') || !has('as specified', 'confirmed') ? 'could not check' : 'matches'
}
