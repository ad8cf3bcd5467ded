// From responses to verdicts. The mock is the model: it answers the same requests about the same animals under every choice, and a choice
// fits if its responses have the same features as the service's.
import { readOwn } from '../contract/describe-value.ts'
import { toErrorText } from '../contract/errors.ts'
import { type AssumptionChoices, type AssumptionId, assumptions, contract } from '../generated/contract.ts'
import { createMock } from '../mock/mock.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import type { Scenario } from '../world/situation.ts'
import { describeResponse, type Exchange, findDeviations, petsOf, readResponse } from './exchange.ts'
import { EXTRA, TIERS, type Tier, UNKNOWN, UNUSED } from './probes.ts'

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
  readonly exchanges: readonly Exchange[]
  /** Absent for a recording. */
  readonly probe?: Tier
  /** An earlier calibration to compare with; without one, the mock's defaults. */
  readonly expect?: Scenario | undefined
}

type Says = (exchange: Exchange, exchanges: readonly Exchange[]) => unknown

const MODEL_KEY = 'model-key'
const { listPets, createPet, getPet } = contract.operations
const pageSize = listPets.parameters[0].schema.default

/** What a response says about an assumption, undefined if nothing: without a row, its status. */
const SAYS: Partial<Record<AssumptionId, Says>> = {
  // In classes, since animals come and go between two requests.
  'invalid-query': ({ response: { status, json } }) =>
    Array.isArray(json) ? (json.length < 2 ? json.length : json.length <= pageSize ? 'a page' : 'more') : `status ${status}`,
  'default-status': ({ response: { status, json } }) => (status === createPet.success ? String(readOwn(json, 'status')) : undefined),
  'unknown-fields': (exchange, exchanges) =>
    readOwn(exchange.response.json, UNKNOWN) === undefined ? explainedStatus(exchange, exchanges, EXTRA) : 'kept',
  'unknown-category': (exchange, exchanges) =>
    exchange.probe.body?.includes(String(UNUSED)) ? explainedStatus(exchange, exchanges, /"categoryId":-?\d+/) : undefined,
  'list-order': ({ response }) => {
    const ids = petsOf(response).map(({ id }) => BigInt(id))
    const isSorted = (sign: bigint) => ids.every((id, index) => index === 0 || (id - (ids[index - 1] ?? 0n)) * sign >= 0n)
    return ids.length < 2 ? undefined : `${isSorted(1n)} ${isSorted(-1n)}`
  },
  paging: ({ probe, response }, [first]) => {
    if (!/[?&](?:offset|page)=/.test(probe.target)) return undefined
    return first && petsOf(response)[0]?.id === petsOf(first.response)[0]?.id ? 'the first page' : 'something else'
  },
  'error-codes': ({ response: { status, json } }) => {
    const code = readOwn(json, 'code')
    const spellings: readonly AssumptionChoices['error-codes'][] = ['names', 'snake', 'upper']
    if (status < 400 || typeof code !== 'string') return undefined
    return spellings.find((spelling) => JSON.parse(toErrorText(status, '', spelling)).code === code) ?? 'another spelling'
  },
  'valid-keys': ({ probe, response }) => (probe.key === 'wrong' ? response.status : undefined),
  'sunset-header': ({ response }) => (response.status < 300 ? (response.header('sunset') ?? 'none') : undefined),
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

/** A refused animal shows why only if one that differs in this part alone was accepted. */
function explainedStatus({ probe, response }: Exchange, exchanges: readonly Exchange[], part: string | RegExp): number | undefined {
  const without = (body = '') => body.replace(part, '')
  const accepted = exchanges.filter((one) => one.response.status === createPet.success)
  return accepted.some((one) => without(one.probe.body) === without(probe.body)) ? response.status : undefined
}

export function judge(run: Run): Calibration {
  const { against, start, exchanges, expect } = run
  const assume: Record<string, string> = {}
  const model = createModel(run)
  /** What an assumption accounts for. */
  const explained = new Set<Exchange>()
  const choices = assumptions.map((assumption) => {
    const models = assumption.choices.map((choice) => model({ ...assume, [assumption.id]: choice }))
    const { finding, clues, choice } = judgeChoice(assumption, run, models)
    if (choice !== undefined) assume[assumption.id] = choice
    if (assumption.id !== 'error-codes') for (const clue of clues) explained.add(clue)
    return finding
  })
  const decided = model(assume)
  const responses = exchanges.map((exchange, index) => {
    const { probe } = exchange
    const documented = findRoute(parseTarget(probe.target).path)?.byMethod.get(probe.method)?.statuses ?? []
    const expected = probe.tier === 'writes' ? documented : [decided[index]?.response.status ?? 0]
    return judgeResponse(exchange, explained.has(exchange) ? [exchange.response.status] : expected)
  })
  // A recording can have the same response a hundred times.
  const findings = [...new Map([...responses, ...choices].map((finding) => [Object.values(finding).join(), finding])).values()]
  const deviations = findings
    .filter(({ verdict }) => verdict === 'violates the spec' || verdict === 'no choice fits')
    .map(({ subject }) => subject)
  // Deviations that an earlier calibration saw do not count; one that has gone does.
  const known = expect?.calibrated?.deviations ?? []
  const compared = findings.map((finding): Finding => {
    const isGone = known.includes(finding.subject) && ['as specified', 'confirmed'].includes(finding.verdict)
    return isGone ? { ...finding, verdict: 'differs', detail: `no longer deviates: ${finding.detail}` } : finding
  })
  const has = (...verdicts: readonly Verdict[]) => compared.some(({ verdict }) => verdicts.includes(verdict))
  const isMoved = has('differs') || deviations.some((subject) => !known.includes(subject))
  const isChecked = has('as specified', 'confirmed') && !has('could not check')
  const calibrated = { on: start.slice(0, 10), against, choices: assume, deviations }
  return {
    outcome: isMoved ? 'differs' : isChecked ? 'matches' : 'could not check',
    findings: compared,
    scenario: { extends: 'default', assume, calibrated },
  }
}

function judgeResponse(exchange: Exchange, allowed: readonly number[]): Finding {
  const { label: subject, response } = exchange
  const detail = describeResponse(response)
  if (response.problem !== undefined) return { verdict: 'could not check', subject, detail, evidence: [] }
  const deviations = findDeviations(exchange, allowed)
  if (deviations.length === 0) return { verdict: 'as specified', subject, detail, evidence: [] }
  return { verdict: 'violates the spec', subject, detail: deviations.join('; '), evidence: [`${subject} → ${detail}`] }
}

function judgeChoice({ id, choices, default: preset }: (typeof assumptions)[number], run: Run, models: readonly (readonly Exchange[])[]) {
  const says: Says = SAYS[id] ?? (({ response }) => response.status)
  const clues: { readonly exchange: Exchange; readonly fits: readonly string[] }[] = []
  let silent: Exchange | undefined
  for (const [index, exchange] of run.exchanges.entries()) {
    const predicted = models.map((exchanges) => says(exchanges[index] as Exchange, exchanges))
    // What no choice or every choice predicts tells none from another.
    if (predicted[0] === undefined || (predicted.length > 1 && new Set(predicted).size === 1)) continue
    const said = exchange.response.problem === undefined ? says(exchange, run.exchanges) : undefined
    if (said === undefined) silent ??= exchange
    else clues.push({ exchange, fits: choices.filter((_, choice) => predicted[choice] === said) })
  }
  const toLine = ({ label, response }: Exchange) => `${label} → ${describeResponse(response)}`
  const odd = clues.filter(({ fits }) => fits.length === 0)
  const evidence = [...new Set((odd.length > 0 ? odd : clues).map(({ exchange }) => toLine(exchange)))]
  const toResult = (verdict: Verdict, detail: string, choice?: string) => {
    return { clues: clues.map(({ exchange }) => exchange), choice, finding: { verdict, subject: id, detail, evidence } }
  }
  const [first] = evidence
  if (first === undefined) {
    const reason = explainSilence(id, run.probe)
    // The first response is the list: an empty one shows nothing.
    const cause = silent ?? run.exchanges.find(({ response }) => response.problem !== undefined) ?? run.exchanges[0]
    return reason === undefined ? toResult('could not check', cause ? toLine(cause) : '') : toResult('undecided', reason)
  }
  const [choice, other] = choices.filter((one) => clues.every(({ fits }) => fits.includes(one)))
  if (choice === undefined) return toResult('no choice fits', evidence.slice(0, 4).join('; '))
  if (other !== undefined) return toResult(run.probe ? 'could not check' : 'undecided', `${choice} or ${other} (${first})`)
  const doubt = DOUBTS[`${id}=${choice}`]
  if (doubt !== undefined) return toResult('undecided', `${doubt} (${first})`)
  const ours = run.expect?.assume?.[id] ?? preset
  if (choice === ours) return toResult('confirmed', `${choice} (${first})`, choice)
  return toResult('differs', `the ${run.expect ? 'file' : 'mock'} has ${ours}, the service ${choice} (${first})`, choice)
}

/** Returns the responses of a mock with these choices and the animals of the service. */
function createModel({ start: now, exchanges }: Run) {
  const listed = exchanges.filter(({ probe }) => probe.method === 'GET').flatMap(({ response }) => petsOf(response))
  const pets = [...new Map(listed.map((pet) => [String(pet.id), pet])).values()]
  return (choices: Readonly<Record<string, string>>): readonly Exchange[] => {
    const assume = { 'valid-keys': 'any', ...choices } as Partial<AssumptionChoices>
    const { answer } = createMock({ scenario: {}, pets, apiKeys: [MODEL_KEY], now, frozen: true, assume })
    return exchanges.map((exchange) => {
      const { method, target, key, type, body } = exchange.probe
      const authorization = key === 'none' ? undefined : `Bearer ${key === 'wrong' ? UNKNOWN : MODEL_KEY}`
      const header = (name: string) => (name === 'authorization' ? authorization : name === 'content-type' ? type : undefined)
      const reply = answer({ method, target, header, body: body === undefined ? undefined : new TextEncoder().encode(body) })
      const headers = new Headers(reply.headers)
      return { ...exchange, response: readResponse(reply.status, (name) => headers.get(name) ?? undefined, reply.body, method) }
    })
  }
}

/** Why it is normal that nothing was seen of an assumption; undefined if something should have been. */
function explainSilence(id: AssumptionId, probe: Tier | undefined): string | undefined {
  if (!probe) return 'the recording does not show it'
  const needed = NEEDS[id] ?? 'read'
  if (TIERS.indexOf(needed) > TIERS.indexOf(probe)) return `needs ${needed === 'writes' ? '--create-animal' : `--probe ${needed}`}`
  if (id === 'removal-instant') return `can be seen on ${getPet.sunset} only`
  return id === 'removed-answer' ? `cannot be seen before ${getPet.sunset}` : undefined
}
