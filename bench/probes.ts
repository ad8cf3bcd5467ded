// Thirty probes of what the interface, or HTTP itself, says. Each is sent to every mock in this order; some add animals.
import { type Answer, isError, type Probe, probe, read, type Sent, tell } from './probe.ts'

const key = { Authorization: 'Bearer bench-key' }
const json = { ...key, 'Content-Type': 'application/json' }
const rex = '{"name":"Rex","categoryId":3,"status":"sold"}'

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
  probe(
    'no key: a challenge (RFC 9110)',
    '401, WWW-Authenticate',
    { headers: {} },
    ({ status, headers }) => status === 401 && /^bearer/i.test(String(headers['www-authenticate'])),
  ),
  probe('Basic credentials', '401, Error', { headers: { Authorization: 'Basic a2V5' } }, refused(401)),
  probe('scheme in lower case (RFC 9110)', '200', { headers: { Authorization: 'bearer bench-key' } }, ({ status }) => status === 200),
  probe('key in the query only', '401, Error', { target: '/v1/pets?api_key=bench-key', headers: {} }, refused(401)),
  probe(
    'default limit',
    '20 animals',
    {},
    listed((animals) => animals.length === 20),
  ),
  probe(
    'limit=5',
    '5 animals',
    { target: '/v1/pets?limit=5' },
    listed((animals) => animals.length === 5),
  ),
  probe('limit=0', '400, Error', { target: '/v1/pets?limit=0' }, refused(400)),
  probe('limit=101', '400, Error', { target: '/v1/pets?limit=101' }, refused(400)),
  probe('limit=1e1', '400, Error', { target: '/v1/pets?limit=1e1' }, refused(400)),
  probe('limit given twice', '400, Error', { target: '/v1/pets?limit=1&limit=2' }, refused(400)),
  probe(
    'status=sold',
    'only sold animals',
    { target: '/v1/pets?status=sold' },
    listed((animals) => animals.length > 0 && animals.every(({ status }) => status === 'sold')),
  ),
  probe('status=gone', '400, Error', { target: '/v1/pets?status=gone' }, refused(400)),
  probe('create', '201, the animal with an id', create(rex), (answer) => {
    const animal = read(answer) as Animal
    return (
      answer.status === 201 && Number.isInteger(animal.id) && animal.name === 'Rex' && animal.categoryId === 3 && animal.status === 'sold'
    )
  }),
  {
    name: 'create, then get',
    expected: '200, the same animal',
    async run(send) {
      const created = read(await send(create('{"name":"Milo","categoryId":2}'))) as Animal
      const answer = await send({ target: `/v1/pets/${created.id}`, headers: key })
      const animal = read(answer) as Animal
      return {
        right: answer.status === 200 && animal.id === created.id && animal.name === 'Milo' && animal.categoryId === 2,
        answered: tell(answer),
      }
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
  probe(
    'categoryId 9007199254740993 (int64)',
    '201, the same digits',
    create('{"name":"Big","categoryId":9007199254740993}'),
    ({ status, text }) => status === 201 && text.includes('9007199254740993'),
  ),
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
      return {
        right,
        answered: `${head.status}, ${length === undefined ? 'no length' : `length ${length} of ${Buffer.byteLength(get.text)}`}`,
      }
    },
  },
  probe(
    'DELETE an animal',
    '405, Allow, Error',
    { method: 'DELETE', target: '/v1/pets/2' },
    (answer) => refused(405)(answer) && /GET/.test(String(answer.headers.allow)),
  ),
  probe('unknown path', '404, Error', { target: '/v1/store/orders' }, refused(404)),
  probe(
    'preflight without a key',
    '2xx, Authorization allowed by name',
    {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:3000',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    },
    ({ status, headers }) =>
      status < 300 &&
      headers['access-control-allow-origin'] !== undefined &&
      /authorization/i.test(String(headers['access-control-allow-headers'])),
  ),
  probe('target with %zz', '400, Error', { target: '/v1/pets/%zz' }, refused(400)),
]
