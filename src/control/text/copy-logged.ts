// Logged requests, to be sent again to this mock or as a test. The log has no API keys, so a copy
// has one that gets the same response.
import { contract } from '../../contract/generated/contract.ts'
import { withoutUndefined } from '../../contract/values.ts'
import { changeRequest, type RequestChange, type SentRequest } from '../../service/call.ts'
import { findCoding } from '../../service/content-coding.ts'
import { isDelivered } from '../../world/kept-row.ts'
import { isCut, type RequestRow, wasKeyRefused } from '../../world/row.ts'
import { RESERVED_KEY, type Scenario } from '../../world/scenario.ts'
import type { StateDiff, WhatIfChange } from '../control.ts'
import { describeWhatIfChange } from '../describe-what-if-change.ts'
import { pathOf } from './resolve-target.ts'
import { fieldsFor, workingKey } from './working-key.ts'

/** `mockUrl` has the path that the mock is mounted under, if any, and no slash at its end. */
export type CommandRequest = SentRequest & { readonly mockUrl: string }
export type TestedRequest = CommandRequest &
  Readonly<{
    about: string
    status: number
    operation: string | null
    options: Readonly<Record<string, unknown>>
    /** Sent first. */
    earlier?: readonly CommandRequest[]
  }>
/** The state before a request, and the file of the recording that has it, if one is open. */
export type TestStart = Readonly<{ state: Scenario; diff: StateDiff; file?: string | undefined }>

/** Other fields matter to a preflight only, which neither `fetch` nor a test can send. */
const COPIED_FIELD = /^(?:content-(?:type|encoding)|prefer)$/
const MINUTE_MS = 60_000

/** Whether the mock's clock is more than a minute away from the real time. */
export function isMoved(row: Pick<RequestRow, 'at' | 'realAt'>): boolean {
  return Math.abs(Date.parse(row.at) - Date.parse(row.realAt)) > MINUTE_MS
}

/** Clients add a Content-Type by themselves, so a request without one needs care. */
export function hasType(request: Pick<SentRequest, 'headers'>): boolean {
  return 'content-type' in request.headers
}

export function requestOf(
  row: RequestRow,
  state: Scenario | undefined,
  mockUrl: string,
): CommandRequest {
  const { method, target, request } = row
  const key = request.headers.authorization === undefined ? '' : chooseKey(row, state)
  const headers = { ...fieldsFor(row.sandbox, key) }
  // The log has a compressed body as it was before.
  const isDecompressed = findCoding(request) !== undefined
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'content-encoding' && isDecompressed) continue
    if (COPIED_FIELD.test(name)) headers[name] = value
  }
  const body = isCut(request.body) ? request.body.slice(0, -1) : request.body
  return { method, mockUrl, target, headers, body }
}

/** A request that was refused for its key is refused again. */
function chooseKey(row: RequestRow, state: Scenario | undefined): string {
  return wasKeyRefused(row, row.status) ? RESERVED_KEY : workingKey(row.sandbox, state)
}

export function editRequest(request: CommandRequest, change: RequestChange = {}): CommandRequest {
  return { ...request, ...changeRequest(request, change) }
}

/**
 * Whether a test can send it too: a store answers below its base URL, and `fetch` sends no
 * preflights.
 */
export function isTestable(row: RequestRow): boolean {
  if (!isDelivered(row) || row.lacks === 'host' || row.method === 'OPTIONS') return false
  return pathOf(row.target).startsWith(contract.basePath)
}

/**
 * The store of the test starts from the state before the request, so without a change the response
 * is the same.
 */
export function testOf(
  row: RequestRow,
  start: TestStart,
  mockUrl: string,
  change: WhatIfChange = {},
): TestedRequest {
  const request = editRequest(requestOf(row, start.state, mockUrl), change.request)
  const isSame = request.method === row.method && request.target === row.target
  const operation = isSame ? row.operation : null
  const options: Record<string, unknown> = {}
  const scenario = scenarioOf(row, start, change)
  if (scenario !== 'default') options.scenario = scenario
  // A store responds to unknown paths only below an explicit base URL.
  if (operation === null) options.baseUrl = new URL(mockUrl).origin + contract.basePath
  return { ...request, about: describeWhatIfChange(change), status: row.status, operation, options }
}

/**
 * The row of a recording; a shipped scenario with what is different; or the whole state if it
 * started from another.
 */
function scenarioOf(row: RequestRow, start: TestStart, change: WhatIfChange): unknown {
  const { state, diff, file } = start
  const isChanged = Object.keys(change).length > 0
  if (!isChanged && file !== undefined) return `${file}#${row.id}`
  const wasMoved = isMoved(row)
  // A scenario that extends another cannot say that the clock follows real time.
  const canExtend = diff.isShipped && (wasMoved || !diff.clock)
  if (!canExtend) {
    const { name, now, ...whole } = state
    return completeScenario({ ...whole, now }, state.assume, start, change)
  }
  const otherChoices = Object.fromEntries(diff.assume.map((one) => [one.id, one.after]))
  const extended = extendShipped(start, wasMoved)
  const scenario = completeScenario(extended, otherChoices, start, change)
  return hasOnlyExtends(scenario) ? diff.scenario : scenario
}

/** The name of the shipped scenario then says as much. */
function hasOnlyExtends(scenario: Draft): boolean {
  const [name, ...others] = Object.keys(scenario)
  return name === 'extends' && others.length === 0
}

type Draft = Record<string, unknown>

/** The shipped scenario with what is different, apart from the assumptions. */
function extendShipped(start: TestStart, wasMoved: boolean): Draft {
  const { state, diff } = start
  const { faults = [] } = state
  const scenario: Draft = { extends: diff.scenario }
  if (Object.values(diff.pets).some((pets) => pets.length > 0)) {
    scenario.pets = state.pets
    scenario.nextId = state.nextId
  }
  if (faults.length > 0 || diff.faults.removed.length > 0) {
    // With their counts and the next random numbers.
    scenario.faults = faults
    scenario.random = state.random
  }
  if (diff.latency) scenario.latency = diff.latency.after ?? 0
  if (wasMoved) {
    scenario.now = state.now
    scenario.frozen = true
  }
  scenario.surprise = state.surprise
  return scenario
}

function completeScenario(
  draft: Draft,
  choices: Scenario['assume'],
  start: TestStart,
  change: WhatIfChange,
): Draft {
  const { without, with: added = [], pets, latency, at } = change
  const scenario = { ...draft }
  if (without || added.length > 0) {
    const { faults = [] } = start.state
    const isKept = (id = '') => without !== 'faults' && !without?.includes(id)
    scenario.faults = [...faults.filter((fault) => isKept(fault.id)), ...added]
  }
  if (pets) {
    scenario.pets = changePets(start.state.pets ?? [], pets)
    scenario.nextId = start.state.nextId
  }
  if (latency !== undefined) scenario.latency = latency ?? 0
  const assume = { ...choices, ...change.assume }
  if (Object.keys(assume).length > 0) scenario.assume = assume
  if (at !== undefined) {
    scenario.now = at
    scenario.frozen = true
  }
  return withoutUndefined(scenario)
}

function changePets(
  known: NonNullable<Scenario['pets']>,
  changes: NonNullable<WhatIfChange['pets']>,
): Draft[] {
  const changed: Draft[] = []
  const left = new Map(Object.entries(changes))
  for (const pet of known) {
    const change = left.get(String(pet.id))
    left.delete(String(pet.id))
    if (change !== null) changed.push(withoutNulls({ ...pet, ...change }))
  }
  for (const [id, fields] of left) {
    if (fields) changed.push(withoutNulls({ id, ...fields }))
  }
  return changed
}

function withoutNulls(pet: Draft): Draft {
  return Object.fromEntries(Object.entries(pet).filter(([, value]) => value !== null))
}
