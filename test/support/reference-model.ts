// The service as plainly as it can be said: arrays, maps and the sentences of the interface. It shares nothing with the
// engine, so that the two can be held against each other.

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

/** What a world starts from. */
export interface ModelSituation {
  readonly pets: readonly ModelPet[]
  readonly nextId?: bigint | undefined
  readonly apiKeys?: readonly string[] | undefined
  /** Milliseconds; the clocks of the model stand still. */
  readonly now: number
  readonly defaultStatus?: Status | undefined
  readonly newestFirst?: boolean | undefined
  readonly faults: readonly ModelFault[]
}

interface LiveFault extends ModelFault {
  readonly id: string
  seen: number
  struck: number
}

export interface ModelWorld {
  readonly situation: ModelSituation
  readonly pets: ModelPet[]
  nextId: bigint
  now: number
  faults: LiveFault[]
  lastFault: number
  /** The statuses of what was asked, 0 for a dropped connection. */
  readonly journal: number[]
}

/** What the answer must be. Messages are the service's own, so of an error only its code is known. */
export interface Expected {
  readonly status: number
  readonly text?: string
  readonly code?: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface Model {
  shared: ModelWorld
  /** By key, the longest idle first. */
  readonly sandboxes: Map<string, ModelWorld>
  readonly isSandboxed: boolean
}

const LAST_ID = 2n ** 63n - 1n
const REMOVED_AT = Date.UTC(2030, 11, 6)
const CODES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
  507: 'InsufficientStorage',
}

export function createModel(situation: ModelSituation, isSandboxed: boolean): Model {
  return { shared: start(situation), sandboxes: new Map(), isSandboxed }
}

export function start(situation: ModelSituation): ModelWorld {
  const pets = [...situation.pets].sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    situation,
    pets,
    nextId: situation.nextId ?? (pets.at(-1)?.id ?? 0n) + 1n,
    now: situation.now,
    faults: situation.faults.map((fault, index) => ({ ...fault, id: String(index + 1), seen: 0, struck: 0 })),
    lastFault: situation.faults.length,
    journal: [],
  }
}

/** The world of a key, made and counted as used. */
export function worldOf(model: Model, key: string | undefined): ModelWorld {
  if (key === undefined || !model.isSandboxed) return model.shared
  return put(model, key, model.sandboxes.get(key) ?? start(model.shared.situation))
}

/** The same for a look, which makes nothing. */
export function peek(model: Model, key: string | undefined): ModelWorld {
  if (key === undefined || !model.isSandboxed) return model.shared
  return model.sandboxes.get(key) ?? start(model.shared.situation)
}

export function replace(model: Model, key: string | undefined, world: ModelWorld): void {
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
  world.faults.push({ ...fault, id: String(world.lastFault), seen: 0, struck: 0 })
}

/** A call of an operation: refused without a key that is valid in its own world, else up to that world. */
export function call(model: Model, operation: OperationName, key: string | null, run: (world: ModelWorld) => Expected): Expected {
  if (!isValid(model, key)) return tell(model.shared, refuse(model.shared, 401))
  const world = worldOf(model, key)
  return tell(world, answerIn(world, operation, run))
}

/** The answer to what is no operation; a path or a method that does not exist is told in the world of the key. */
export function stray(model: Model, key: string | null, status: number): Expected {
  const world = status !== 400 && isValid(model, key) ? worldOf(model, key) : model.shared
  return tell(world, refuse(world, status))
}

function isValid(model: Model, key: string | null): key is string {
  if (key === null) return false
  const { apiKeys } = peek(model, key).situation
  return apiKeys ? apiKeys.includes(key) : key !== 'invalid'
}

function tell(world: ModelWorld, answer: Expected): Expected {
  world.journal.push(answer.status)
  return answer
}

function answerIn(world: ModelWorld, operation: OperationName, run: (world: ModelWorld) => Expected): Expected {
  const fault = strike(world, operation)
  if (fault?.drop) return { status: 0, headers: {} }
  if (fault) return withHeader(refuse(world, fault.status ?? 500), 'retry-after', fault.retryAfter?.toString())
  if (operation !== 'getPet') return run(world)
  return world.now >= REMOVED_AT ? refuse(world, 404) : withHeader(run(world), 'sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
}

function withHeader(answer: Expected, name: string, value: string | undefined): Expected {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}

/** The first fault that is due; those after it do not see the call. */
function strike(world: ModelWorld, operation: OperationName): ModelFault | undefined {
  for (const fault of world.faults) {
    if (fault.operation !== '*' && fault.operation !== operation) continue
    fault.seen++
    if (fault.seen <= (fault.after ?? 0)) continue
    if (fault.times !== undefined && fault.struck >= fault.times) continue
    fault.struck++
    return fault
  }
  return undefined
}

export function createPet(world: ModelWorld, pet: Omit<ModelPet, 'id'>): Expected {
  if (world.nextId > LAST_ID) return refuse(world, 507)
  const status = pet.status ?? world.situation.defaultStatus
  const added: ModelPet = { id: world.nextId, name: pet.name, categoryId: pet.categoryId, ...(status ? { status } : {}) }
  world.nextId++
  world.pets.push(added)
  return succeed(world, 201, toText(added))
}

export function listPets(world: ModelWorld, { limit = 20, status }: { limit?: number | undefined; status?: Status | undefined }): Expected {
  const matching = world.pets.filter((pet) => status === undefined || pet.status === status)
  if (world.situation.newestFirst) matching.reverse()
  return succeed(world, 200, `[${matching.slice(0, limit).map(toText).join(',')}]`)
}

export function getPet(world: ModelWorld, id: bigint | undefined): Expected {
  const pet = world.pets.find((one) => one.id === id)
  return pet ? succeed(world, 200, toText(pet)) : refuse(world, 404)
}

export function refuse(world: ModelWorld, status: number): Expected {
  return { status, code: CODES[status] as string, headers: { date: new Date(world.now).toUTCString() } }
}

function succeed(world: ModelWorld, status: number, text: string): Expected {
  return { status, text, headers: { date: new Date(world.now).toUTCString() } }
}

export function toText({ id, name, categoryId, status }: ModelPet): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${status ? `,"status":"${status}"` : ''}}`
}
