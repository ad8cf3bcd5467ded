// From responses to verdicts. The mock is the model: it answers the same requests about the same animals under every
// choice. A choice fits if its responses have the same features as the service's.
import { readOwn } from '../contract/describe-value.ts'
import { toErrorText } from '../contract/errors.ts'
import { type AssumptionChoices, type AssumptionId, assumptions, contract } from '../generated/contract.ts'
import { createMock } from '../mock/mock.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import { findRoute, parseTarget } from '../service/route.ts'
import type { Scenario } from '../world/scenario.ts'
import { describeResponse, type Exchange, findDeviations, findExtras, petsOf, readResponse } from './exchange.ts'
import { EXTRA, headersOf, type Tier, UNKNOWN, UNUSED } from './probes.ts'

/** What a check comes to. */
export type Verdict =
  | 'as specified'
  | 'violates the spec'
  | 'confirmed'
  | 'differs'
  | 'no choice fits'
  | 'undecided'
  | 'could not check'
  | 'undocumented'

/** The verdict on one response or one assumption. */
export interface Finding {
  /** What the check comes to. */
  readonly verdict: Verdict
  /** An assumption, a request (`GET /pets?limit=0`), or what is undocumented (`Pet.owner`, `link`). Each has one finding. */
  readonly subject: string
  /** What was seen, or why nothing was. */
  readonly detail: string
}

/** How a service compares with the spec and with the mock's choices. */
export interface Calibration {
  /** `could not check` if nothing differs, but a check could not be made. */
  readonly outcome: 'matches' | 'differs' | 'could not check'
  /** Of the responses, of the assumptions, of what the spec does not name. */
  readonly findings: readonly Finding[]
  /** A scenario with the choices that the service shows; `calibrated` says when and where. */
  readonly scenario: ScenarioDocument
}

export interface Run {
  readonly against: string
  readonly exchanges: readonly Exchange[]
  readonly probe?: Tier
  /** The mock's defaults by default. */
  readonly expect?: Scenario | undefined
}

type Says = (exchange: Exchange, exchanges: readonly Exchange[]) => unknown

const MATCHES: readonly Verdict[] = ['as specified', 'confirmed']
const DEVIATIONS: readonly Verdict[] = ['violates the spec', 'no choice fits']
const MODEL_KEY = 'model-key'
const PRESET = Object.fromEntries(assumptions.map(({ id, default: choice }) => [id, choice]))
const { listPets, createPet, getPet } = contract.operations
const pageSize = listPets.parameters[0].schema.default

/** What a response shows about an assumption; without a row here, its status. */
const SAYS: Partial<Record<AssumptionId, Says>> = {
  // In classes, since animals come and go between requests.
  'invalid-query': ({ response: { status, json } }) => {
    if (!Array.isArray(json)) return `status ${status}`
    return json.length < 2 ? json.length : json.length <= pageSize
  },
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
  'sunset-header': ({ response }) => (response.status < 300 ? (response.headers.get('sunset') ?? 'none') : undefined),
}
/** Why responses may not show an assumption, or not prove a choice. */
const REASONS: Readonly<Record<string, string>> = {
  'paging=none': 'there may be other ways of paging',
  'valid-keys=listed': 'which keys are valid cannot be seen',
  'media-type': 'needs --probe refused-writes',
  'default-status': 'needs --probe create-animal',
  'unknown-fields': 'needs --probe create-animal',
  'unknown-category': 'needs --probe create-animal',
  'removal-instant': `can be seen on ${getPet.sunset} only`,
  'removed-answer': `cannot be seen before ${getPet.sunset}`,
}

/** A refusal is explained only if the service accepted an animal that differs in this part alone. */
function explainedStatus({ probe, response }: Exchange, exchanges: readonly Exchange[], part: string | RegExp): number | undefined {
  if (probe.body === undefined) return undefined
  const without = (body = '') => body.replace(part, '')
  const accepted = exchanges.filter((one) => one.response.status === createPet.success)
  const isExplained = probe.key === undefined && accepted.some((one) => without(one.probe.body) === without(probe.body))
  return isExplained ? response.status : undefined
}

export function judge(run: Run): Calibration {
  const { exchanges, expect, against } = run
  const now = new Date().toISOString()
  const assume: Record<string, string> = {}
  const model = createModel(exchanges, now)
  /** Any other status violates the spec. */
  const allowed = exchanges.map(({ probe }) => {
    const { statuses = [] } = findRoute(parseTarget(probe.target).path)?.byMethod.get(probe.method) ?? {}
    return new Set<number>(probe.mayBeRefused ? statuses.filter((status) => status >= 400 && status !== 401) : [])
  })
  // If no response can be read, the report says so once.
  const asked = exchanges.every(({ response }) => response.problem !== undefined) ? [] : assumptions
  const choices = asked.map((assumption): Finding => {
    const models = assumption.choices.map((choice) => model({ ...assume, [assumption.id]: choice }))
    for (const predicted of models) for (const [index, { response }] of predicted.entries()) allowed[index]?.add(response.status)
    const { choice, ...finding } = judgeChoice(assumption, run, models)
    if (choice !== undefined) assume[assumption.id] = choice
    return finding
  })
  const responses = exchanges.map((exchange, index) => judgeResponse(exchange, [...(allowed[index] ?? [])]))
  const extras = exchanges.flatMap((exchange) =>
    findExtras(exchange).map((subject): Finding => ({ verdict: 'undocumented', subject, detail: `seen in ${exchange.label}` })),
  )
  const findings = keepWorst([...responses, ...choices, ...extras])
  const deviations = findings.filter(({ verdict }) => DEVIATIONS.includes(verdict)).map(({ subject }) => subject)
  // A deviation that an earlier calibration saw counts only if it is gone.
  const known = expect?.calibrated?.deviations ?? []
  const gone = findings.filter(({ verdict, subject }) => MATCHES.includes(verdict) && known.includes(subject))
  const has = (...verdicts: readonly Verdict[]) => findings.some(({ verdict }) => verdicts.includes(verdict))
  const isMoved = has('differs') || gone.length > 0 || deviations.some((subject) => !known.includes(subject))
  const unmoved = has(...MATCHES) && !has('could not check') ? 'matches' : 'could not check'
  return {
    outcome: isMoved ? 'differs' : unmoved,
    findings: [...findings, ...gone.map((finding): Finding => ({ ...finding, verdict: 'differs', detail: 'no longer deviates' }))],
    scenario: { extends: 'default', assume, calibrated: { on: now.slice(0, 10), against, choices: assume, deviations } },
  }
}

/** One finding per subject: a recording can have the same request a hundred times. */
function keepWorst(all: readonly Finding[]): Finding[] {
  const having = (wanted: Verdict) => all.filter(({ verdict }) => verdict === wanted)
  // A Map keeps the last value, at the place of the first.
  const byBadness = [...all, ...having('could not check'), ...having('violates the spec')]
  return [...new Map(byBadness.map((finding) => [finding.subject, finding])).values()]
}

function judgeResponse(exchange: Exchange, allowed: readonly number[]): Finding {
  const { label: subject, response } = exchange
  const detail = describeResponse(response)
  if (response.problem !== undefined) return { verdict: 'could not check', subject, detail }
  const deviations = findDeviations(exchange, allowed)
  if (deviations.length === 0) return { verdict: 'as specified', subject, detail }
  return { verdict: 'violates the spec', subject, detail: `${deviations.join('; ')} (${detail})` }
}

function judgeChoice({ id, choices, default: preset }: (typeof assumptions)[number], run: Run, models: readonly (readonly Exchange[])[]) {
  const says: Says = SAYS[id] ?? (({ response }) => response.status)
  const clues: { readonly exchange: Exchange; readonly fits: readonly string[] }[] = []
  let silent: Exchange | undefined
  for (const [index, exchange] of run.exchanges.entries()) {
    const predicted = models.map((exchanges) => says(exchanges[index] as Exchange, exchanges))
    // It proves nothing if every choice predicts the same.
    if (predicted[0] === undefined || (predicted.length > 1 && new Set(predicted).size === 1)) continue
    const said = exchange.response.problem === undefined ? says(exchange, run.exchanges) : undefined
    if (said === undefined) silent ??= exchange
    else clues.push({ exchange, fits: choices.filter((_, choice) => predicted[choice] === said) })
  }
  const toFinding = (verdict: Verdict, detail: string, choice?: string) => ({ verdict, subject: id, detail, choice })
  const toLine = ({ label, response }: Exchange) => `${label} → ${describeResponse(response)}`
  const odd = clues.filter(({ fits }) => fits.length === 0)
  const evidence = [...new Set((odd.length > 0 ? odd : clues).map(({ exchange }) => toLine(exchange)))]
  const [first] = evidence
  if (first === undefined) {
    const problem = silent ?? run.exchanges.find(({ response }) => response.problem !== undefined)
    const reason = run.probe ? REASONS[id] : 'the recording does not show it'
    if (reason !== undefined && (problem === undefined || !run.probe)) return toFinding('undecided', reason)
    // The first response is the list; if it is empty, it shows nothing.
    return toFinding('could not check', toLine(problem ?? (run.exchanges[0] as Exchange)))
  }
  const [choice, other] = choices.filter((one) => clues.every(({ fits }) => fits.includes(one)))
  if (choice === undefined) return toFinding('no choice fits', evidence.slice(0, 4).join('; '))
  if (other !== undefined) return toFinding(run.probe ? 'could not check' : 'undecided', `${choice} or ${other} (${first})`)
  const doubt = REASONS[`${id}=${choice}`]
  if (doubt !== undefined) return toFinding('undecided', `${doubt} (${first})`)
  const ours = run.expect?.assume?.[id] ?? preset
  if (choice === ours) return toFinding('confirmed', `${choice} (${first})`, choice)
  return toFinding('differs', `the ${run.expect ? 'file' : 'mock'} has ${ours}, the service ${choice} (${first})`, choice)
}

function createModel(exchanges: readonly Exchange[], now: string) {
  const listed = exchanges.filter(({ probe }) => probe.method === 'GET').flatMap(({ response }) => petsOf(response))
  const pets = [...new Map(listed.map((pet) => [String(pet.id), pet])).values()]

  return (choices: Readonly<Record<string, string>>): readonly Exchange[] => {
    const assume = { ...PRESET, 'valid-keys': 'any', ...choices } as AssumptionChoices
    const { answer } = createMock({ scenario: {}, pets, apiKeys: [MODEL_KEY], now, frozen: true, assume })
    return exchanges.map((exchange) => {
      const { method, target, body: text } = exchange.probe
      const headers = headersOf(exchange.probe, MODEL_KEY)
      const body = text === undefined ? undefined : new TextEncoder().encode(text)
      const reply = answer({ method, target, header: (name) => headers[name], body })
      return { ...exchange, response: readResponse(reply.status, Object.entries(reply.headers), reply.body) }
    })
  }
}
