// A small service written by hand, without any of the mock's code: it behaves as the mock does by default, except for one planted deviation.
interface Animal {
  readonly id: bigint
  readonly name: string
  readonly categoryId: string
  readonly status?: string
}

export const SECRET_NAME = 'Sir Reginald of the Secret Garden'
const STATUSES = ['available', 'pending', 'sold']
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
}

/** What may be planted. */
export const DEVIATIONS = [
  'no challenge',
  'other media type',
  'error status differs',
  'ids as strings',
  'filter ignored',
  'limit ignored',
  'large page',
  'unknown id is a 400',
  'rounded ids',
  'missing fields get 422',
  'stores invalid animals',
  'numeric codes',
  'unsorted',
  'pages by offset',
  'another sunset',
  'HEAD is a 405 without Allow',
  'keeps unknown fields',
  'checks categories',
  'wrong key gets 403',
] as const
export type Deviation = (typeof DEVIATIONS)[number]

export function createService(deviation?: Deviation): typeof fetch {
  const has = (one: Deviation) => deviation === one
  const animals: Animal[] = Array.from({ length: 30 }, (_, index) => ({
    id: BigInt(index + 1),
    name: SECRET_NAME,
    categoryId: String(index % 3),
    ...(index % 4 === 3 ? {} : { status: STATUSES[index % 4] as string }),
  }))
  animals.push({ id: 9007199254740993n, name: SECRET_NAME, categoryId: '1', status: 'sold' })
  if (has('unsorted')) animals.splice(1, 0, ...animals.splice(4, 1))

  const print = ({ id, name, categoryId, status }: Animal, extra = '') => {
    return `{"id":${id},"name":"${name}","categoryId":${categoryId}${status ? `,"status":"${status}"` : ''}${extra}}`
  }
  const respond = (status: number, body: string, headers: Record<string, string> = {}) =>
    new Response(body, {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const refuse = (status: number, headers: Record<string, string> = {}) => {
    const code = has('numeric codes') ? `E${status}` : REASONS[status]
    return respond(
      status,
      JSON.stringify({ code, message: 'No', status: has('error status differs') && status === 404 ? 400 : status }),
      headers,
    )
  }
  const challenge = () => refuse(401, has('no challenge') ? {} : { 'www-authenticate': 'Bearer' })

  function list(query: URLSearchParams): Response {
    const limit = query.get('limit')
    const status = query.get('status')
    if (limit !== null && !/^([1-9]|[1-9]\d|100)$/.test(limit)) return refuse(400)
    if (status !== null && !STATUSES.includes(status)) return refuse(400)
    const found = animals.filter((animal) => status === null || has('filter ignored') || animal.status === status)
    const offset = has('pages by offset') ? Number(query.get('offset') ?? 0) : 0
    const size = has('limit ignored') ? 100 : Number(limit ?? (has('large page') ? 50 : 20))
    return respond(
      200,
      `[${found
        .slice(offset, offset + size)
        .map((animal) => print(animal))
        .join()}]`,
    )
  }

  function create(body: string, type: string | null): Response {
    if (type !== 'application/json') return refuse(400)
    let value: Record<string, unknown>
    try {
      value = JSON.parse(body)
    } catch {
      return refuse(400)
    }
    const { name, categoryId, status } = value
    const isInvalid =
      typeof name !== 'string' || typeof categoryId !== 'number' || (status !== undefined && !STATUSES.includes(status as string))
    if (isInvalid && !(has('stores invalid animals') && name === 1))
      return refuse(has('missing fields get 422') && name === undefined ? 422 : 400)
    const digits = /"categoryId":(-?\d+)/.exec(body)?.[1] ?? '0'
    if (has('checks categories') && Number(digits) > 2) return refuse(400)
    const animal = {
      id: (animals.at(-1)?.id ?? 0n) + 1n,
      name: String(name),
      categoryId: digits,
      ...(status ? { status: String(status) } : {}),
    }
    animals.push(animal)
    const { name: _, categoryId: __, status: ___, ...rest } = value
    return respond(201, print(animal, has('keeps unknown fields') ? `,${JSON.stringify(rest).slice(1, -1)}`.replace(/,$/, '') : ''))
  }

  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, searchParams } = new URL(request.url)
    const id = /^\/v1\/pets\/([^/]+)$/.exec(pathname)?.[1]
    if (pathname !== '/v1/pets' && id === undefined) return refuse(404)
    if (has('HEAD is a 405 without Allow') && request.method === 'HEAD') return new Response(null, { status: 405 })
    const authorization = request.headers.get('authorization')
    if (authorization === null) return challenge()
    if (authorization !== 'Bearer real-key') return has('wrong key gets 403') ? refuse(403) : challenge()
    if (request.method === 'HEAD') return new Response(null, { status: 200, headers: { 'content-type': 'application/json' } })
    if (request.method === 'POST') return create(await request.text(), request.headers.get('content-type'))
    if (id === undefined) return list(searchParams)
    const sunset = { sunset: has('another sunset') ? 'Wed, 01 Jan 2031 00:00:00 GMT' : 'Thu, 05 Dec 2030 00:00:00 GMT' }
    const found = animals.find((animal) => String(animal.id) === id)
    if (found) {
      const id = has('rounded ids') ? Number(found.id) : has('ids as strings') ? `"${found.id}"` : found.id
      return respond(200, print(found).replace(/\d+/, String(id)), {
        ...sunset,
        ...(has('other media type') ? { 'content-type': 'text/json' } : {}),
      })
    }
    return refuse(has('unknown id is a 400') && /^\d+$/.test(id) ? 400 : 404, sunset)
  }
}
