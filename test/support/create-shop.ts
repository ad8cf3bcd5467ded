// A service that is not the mock: it follows the spec, but for the rules that a test gives it.
import type { Pet } from '../../src/contract/generated/contract.ts'
import { type Json, toJson, tryJson } from '../../src/contract/int64-json.ts'
import { type Got, KEY, type Sent, type Service } from './traffic.ts'

const SUNSET = 'Thu, 05 Dec 2030 00:00:00 GMT'
const STATUSES = ['available', 'pending', 'sold']
export const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
}

type Refusal = number | undefined
type Animal = Record<string, Json | undefined>

/** What a service may do in its own way. */
interface Rules {
  refuseKey(sent: Sent): Refusal
  refuseQuery(limit: number, status: string | null): Refusal
  /** Of any limit that is not refused. */
  boundLimit(limit: number): number
  arrange(animals: readonly Animal[], query: URLSearchParams): readonly Animal[]
  refuseAnimal(animal: Animal, sent: Sent, known: readonly Animal[]): Refusal
  complete(animal: Animal): Animal
  showList(animals: readonly Json[]): Json
  showAnimal(animal: Animal): Animal
  showError(status: number): Json
  missingId(id: string): number
  readonly created: number
  readonly headers: Readonly<Record<string, string>>
  readonly challenge: Readonly<Record<string, string>>
}

const isStatus = (status: unknown) => STATUSES.includes(status as string)
const isLimit = (limit: number) => Number.isInteger(limit) && limit >= 1 && limit <= 100
const bySpec = ({ key = KEY }: Sent): Refusal => (key === KEY ? undefined : 401)

function isComplete({ name, categoryId, status }: Animal): boolean {
  const isNumber = typeof categoryId === 'bigint' || Number.isInteger(categoryId)
  return typeof name === 'string' && isNumber && (status === undefined || isStatus(status))
}

export function nameError(status: number, code = NAMES[status] ?? 'Error'): Json {
  return { code, message: 'Sorry', status }
}

export const SPEC: Rules = {
  refuseKey: bySpec,
  refuseQuery(limit, status) {
    const isValid = isLimit(limit) && (status === null || isStatus(status))
    return isValid ? undefined : 400
  },
  boundLimit: (limit) => limit,
  arrange: (animals) => animals,
  refuseAnimal(animal, { type }) {
    return isComplete(animal) && type === 'application/json' ? undefined : 400
  },
  complete: (animal) => animal,
  showList: (animals) => animals as Json,
  showAnimal: (animal) => animal,
  showError: nameError,
  missingId: () => 404,
  created: 201,
  headers: { sunset: SUNSET },
  challenge: { 'www-authenticate': 'Bearer' },
}

/** Eight animals, whose names are not in the order of their ids. */
function createAnimals(): Animal[] {
  return Array.from({ length: 8 }, (_, index) => {
    const animal: Pet = { id: index + 1, name: `Pet ${(index * 5) % 8}`, categoryId: index % 4 }
    const status = STATUSES[index % 4]
    return status === undefined ? { ...animal } : { ...animal, status }
  })
}

export function createShop(own: Partial<Rules> = {}): Service {
  const rules: Rules = { ...SPEC, ...own }
  const animals = createAnimals()

  function send(status: number, value: Json, headers: Got['headers'] = {}): Got {
    const all = { 'content-type': 'application/json', ...headers }
    return { status, headers: all, body: toJson(value) }
  }

  function refuse(status: number): Got {
    return send(status, rules.showError(status), status === 401 ? rules.challenge : {})
  }

  function list(query: URLSearchParams): Got {
    const limit = Number(query.get('limit') ?? 20)
    const status = query.get('status')
    const refusal = rules.refuseQuery(limit, status)
    if (refusal !== undefined) return refuse(refusal)
    const found = animals.filter((animal) => status === null || animal.status === status)
    const page = rules.arrange(found, query).slice(0, rules.boundLimit(limit))
    return send(200, rules.showList(page.map(rules.showAnimal) as Json[]))
  }

  function read(id: string): Got {
    const animal = animals.find((one) => String(one.id) === id)
    if (!animal) return refuse(rules.missingId(id))
    return send(200, rules.showAnimal(animal) as Json, rules.headers)
  }

  function create(sent: Sent): Got {
    const given = tryJson(sent.body)
    const animal = (Array.isArray(given) ? {} : (given ?? {})) as Animal
    const refusal = rules.refuseAnimal(animal, sent, animals)
    if (refusal !== undefined) return refuse(refusal)
    const { name, categoryId, status } = animal
    const added = { id: animals.length + 1, name, categoryId, ...(status ? { status } : {}) }
    const stored = rules.complete(added)
    animals.push(stored)
    return send(rules.created, rules.showAnimal(stored) as Json)
  }

  return (sent) => {
    const { pathname, searchParams } = new URL(sent.path, 'https://store.test')
    const [, collection, id] = pathname.split('/')
    if (collection !== 'pets') return refuse(404)
    const refusal = rules.refuseKey(sent)
    if (refusal !== undefined) return refuse(refusal)
    if (id !== undefined) return read(id)
    return sent.method === 'POST' ? create(sent) : list(searchParams)
  }
}

/** The `fetch` of a service. */
export function toFetch(service: Service): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const type = request.headers.get('content-type')
    const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? null
    const body = await request.text()
    const sent: Sent = {
      method: request.method,
      path: pathname.slice('/v1'.length) + search,
      key,
      ...(type === null ? {} : { type }),
      ...(body === '' ? {} : { body }),
    }
    const { status, headers, body: text } = service(sent)
    return new Response(text, { status, headers })
  }
}
