// Services with three rules of their own each, what calibrate should say about them, and what an
// app sends to them.
import type { Json } from '../../src/contract/int64-json.ts'
import { createShop, NAMES, nameError, SPEC } from './create-shop.ts'
import { create, KEY, type Sent, type Service } from './traffic.ts'

interface Shop {
  /** A fresh one. */
  readonly open: () => Service
  /** The ids of all findings of note. */
  readonly expected: readonly string[]
}

const FIELDS = ['name', 'categoryId', 'status']
const inSnakeCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()

export const SHOPS: Readonly<Record<string, Shop>> = {
  'follows the spec': { open: () => createShop(), expected: [] },
  'wraps its list, refuses animals with 422, and sends no Sunset': {
    open: () =>
      createShop({
        showList: (data) => ({ data: data as Json, total: data.length }),
        refuseAnimal: (animal, sent, known) =>
          SPEC.refuseAnimal(animal, sent, known) === undefined ? undefined : 422,
        headers: {},
      }),
    expected: ['spec/listPets/200', 'spec/createPet/responses.422', 'differs/sunset-header'],
  },
  'shows ids as texts, lists the newest first, and clamps the limit': {
    open: () =>
      createShop({
        showAnimal: (animal) => ({ ...animal, id: String(animal.id) }),
        arrange: (animals) => animals.toReversed(),
        refuseQuery: () => undefined,
        boundLimit: (limit) => Math.min(Math.max(limit, 1), 100),
      }),
    expected: [
      'spec/listPets/200.[].id',
      'spec/getPet/200.id',
      'spec/createPet/201.id',
      'differs/invalid-query',
      'differs/list-order',
    ],
  },
  'refuses keys with 403, spells codes in snake case, and puts animals on sale': {
    open: () =>
      createShop({
        refuseKey: (sent) => (SPEC.refuseKey(sent) === undefined ? undefined : 403),
        showError: (status) => nameError(status, inSnakeCase(NAMES[status] ?? 'Error')),
        complete: (animal) => ({ status: 'available', ...animal }),
      }),
    expected: [
      'spec/listPets/responses.403',
      'spec/getPet/responses.403',
      'spec/createPet/responses.403',
      'differs/default-status',
      'differs/error-codes',
    ],
  },
  'reads without a key, refuses unknown fields, and creates with 200': {
    open: () =>
      createShop({
        refuseKey: (sent) => (sent.method === 'GET' ? undefined : SPEC.refuseKey(sent)),
        refuseAnimal(animal, sent, known) {
          const others = Object.keys(animal).filter((name) => !FIELDS.includes(name))
          return others.length > 0 ? 400 : SPEC.refuseAnimal(animal, sent, known)
        },
        created: 200,
      }),
    expected: [
      'spec/listPets/security',
      'spec/getPet/security',
      'spec/createPet/responses.200',
      'differs/unknown-fields',
    ],
  },
  'sends no challenge, refuses an id that is not a number, and leaves out messages': {
    open: () =>
      createShop({
        challenge: {},
        missingId: (id) => (/^\d+$/.test(id) ? 404 : 400),
        showError: (status) => ({ code: NAMES[status] ?? 'Error', status }),
      }),
    expected: [
      'rfc/listPets/401.WWW-Authenticate',
      'rfc/getPet/401.WWW-Authenticate',
      'rfc/createPet/401.WWW-Authenticate',
      'spec/listPets/Error.message.missing',
      'spec/getPet/Error.message.missing',
      'spec/createPet/Error.message.missing',
      'differs/invalid-pet-id',
    ],
  },
  'pages by offset, lists by name, and checks categories': {
    open: () =>
      createShop({
        arrange: (animals, query) =>
          animals
            .toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1))
            .slice(Number(query.get('offset') ?? 0)),
        refuseAnimal(animal, sent, known) {
          const isKnown = known.some((one) => one.categoryId === animal.categoryId)
          return isKnown ? SPEC.refuseAnimal(animal, sent, known) : 400
        },
      }),
    expected: ['choice/list-order', 'choice/paging', 'choice/unknown-category'],
  },
}

/** What an app sends that uses all of the API, and makes a few mistakes. */
export function listEverything(): Sent[] {
  const list = (query: string, key = KEY as string | null): Sent => {
    return { method: 'GET', path: `/pets${query}`, key }
  }
  const get = (id: number | string, key = KEY as string | null): Sent => {
    return { method: 'GET', path: `/pets/${id}`, key }
  }
  return [
    list('?limit=100'),
    list('?status=sold'),
    get(3),
    get(5),
    create('{"name":"Ada","categoryId":1,"status":"sold"}'),
    create('{"name":"Bo","categoryId":2}'),
    list('?limit=100'),
    list('?limit=3'),
    list('?limit=0'),
    list('?limit=500'),
    list('?limit=2&offset=2'),
    get(9),
    get(10),
    get(77),
    get('first'),
    create('{"name":"Cid"}'),
    create('{"name":7,"categoryId":1}'),
    create('{"name":"Di","categoryId":1,"colour":"red"}'),
    create('{"name":"Ed","categoryId":77}'),
    create('{"name":"Flo","categoryId":3}', 'text/plain'),
    { ...create('{"name":"Gus","categoryId":3}'), key: null },
    list('', null),
    list('', 'wrong-key'),
    get(2, null),
    { method: 'GET', path: '/animals' },
    list('?status=available'),
    list('?limit=100'),
  ]
}
