// The service as plainly as it can be said: arrays, maps and the sentences of the interface. It shares nothing with the
// engine, so that the two can be held against each other. What the three operations do is in reference-operations.ts.

export type Status = 'available' | 'pending' | 'sold'
export type OperationName = 'listPets' | 'createPet' | 'getPet'

export interface ModelPet {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status?: Status | undefined
}

export interface ModelFault {
  readonly operation: OperationName | '*'
  readonly status?: number
  readonly drop?: true
  readonly times?: number
  readonly after?: number
  readonly retryAfter?: number
}

/** The first choice of each question is its default. */
export const QUESTIONS = {
  'invalid-query': ['reject', 'clamp', 'ignore'],
  'default-status': ['absent', 'available', 'pending', 'sold'],
  'invalid-pet-id': ['not-found', 'bad-request'],
  'unknown-fields': ['ignore', 'reject'],
  'media-type': ['bad-request', 'unsupported'],
  'list-order': ['oldest-first', 'newest-first'],
  'error-codes': ['names', 'snake', 'upper'],
  'unknown-path-auth': ['not-found', 'unauthorized'],
  'removal-instant': ['end-of-day', 'start-of-day'],
  'removed-answer': ['not-found', 'gone'],
  'sunset-header': ['sunset', 'none'],
} as const

export type Choices = { readonly [Question in keyof typeof QUESTIONS]?: (typeof QUESTIONS)[Question][number] }

/** What a world starts from. */
export interface ModelSituation {
  readonly pets: readonly ModelPet[]
  readonly nextId?: bigint | undefined
  readonly apiKeys?: readonly string[] | undefined
  /** Milliseconds; the clocks of the model stand still. */
  readonly now: number
  readonly assume: Choices
  readonly latency?: number | readonly [number, number] | undefined
  readonly faults: readonly ModelFault[]
}

/** What a mock is made with, for all of its worlds. */
export interface ModelSettings {
  readonly isSandboxed: boolean
  /** How many entries a request log keeps. */
  readonly entries?: number | undefined
}

interface LiveFault extends ModelFault {
  readonly id: string
  seen: number
  applied: number
}

export interface ModelWorld {
  readonly situation: ModelSituation
  readonly settings: ModelSettings
  readonly pets: ModelPet[]
  nextId: bigint
  now: number
  choices: Choices
  faults: LiveFault[]
  lastFault: number
  readonly requestLog: ModelEntry[]
}

/** What is known of an entry of the request log: its status, 0 for a dropped connection, and the questions behind it. */
export interface ModelEntry {
  readonly status: number
  readonly assumptions: readonly string[]
}

/** What the answer must be. Messages are the service's own, so of an error only its code is known. */
export interface Expected {
  readonly status: number
  readonly text?: string
  readonly code?: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The assumptions behind the response, in the order of the checks. */
  readonly assumptions?: readonly string[]
}

export interface Model {
  shared: ModelWorld
  /** By key, the longest idle first. */
  readonly sandboxes: Map<string, ModelWorld>
  readonly isSandboxed: boolean
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

export function createModel(situation: ModelSituation, settings: ModelSettings): Model {
  return { shared: start(situation, settings), sandboxes: new Map(), isSandboxed: settings.isSandboxed }
}

function start(situation: ModelSituation, settings: ModelSettings): ModelWorld {
  const pets = [...situation.pets].sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    situation,
    settings,
    pets,
    nextId: situation.nextId ?? (pets.at(-1)?.id ?? 0n) + 1n,
    now: situation.now,
    choices: situation.assume,
    faults: situation.faults.map((fault, index) => ({ ...fault, id: String(index + 1), seen: 0, applied: 0 })),
    lastFault: situation.faults.length,
    requestLog: [],
  }
}

/** The choice that holds in a world. */
export function choiceOf<Question extends keyof Choices>(world: ModelWorld, question: Question): (typeof QUESTIONS)[Question][number] {
  return world.choices[question] ?? QUESTIONS[question][0]
}

/** The world of a key, made and counted as used. */
export function worldOf(model: Model, key: string | undefined): ModelWorld {
  if (key === undefined || !model.isSandboxed) return model.shared
  return put(model, key, model.sandboxes.get(key) ?? fork(model))
}

/** The same for a look, which makes nothing. */
export function peek(model: Model, key: string | undefined): ModelWorld {
  if (key === undefined || !model.isSandboxed) return model.shared
  return model.sandboxes.get(key) ?? fork(model)
}

/** A sandbox starts as the shared world did. */
function fork({ shared }: Model): ModelWorld {
  return start(shared.situation, shared.settings)
}

export function replace(model: Model, key: string | undefined, situation: ModelSituation): void {
  const world = start(situation, model.shared.settings)
  if (key === undefined || !model.isSandboxed) model.shared = world
  else put(model, key, world)
}

function put(model: Model, key: string, world: ModelWorld): ModelWorld {
  model.sandboxes.delete(key)
  model.sandboxes.set(key, world)
  return world
}

export function addFault(world: ModelWorld, fault: ModelFault): void {
  world.lastFault++
  world.faults.push({ ...fault, id: String(world.lastFault), seen: 0, applied: 0 })
}

/** What a call brings along, beside what it asks. */
export interface Sender {
  readonly key: string | null
  readonly prefer?: string | undefined
}

/** A call of an operation: refused without a key that is valid in its own world, else up to that world. */
export function call(model: Model, operation: OperationName, sender: Sender, run: (world: ModelWorld) => Expected): Expected {
  const refusal = refuseKey(model, sender.key)
  if (refusal) return tell(model.shared, refusal)
  const world = worldOf(model, sender.key as string)
  return tell(world, answerIn(world, operation, sender.prefer, run))
}

/** The response to a request for no operation; the world of its key logs it. */
export function stray(model: Model, key: string | null, status: number): Expected {
  const refusal = refuseKey(model, key)
  const world = status === 400 || refusal ? model.shared : worldOf(model, key as string)
  if (status !== 404 || !refusal) return tell(world, refuse(world, status))
  const isSecret = choiceOf(model.shared, 'unknown-path-auth') === 'unauthorized'
  return tell(
    world,
    because(['unknown-path-auth', ...(isSecret ? (refusal.assumptions ?? []) : [])], isSecret ? refusal : refuse(world, 404)),
  )
}

/** The 401 of a key that is missing, or not valid in its own world. */
function refuseKey(model: Model, key: string | null): Expected | undefined {
  if (key === null) return refuse(model.shared, 401)
  const { apiKeys } = peek(model, key).situation
  return (apiKeys ? apiKeys.includes(key) : key !== 'invalid') ? undefined : because(['valid-keys'], refuse(model.shared, 401))
}

function tell(world: ModelWorld, answer: Expected): Expected {
  world.requestLog.push({ status: answer.status, assumptions: answer.assumptions ?? [] })
  const { entries = 1_000 } = world.settings
  if (world.requestLog.length > entries) world.requestLog.splice(0, world.requestLog.length - entries)
  return answer
}

/** Faults and preferences first, then the removal of getPet, then the operation itself. */
function answerIn(world: ModelWorld, operation: OperationName, prefer: string | undefined, run: (world: ModelWorld) => Expected): Expected {
  if (prefer === 'drop') return { status: 0, headers: {} }
  const preferred = /^code=(\d+)/.exec(prefer ?? '')?.[1]
  if (preferred) return withHeader(refuse(world, Number(preferred)), 'preference-applied', `code=${preferred}`)
  const fault = strike(world, operation)
  if (fault?.drop) return { status: 0, headers: {} }
  if (fault) return withHeader(refuse(world, fault.status ?? 500), 'retry-after', fault.retryAfter?.toString())
  return operation === 'getPet' ? untilRemoved(world, run) : run(world)
}

function untilRemoved(world: ModelWorld, run: (world: ModelWorld) => Expected): Expected {
  const day = Date.UTC(2030, 11, 5)
  const nextDay = Date.UTC(2030, 11, 6)
  const onTheDay = world.now >= day && world.now < nextDay ? ['removal-instant'] : []
  if (world.now >= (choiceOf(world, 'removal-instant') === 'start-of-day' ? day : nextDay)) {
    const isGone = choiceOf(world, 'removed-answer') === 'gone'
    const refusal = because([...onTheDay, 'removed-answer'], refuse(world, isGone ? 410 : 404))
    return isGone ? withHeader(refusal, 'x-mock-assumption', 'removed-answer') : refusal
  }
  const answer = run(world)
  const sunset = choiceOf(world, 'sunset-header') === 'sunset' ? 'Thu, 05 Dec 2030 00:00:00 GMT' : undefined
  return withHeader(because([...onTheDay, 'sunset-header', ...(answer.assumptions ?? [])], answer), 'sunset', sunset)
}

export function because(assumptions: readonly string[], answer: Expected): Expected {
  return { ...answer, assumptions }
}

export function withHeader(answer: Expected, name: string, value: string | undefined): Expected {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}

/** The first fault that is due; those after it do not see the call. */
function strike(world: ModelWorld, operation: OperationName): ModelFault | undefined {
  for (const fault of world.faults) {
    if (fault.operation !== '*' && fault.operation !== operation) continue
    fault.seen++
    if (fault.seen <= (fault.after ?? 0)) continue
    if (fault.times !== undefined && fault.applied >= fault.times) continue
    fault.applied++
    return fault
  }
  return undefined
}

export function refuse(world: ModelWorld, status: number): Expected {
  const name = NAMES[status] as string
  const spelling = choiceOf(world, 'error-codes')
  const snake = name.replaceAll(' ', '_')
  const code = spelling === 'names' ? name.replaceAll(' ', '') : spelling === 'snake' ? snake.toLowerCase() : snake.toUpperCase()
  return { status, code, headers: { date: new Date(world.now).toUTCString() } }
}

export function succeed(world: ModelWorld, status: number, text: string): Expected {
  return { status, text, headers: { date: new Date(world.now).toUTCString(), 'x-mock-assumption': undefined } }
}

export function toText({ id, name, categoryId, status }: ModelPet): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${status ? `,"status":"${status}"` : ''}}`
}
