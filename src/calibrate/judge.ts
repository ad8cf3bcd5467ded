// From responses to verdicts. The mock is the model: it answers the same requests about the same
// animals under every choice. A choice fits if its responses have the same features as the
// service's.
import { toErrorText } from '../contract/errors.ts'
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  contract,
  type Pet,
} from '../contract/generated/contract.ts'
import { JSON_TYPE, type Json, parseInt64, tryJson } from '../contract/int64-json.ts'
import { parsePetText, petSchema, toPetText } from '../contract/pet.ts'
import { count, say } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { readOwn, withoutUndefined } from '../contract/values.ts'
import { createMock } from '../mock/mock.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import { toCall } from '../service/call.ts'
import { parseParameters } from '../service/parse-input.ts'
import { findRoute, parseTarget, type Route } from '../service/route.ts'
import {
  type Answer,
  EXTRA,
  headersOf,
  readResponse,
  type Trial,
  UNKNOWN,
  UNUSED,
} from './probe.ts'

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

type Says = (trial: Trial, trials: readonly Trial[]) => unknown

const MODEL_KEY = 'model-key'
const { listPets, createPet, getPet } = contract.operations
const [limit, filter] = listPets.parameters
const { schemas } = contract
const REFUSALS: readonly number[] = createPet.statuses.filter(
  (status) => status >= 400 && status !== 401,
)
const SHOWN_VIOLATIONS = 3
const SPELLINGS = assumptions.flatMap((one) => (one.id === 'error-codes' ? one.choices : []))

/** What a response shows about an assumption; without a row here, its status. */
const SAYS: Partial<Record<AssumptionId, Says>> = {
  // In classes, since animals come and go between requests.
  'invalid-query': ({ response: { status, json } }) => {
    if (!Array.isArray(json)) return `status ${status}`
    return json.length < 2 ? json.length : json.length <= limit.schema.default
  },
  'default-status': ({ response: { status, json } }) =>
    status === createPet.success ? String(readOwn(json, 'status')) : undefined,
  'unknown-fields': (trial, trials) =>
    readOwn(trial.response.json, UNKNOWN) === undefined
      ? explainedStatus(trial, trials, EXTRA)
      : 'kept',
  'unknown-category': (trial, trials) =>
    trial.probe.body?.includes(UNUSED)
      ? explainedStatus(trial, trials, /"categoryId":-?\d+/)
      : undefined,
  'list-order': ({ response }) => {
    const ids = petsOf(response).map(({ id }) => BigInt(id))
    const isSorted = (sign: bigint) =>
      ids.every((id, index) => (id - (ids[index - 1] ?? id)) * sign >= 0n)
    return ids.length < 2 ? undefined : `${isSorted(1n)} ${isSorted(-1n)}`
  },
  paging: ({ probe, response }, [first]) => {
    if (!/[?&](?:offset|page)=/.test(probe.target)) return undefined
    return first && petsOf(response)[0]?.id === petsOf(first.response)[0]?.id
      ? 'the first page'
      : 'something else'
  },
  'error-codes': ({ response: { status, json } }) => {
    const code = readOwn(json, 'code')
    if (status < 400 || typeof code !== 'string') return undefined
    const spelling = SPELLINGS.find((one) => JSON.parse(toErrorText(status, '', one)).code === code)
    return spelling ?? 'another spelling'
  },
  'valid-keys': ({ probe, response }) => (probe.key === 'wrong' ? response.status : undefined),
  'sunset-header': ({ response }) =>
    response.status < 300 ? (response.headers.get('sunset') ?? 'none') : undefined,
}
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

/**
 * A refusal is explained only if the service accepted an animal that differs in this part alone.
 */
function explainedStatus(
  { probe, response }: Trial,
  trials: readonly Trial[],
  part: string | RegExp,
) {
  if (probe.body === undefined) return undefined
  const without = (body = '') => body.replace(part, '')
  const accepted = trials.filter((one) => one.response.status === createPet.success)
  const isExplained =
    probe.key === undefined &&
    accepted.some((one) => without(one.probe.body) === without(probe.body))
  return isExplained ? response.status : undefined
}

export function judge(against: string, trials: readonly Trial[]): Calibration {
  const now = new Date().toISOString()
  const assume: Record<string, string> = {}
  const model = createModel(trials, now)
  const allowed = trials.map(({ probe }) => new Set(probe.mayBeRefused ? REFUSALS : []))
  // If no response can be read, the report says so once.
  const asked = trials.every(({ response }) => response.problem !== undefined) ? [] : assumptions
  let usual = model(assume)
  const judged = asked.map((assumption): Finding => {
    const { id, choices, default: preset } = assumption
    const models = choices.map((one) => (one === preset ? usual : model({ ...assume, [id]: one })))
    for (const predicted of models)
      for (const [index, { response }] of predicted.entries()) allowed[index]?.add(response.status)
    const { choice, ...finding } = judgeChoice(assumption, trials, models)
    if (choice !== undefined) assume[id] = choice
    usual = models[choices.indexOf(choice as never)] ?? usual
    return { ...finding, subject: id }
  })
  const findings = [
    ...trials.map((trial, index) => judgeResponse(trial, [...(allowed[index] ?? [])])),
    ...judged,
  ]
  const has = (...verdicts: readonly Verdict[]) =>
    findings.some(({ verdict }) => verdicts.includes(verdict))
  const same =
    has('as specified', 'confirmed') && !has('could not check') ? 'matches' : 'could not check'
  return {
    outcome: has('differs', 'violates the spec', 'no choice fits') ? 'differs' : same,
    findings,
    scenario: {
      extends: 'default',
      assume,
      calibrated: { on: now.slice(0, 10), against, choices: assume },
    },
  }
}

function judgeResponse(trial: Trial, allowed: readonly number[]): Finding {
  const { label: subject, response } = trial
  const detail = describeResponse(response)
  if (response.problem !== undefined) return { verdict: 'could not check', subject, detail }
  const deviations = findDeviations(trial, allowed)
  if (deviations.length === 0) return { verdict: 'as specified', subject, detail }
  return { verdict: 'violates the spec', subject, detail: `${deviations.join('; ')} (${detail})` }
}

function findDeviations(
  { probe, response: { status, json, headers } }: Trial,
  allowed: readonly number[],
): string[] {
  const { path, query } = parseTarget(probe.target)
  const route = findRoute(path)
  const found =
    status === 401 && !headers.has('www-authenticate') ? ['401 without WWW-Authenticate'] : []
  // The spec says nothing about other paths.
  if (!route) return found
  const isAllowed = allowed.includes(status)
  if (!isAllowed) found.push(`expected ${allowed.join(' or ')}, got ${status}`)
  const type = headers.get('content-type')
  if (type?.toLowerCase() !== JSON_TYPE)
    found.push(`expected ${JSON_TYPE}, got ${type ?? 'no media type'}`)
  const error: Schema = {
    ...schemas.Error,
    properties: { ...schemas.Error.properties, status: { const: status } },
  }
  const success = isAllowed ? narrow(route.params, parseParameters(query), tryJson(probe.body)) : {}
  const violations = findViolations(status >= 400 ? error : success, json).slice(
    0,
    SHOWN_VIOLATIONS,
  )
  return [...found, ...violations.map(say)]
}

type Judged = Omit<Finding, 'subject'> & { readonly choice?: string }
type Assumption = (typeof assumptions)[number]
type Clue = Readonly<{ line: string; fits: readonly string[] }>

function judgeChoice(
  assumption: Assumption,
  trials: readonly Trial[],
  models: readonly (readonly Trial[])[],
): Judged {
  const { id, choices } = assumption
  const says: Says = SAYS[id] ?? (({ response }) => response.status)
  const telling = trials.flatMap((trial, index) => {
    const predicted = models.map((own) => says(own[index] as Trial, own))
    // It proves nothing if every choice predicts the same.
    const isTelling =
      predicted[0] !== undefined && (predicted.length === 1 || new Set(predicted).size > 1)
    if (!isTelling) return []
    const said = trial.response.problem === undefined ? says(trial, trials) : undefined
    return [
      {
        trial,
        said,
        line: printTrial(trial),
        fits: choices.filter((_, at) => predicted[at] === said),
      },
    ]
  })
  const clues = telling.filter(({ said }) => said !== undefined)
  if (clues.length > 0) return weighClues(assumption, clues)
  const unread =
    telling.at(-1)?.trial ?? trials.find(({ response }) => response.problem !== undefined)
  const reason = REASONS[id]
  if (reason !== undefined && !unread) return { verdict: 'undecided', detail: reason }
  return { verdict: 'could not check', detail: printTrial(unread ?? (trials[0] as Trial)) }
}

function weighClues({ id, choices, default: preset }: Assumption, clues: readonly Clue[]): Judged {
  const [choice, other] = choices.filter((one) => clues.every(({ fits }) => fits.includes(one)))
  if (choice === undefined) {
    const odd = clues.filter(({ fits }) => fits.length === 0)
    const lines = new Set((odd.length > 0 ? odd : clues).map(({ line }) => line))
    return { verdict: 'no choice fits', detail: [...lines].slice(0, 4).join('; ') }
  }
  const seen = `(${clues[0]?.line})`
  if (other !== undefined)
    return { verdict: 'could not check', detail: `${choice} or ${other} ${seen}` }
  const doubt = REASONS[`${id}=${choice}`]
  if (doubt !== undefined) return { verdict: 'undecided', detail: `${doubt} ${seen}` }
  if (choice === preset) return { verdict: 'confirmed', detail: `${choice} ${seen}`, choice }
  return {
    verdict: 'differs',
    detail: `the mock has ${preset}, the service ${choice} ${seen}`,
    choice,
  }
}

const printTrial = ({ label, response }: Trial) => `${label} → ${describeResponse(response)}`

function createModel(trials: readonly Trial[], now: string) {
  const listed = trials
    .filter(({ probe }) => probe.method === 'GET')
    .flatMap(({ response }) => petsOf(response))
  const pets = [...new Map(listed.map((pet) => [String(pet.id), pet])).values()]

  return (choices: Readonly<Record<string, string>>): readonly Trial[] => {
    const assume: Partial<AssumptionChoices> = { 'valid-keys': 'any', ...choices }
    const { answer } = createMock({
      scenario: {},
      pets,
      apiKeys: [MODEL_KEY],
      now,
      frozen: true,
      assume,
    })
    return trials.map((trial) => {
      const reply = answer(toCall({ ...trial.probe, headers: headersOf(trial.probe, MODEL_KEY) }))
      return {
        ...trial,
        response: readResponse(reply.status, Object.entries(reply.headers), reply.body),
      }
    })
  }
}

export function petsOf({ json }: Answer): Pet[] {
  const items: readonly unknown[] = Array.isArray(json)
    ? json.slice(0, limit.schema.maximum)
    : [json]
  const pets = items.filter((item): item is Pet => isValid(petSchema, item))
  return pets.map((pet) => parsePetText(toPetText(pet)))
}

/** `200 with 3 animals`, `404 NotFound`, `201 with status absent`. */
export function describeResponse({ status, json, problem, headers }: Answer): string {
  if (problem !== undefined) return problem
  const parts: unknown[] = [status, readOwn(json, 'code')]
  if (json === undefined)
    parts.push(`without JSON, Content-Type: ${headers.get('content-type') ?? 'none'}`)
  if (Array.isArray(json)) parts.push(`with ${count(json.length, 'animal')}`)
  if (readOwn(json, 'id') !== undefined)
    parts.push(`with status ${readOwn(json, 'status') ?? 'absent'}`)
  if (headers.has('sunset')) parts.push(`(Sunset: ${headers.get('sunset')})`)
  return parts.filter((part) => part !== undefined).join(' ')
}

const isValid = (schema: Schema, value: unknown) => findViolations(schema, value).length === 0

/**
 * For a success of this very request: also catches too long a list, a wrong status, and an id that
 * lost digits.
 */
function narrow(
  { petId }: Route['params'],
  asked: ReadonlyMap<string, string[]>,
  sent: Json | undefined,
): Schema {
  const [status] = asked.get(filter.name) ?? []
  const known = withoutUndefined({
    id: parseInt64(petId ?? ''),
    categoryId: readOwn(sent, 'categoryId'),
    status: isValid(filter.schema, status) ? status : readOwn(sent, 'status'),
  })
  const constants = Object.entries(known).map(([name, value]) => [name, { const: value }])
  const properties = { ...schemas.Pet.properties, ...Object.fromEntries(constants) }
  const pet: Schema = {
    ...schemas.Pet,
    required: [...schemas.Pet.required, ...Object.keys(known)],
    properties,
  }
  if (petId !== undefined || sent !== undefined) return pet
  const size = parseInt64(asked.get(limit.name)?.[0] ?? String(limit.schema.default))
  return {
    ...schemas.Pets,
    maxItems: isValid(limit.schema, size) ? Number(size) : limit.schema.maximum,
    items: pet,
  }
}
