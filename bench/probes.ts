// Thirty probes of what the interface, or HTTP itself, says. Each is sent to every mock in this order; some add animals.
import { request } from 'node:http'

export interface Probe {
  readonly name: string
  readonly expected: string
  run(send: Send): Promise<Verdict>
}

export interface Verdict {
  readonly right: boolean
  /** What came instead, or as well, in a few words. */
  readonly answered: string
}

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

type Send = (sent: Sent) => Promise<Answer>

const key = { Authorization: 'Bearer bench-key' }
const json = { ...key, 'Content-Type': 'application/json' }
const rex = '{"name":"Rex","categoryId":3,"status":"sold"}'

/** One request, and whether its answer is right. */
function probe(name: string, expected: string, sent: Sent, isRight: (answer: Answer) => boolean): Probe {
  return {
    name,
    expected,
    async run(send) {
      const answer = await send({ headers: key, ...sent })
      return { right: isRight(answer), answered: tell(answer) }
    },
  }
}

const refused = (status: number) => (answer: Answer) => answer.status === status && isError(answer)
const create = (body: string, headers: Readonly<Record<string, string>> = json): Sent => ({ method: 'POST', headers, body })
const listed = (isRight: (animals: Animal[]) => boolean) => (answer: Answer) => {
  const animals = read(answer)
  return answer.status === 200 && Array.isArray(animals) && isRight(animals)
}

interface Animal {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status?: string
}

export const probes: readonly Probe[] = [
  probe('no key', '401, Error', { headers: {} }, refused(401)),
  probe('no key: a challenge (RFC 9110)', '401, WWW-Authenticate', { headers: {} }, ({ status, headers }) => status === 401 && /^bearer/i.test(String(headers['www-authenticate']))),
  probe('Basic credentials', '401, Error', { headers: { Authorization: 'Basic a2V5' } }, refused(401)),
  probe('scheme in lower case (RFC 9110)', '200', { headers: { Authorization: 'bearer bench-key' } }, ({ status }) => status === 200),
  probe('key in the query only', '401, Error', { target: '/v1/pets?api_key=bench-key', headers: {} }, refused(401)),
  probe('default limit', '20 animals', {}, listed((animals) => animals.length === 20)),
  probe('limit=5', '5 animals', { target: '/v1/pets?limit=5' }, listed((animals) => animals.length === 5)),
  probe('limit=0', '400, Error', { target: '/v1/pets?limit=0' }, refused(400)),
  probe('limit=101', '400, Error', { target: '/v1/pets?limit=101' }, refused(400)),
  probe('limit=1e1', '400, Error', { target: '/v1/pets?limit=1e1' }, refused(400)),
  probe('limit given twice', '400, Error', { target: '/v1/pets?limit=1&limit=2' }, refused(400)),
  probe('status=sold', 'only sold animals', { target: '/v1/pets?status=sold' }, listed((animals) => animals.length > 0 && animals.every(({ status }) => status === 'sold'))),
  probe('status=gone', '400, Error', { target: '/v1/pets?status=gone' }, refused(400)),
  probe('create', '201, the animal with an id', create(rex), (answer) => {
    const animal = read(answer) as Animal
    return answer.status === 201 && Number.isInteger(animal.id) && animal.name === 'Rex' && animal.categoryId === 3 && animal.status === 'sold'
  }),
  {
    name: 'create, then get',
    expected: '200, the same animal',
    async run(send) {
      const created = read(await send(create('{"name":"Milo","categoryId":2}'))) as Animal
      const answer = await send({ target: `/v1/pets/${created.id}`, headers: key })
      const animal = read(answer) as Animal
      return { right: answer.status === 200 && animal.id === created.id && animal.name === 'Milo' && animal.categoryId === 2, answered: tell(answer) }
    },
  },
  {
    name: 'create, then list',
    expected: 'the animal is in the list',
    async run(send) {
      await send(create('{"name":"Nala","categoryId":2}'))
      const answer = await send({ target: '/v1/pets?limit=100', headers: key })
      return { right: listed((animals) => animals.some(({ name }) => name === 'Nala'))(answer), answered: tell(answer) }
    },
  },
  {
    name: 'an id sent by the client',
    expected: '201, an id of the service',
    async run(send) {
      const answer = await send(create('{"id":1,"name":"Thief","categoryId":1}'))
      return { right: answer.status === 201 && (read(answer) as Animal).id > 1, answered: tell(answer) }
    },
  },
  probe('categoryId 9007199254740993 (int64)', '201, the same digits', create('{"name":"Big","categoryId":9007199254740993}'), ({ status, text }) => status === 201 && text.includes('9007199254740993')),
  probe('categoryId 2^63', '400, Error', create('{"name":"Big","categoryId":9223372036854775808}'), refused(400)),
  probe('name missing', '400, Error', create('{"categoryId":1}'), refused(400)),
  probe('categoryId "1"', '400, Error', create('{"name":"Rex","categoryId":"1"}'), refused(400)),
  probe('status null', '400, Error', create('{"name":"Rex","categoryId":1,"status":null}'), refused(400)),
  probe('malformed JSON', '400, Error', create('{"name":'), refused(400)),
  {
    name: 'a refused create leaves nothing',
    expected: 'no animal without a name',
    async run(send) {
      await send(create('{"categoryId":77}'))
      const answer = await send({ target: '/v1/pets?limit=100', headers: key })
      return { right: listed((animals) => !animals.some(({ categoryId }) => categoryId === 77))(answer), answered: tell(answer) }
    },
  },
  probe('get an unknown id', '404, Error', { target: '/v1/pets/999999' }, refused(404)),
  {
    name: 'HEAD (RFC 9110)',
    expected: "200, GET's length, no body",
    async run(send) {
      const get = await send({ headers: key })
      const head = await send({ method: 'HEAD', headers: key })
      const length = head.headers['content-length']
      const right = head.status === 200 && head.text === '' && length === String(Buffer.byteLength(get.text))
      return { right, answered: `${head.status}, ${length === undefined ? 'no length' : `length ${length} of ${Buffer.byteLength(get.text)}`}` }
    },
  },
  probe('DELETE an animal', '405, Allow, Error', { method: 'DELETE', target: '/v1/pets/2' }, (answer) => refused(405)(answer) && /GET/.test(String(answer.headers.allow))),
  probe('unknown path', '404, Error', { target: '/v1/store/orders' }, refused(404)),
  probe(
    'preflight without a key',
    '2xx, Authorization allowed by name',
    { method: 'OPTIONS', headers: { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' } },
    ({ status, headers }) => status < 300 && headers['access-control-allow-origin'] !== undefined && /authorization/i.test(String(headers['access-control-allow-headers'])),
  ),
  probe('target with %zz', '400, Error', { target: '/v1/pets/%zz' }, refused(400)),
]

/** Sends a probe's requests to a port. */
export function sendTo(port: number): Send {
  return ({ method = 'GET', target = '/v1/pets', headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const asked = request({ port, host: '127.0.0.1', method, path: target, headers: { ...headers, ...length }, agent: false, timeout: 5_000 }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode as number, headers: response.headers, text }))
        response.on('error', reject)
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')))
      asked.on('error', reject)
      asked.end(body)
    })
}

function read({ text }: Answer): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Whether the body is the interface's Error, with the status of the answer. */
function isError(answer: Answer): boolean {
  const body = read(answer) as Record<string, unknown>
  return typeof body.code === 'string' && typeof body.message === 'string' && body.status === answer.status
}

/** An answer in a few words. */
function tell(answer: Answer): string {
  const body = read(answer)
  if (answer.text === '') return `${answer.status}, no body`
  if (Array.isArray(body)) return `${answer.status}, ${body.length} animals`
  if (isError(answer)) return `${answer.status}, Error`
  const type = String(answer.headers['content-type'] ?? 'no type').split(';')[0]
  if (type !== 'application/json') return `${answer.status}, ${type}`
  const text = answer.text.replaceAll(/\s*\n\s*/g, '')
  return `${answer.status}, ${text.length > 64 ? `${text.slice(0, 63)}…` : text}`
}
