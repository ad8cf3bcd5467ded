// Services that behave as the mock does by default, each with one planted deviation, and what
// calibrate should say about it.
import { createMock } from '../../src/index.ts'

export const SECRET_NAME = 'Sir Reginald of the Secret Garden'
export const KEY = 'real-key-0123456789'
const STATUSES = ['available', 'pending', 'sold'] as const
const json = { 'content-type': 'application/json' }

interface Sent {
  readonly method: string
  /** Without `/v1`. */
  readonly path: string
  readonly query: string
  readonly key: string | null
  readonly type: string | null
  readonly body: string
}

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * What the service sends instead; undefined for what the mock does. `ask` asks the mock something
 * else.
 */
type Plant = (
  sent: Sent,
  got: Got,
  ask: (change: Partial<Sent>) => Promise<Got>,
) => Partial<Got> | undefined | Promise<Partial<Got>>

const error = (status: number, code = 'No'): Got => ({
  status,
  headers: { ...json, 'www-authenticate': 'Bearer' },
  body: JSON.stringify({ code, message: 'No', status }),
})
const isList = ({ method, path }: Sent) => method === 'GET' && path === '/pets'
const isGet = ({ path }: Sent) => /^\/pets\/\d+$/.test(path)
const isUnknown = ({ path }: Sent) => path === '/pets/4611686018427387905'
const isPost = ({ method }: Sent) => method === 'POST'
const isError = ({ status }: Got) => status >= 400
/** Replaces text in some bodies. */
const edit =
  (where: (sent: Sent, got: Got) => boolean, pattern: RegExp, replacement: string): Plant =>
  (sent, got) =>
    where(sent, got) ? { body: got.body.replace(pattern, replacement) } : undefined
/** Sends this where the mock sends that status. */
const instead =
  (where: (sent: Sent, got: Got) => boolean, response: Partial<Got>): Plant =>
  (sent, got) =>
    where(sent, got) ? response : undefined
const isFound = (sent: Sent, { status }: Got) => isGet(sent) && status === 200
const isListed = (sent: Sent, { status }: Got) => isList(sent) && status === 200
const isCreated = (_: Sent, { status }: Got) => status === 201
const withoutKey = ({ key }: Sent) => key === null
/** By what is planted: how, and the ids of all findings of note. */
export const PLANTED: Readonly<Record<string, readonly [Plant, readonly string[]]>> = {
  'lists without a key': [
    (sent, _, ask) => (isList(sent) && withoutKey(sent) ? ask({ key: KEY }) : undefined),
    ['spec/listPets/security'],
  ],
  'creates without a key': [
    (sent, _, ask) => (isPost(sent) && withoutKey(sent) ? ask({ key: KEY }) : undefined),
    ['spec/createPet/security'],
  ],
  'no key is a 403': [
    (sent, got) => (withoutKey(sent) && got.status === 401 ? error(403, 'Forbidden') : undefined),
    ['spec/listPets/responses.403', 'spec/getPet/responses.403', 'spec/createPet/responses.403'],
  ],
  'a wrong key is a 403': [
    ({ key }, got) => (key !== null && got.status === 401 ? error(403, 'Forbidden') : undefined),
    ['spec/listPets/responses.403'],
  ],
  'no challenge': [
    (_, got) => (got.status === 401 ? { headers: json } : undefined),
    [
      'rfc/listPets/401.WWW-Authenticate',
      'rfc/getPet/401.WWW-Authenticate',
      'rfc/createPet/401.WWW-Authenticate',
    ],
  ],
  'a 404 as a page': [
    instead((sent) => isUnknown(sent) && !withoutKey(sent), {
      headers: { 'content-type': 'text/html' },
      body: '<h1>Cannot GET</h1>',
    }),
    ['spec/getPet/content'],
  ],
  'a list in an envelope': [
    (sent, got) =>
      isListed(sent, got) && sent.query.startsWith('status=sold')
        ? { body: `{"items":${got.body},"total":1}` }
        : undefined,
    ['spec/listPets/200'],
  ],
  'ids as strings': [edit(isFound, /"id":(\d+)/, '"id":"$1"'), ['spec/getPet/200.id']],
  'rounded ids': [
    edit(isFound, /"id":9007199254740993/, '"id":9007199254740992'),
    ['spec/getPet/200.id'],
  ],
  'no media type': [
    instead(isFound, { headers: { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } }),
    ['spec/getPet/content'],
  ],
  'the filter ignored': [
    (sent, got, ask) =>
      isListed(sent, got) ? ask({ query: sent.query.replace('status=sold&', '') }) : undefined,
    ['spec/listPets/200.[].status'],
  ],
  'the limit ignored': [
    (sent, got, ask) =>
      isListed(sent, got) && sent.query.includes('sold')
        ? ask({ query: 'status=sold' })
        : undefined,
    ['spec/listPets/200.length'],
  ],
  'an unknown id is a 400': [
    instead(
      (sent, got) => isUnknown(sent) && isError(got) && !withoutKey(sent),
      error(400, 'BadRequest'),
    ),
    ['spec/getPet/responses.400'],
  ],
  'errors without a message': [
    edit((_, got) => got.status === 404, /"message":"(?:[^"\\]|\\.)*",/, ''),
    ['spec/getPet/Error.message.missing'],
  ],
  'another status in errors': [
    edit((_, got) => got.status === 404, /"status":404/, '"status":400'),
    ['spec/getPet/Error.status'],
  ],
  'created with 200': [instead(isCreated, { status: 200 }), ['spec/createPet/responses.200']],
  'missing fields get 422': [
    (sent, got) =>
      got.status === 400 && sent.body === '{}' && sent.type === 'application/json'
        ? error(422, 'UnprocessableContent')
        : undefined,
    ['spec/createPet/responses.422'],
  ],
  'stores invalid animals': [
    (sent, _, ask) =>
      sent.body.includes('"name":1') ? ask({ body: '{"name":"1","categoryId":1}' }) : undefined,
    ['spec/createPet/requestBody'],
  ],
  'other codes': [
    edit((_, got) => isError(got), /"code":"\w+"/, '"code":"E42"'),
    ['choice/error-codes'],
  ],
  'another order': [
    edit((sent) => sent.query === 'limit=100', /^\[({.*?}),({.*?}),({.*?})/, '[$1,$3,$2'),
    ['choice/list-order'],
  ],
  'pages by offset': [
    edit((sent) => sent.query.startsWith('offset'), /^\[{.*?},/, '['),
    ['choice/paging'],
  ],
  'another sunset': [
    instead(isFound, { headers: { ...json, sunset: 'Wed, 01 Jan 2031 00:00:00 GMT' } }),
    ['choice/sunset-header'],
  ],
  'keeps unknown fields': [
    edit(isCreated, /}$/, ',"animal-store-mock-probe":true}'),
    ['choice/unknown-fields'],
  ],
  'checks categories': [
    (sent) =>
      isPost(sent) && !withoutKey(sent) && sent.body.includes('4611686018427387905')
        ? error(400, 'BadRequest')
        : undefined,
    ['choice/unknown-category'],
  ],
  'invalid queries get 422': [
    (sent, got) =>
      isList(sent) && got.status === 400 ? error(422, 'UnprocessableContent') : undefined,
    ['spec/listPets/responses.422'],
  ],
  'the limit is clamped': [
    (sent, got, ask) =>
      isList(sent) && got.status === 400
        ? ask({ query: sent.query === 'limit=0' ? 'limit=1' : 'limit=100' })
        : undefined,
    ['choice/invalid-query'],
  ],
  'shows an animal without a key': [
    (sent, _, ask) => (isGet(sent) && withoutKey(sent) ? ask({ key: KEY }) : undefined),
    ['spec/getPet/security'],
  ],
  'a 404 without a body': [
    instead((sent, got) => isUnknown(sent) && got.status === 404, { body: '' }),
    ['spec/getPet/Error.missing'],
  ],
  'a list that breaks off': [
    (sent, got) =>
      isListed(sent, got) && sent.query.includes('sold')
        ? { body: got.body.slice(0, -2) }
        : undefined,
    ['spec/listPets/200.missing'],
  ],
  'an animal twice in a list': [
    edit((sent) => sent.query.includes('sold'), /^\[(.*)\]$/, '[$1,$1]'),
    ['spec/listPets/200.length', 'spec/listPets/200.[].id'],
  ],
  'created without an id': [
    edit(isCreated, /"id":\d+,/, ''),
    [
      'spec/createPet/201.id.missing',
      'choice/default-status',
      'choice/unknown-fields',
      'choice/unknown-category',
    ],
  ],
}

/** The `fetch` of the service. */
export function createService(plant: Plant = () => undefined): typeof fetch {
  const pets = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    name: SECRET_NAME,
    categoryId: index % 3,
    ...(index % 4 === 3 ? {} : { status: STATUSES[index % 4] as 'sold' }),
  }))
  const mock = createMock({
    pets: [...pets, { id: 9007199254740993n, name: SECRET_NAME, categoryId: 1, status: 'sold' }],
    apiKeys: [KEY],
  })
  const ask = async ({ method, path, query, key, type, body }: Sent): Promise<Got> => {
    const response = await mock.fetch(
      `https://store.test/v1${path}${query === '' ? '' : `?${query}`}`,
      {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(type === null ? {} : { 'content-type': type }),
        },
        ...(body === '' ? {} : { body }),
      },
    )
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const sent: Sent = {
      method: request.method,
      path: pathname.slice('/v1'.length),
      query: search.slice(1),
      key: request.headers.get('authorization')?.replace(/^Bearer /, '') ?? null,
      type: request.headers.get('content-type'),
      body: await request.text(),
    }
    const got = await ask(sent)
    const { status, headers, body } = {
      ...got,
      ...(await plant(sent, got, (change) => ask({ ...sent, ...change }))),
    }
    return new Response(body, { status, headers: { 'content-type': '', ...headers } })
  }
}
