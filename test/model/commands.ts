// What a client and a tester can do to a mock, as data that fast-check can make up, repeat and shrink.
import fc, { type Arbitrary } from 'fast-check'
import { int64, status, text } from '../support/requests.ts'
import { type Choices, type ModelFault, type ModelSettings, type ModelSituation, QUESTIONS, type Sender } from './reference-model.ts'
import type { Creation, ListQuery } from './reference-operations.ts'

/** One step of a mock's life; `of` is the sandbox that a tester means. */
export type Command =
  | { do: 'nothing' }
  | ({ do: 'create' } & Sender & Creation)
  | { do: 'bad create'; key: string; body: string }
  | ({ do: 'list'; queries: readonly ListQuery[] } & Sender)
  | ({ do: 'get'; pick: number } & Sender)
  | { do: 'bad get'; key: string; id: string }
  | { do: 'stray'; key: string | null; method: string; target: string; status: number }
  | { do: 'reset'; of?: string | undefined }
  | { do: 'load'; of?: string | undefined; situation: ModelSituation }
  | { do: 'bad load'; of?: string | undefined; document: string }
  | { do: 'fault'; of?: string | undefined; fault: ModelFault }
  | { do: 'assume'; of?: string | undefined; choices: Choices }
  | { do: 'clear faults'; of?: string | undefined }
  | { do: 'set clock'; of?: string | undefined; now: number }
  | { do: 'advance clock'; of?: string | undefined; days: number }
  | { do: 'look'; of?: string | undefined }
  | { do: 'remove sandbox'; key: string }

const KEYS = ['alpha', 'beta', 'gamma'] as const
const key = fc.constantFrom(...KEYS)
const anyKey = fc.oneof(
  { weight: 12, arbitrary: key as Arbitrary<string | null> },
  { weight: 1, arbitrary: fc.constantFrom(null, 'invalid') },
)
const of = fc.option(key, { nil: undefined })
const newPet = fc.record({ name: text.map((any) => any.toWellFormed()), categoryId: int64, status: fc.option(status, { nil: undefined }) })

const fault: Arbitrary<ModelFault> = fc
  .record({
    operation: fc.constantFrom('listPets', 'createPet', 'getPet', '*'),
    effect: fc.constantFrom({ status: 503, retryAfter: 2 }, { status: 500 }, { status: 429 }, { drop: true as const }),
    limits: fc.record({ times: fc.integer({ min: 0, max: 3 }), after: fc.nat(3) }, { requiredKeys: ['times'] }),
  })
  .map(({ operation, effect, limits }) => ({ operation, ...effect, ...limits }) as ModelFault)

const now = fc
  .constantFrom('2026-11-15T10:00:00Z', '2030-12-05T23:59:59Z', '2030-12-06T00:00:00Z', '2027-02-28T12:00:00Z')
  .map((instant) => Date.parse(instant))

const answers = Object.fromEntries(Object.entries(QUESTIONS).map(([question, offered]) => [question, fc.constantFrom(...offered)]))

/** A choice for none, for every, or for a few of the questions. */
const choices = fc.oneof(fc.constant({}), fc.record(answers), fc.record(answers, { requiredKeys: [] })) as Arbitrary<Choices>

/** What a mock may be made with. */
export const settings: Arbitrary<ModelSettings> = fc.record({
  isSandboxed: fc.boolean(),
  entries: fc.constantFrom(undefined, undefined, 0, 7),
})

/** What a mock may start from. */
export const situation: Arbitrary<ModelSituation> = fc
  .record({
    pets: fc.array(newPet, { maxLength: 30 }),
    firstId: fc.constantFrom(1n, 7n, 2n ** 53n - 3n, 2n ** 63n - 40n, -5n),
    gap: fc.constantFrom(undefined, 0n, 3n),
    apiKeys: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(['alpha', 'beta']) }),
    now,
    assume: choices,
    latency: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(0, 1, [0, 2] as const) }),
    faults: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fault, { maxLength: 2 }) }),
  })
  .map(({ firstId, gap, pets, ...rest }) => {
    const nextId = gap === undefined ? undefined : firstId + BigInt(pets.length) + gap
    // Out of order, since a scenario may list its animals as it likes.
    return { ...rest, pets: pets.map((pet, index) => ({ id: firstId + BigInt(index), ...pet })).reverse(), nextId }
  })

const badBody = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '{"categoryId":1}',
  '{"name":"A"}',
  '{"name":1,"categoryId":1}',
  '{"name":"A","categoryId":"1"}',
  '{"name":"A","categoryId":1.5}',
  '{"name":"A","categoryId":9223372036854775808}',
  '{"name":"A","categoryId":1,"status":"gone"}',
  '{"name":"A","categoryId":1,"status":null}',
)
/** Values of a parameter: none, one that is right, or anything else that a client could write. */
const limits = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 4, arbitrary: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 100)).map((limit) => [String(limit)]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['0'], ['101'], ['-1'], ['x'], ['1.5'], ['007'], [''], ['3', '5'], ['1e1'], ['99999999999999999999']),
  },
)
const statuses = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 4, arbitrary: status.map((one) => [one as string]) },
  { weight: 2, arbitrary: fc.constantFrom(['undefined'], ['gone'], [''], ['SOLD'], ['sold', 'sold'], ['sold', 'available']) },
)
const prefer = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('code=503', 'code=429, code=500', 'drop', 'code=banana', 'wait=1') },
)
const badDocument = fc.constantFrom(
  '{"pets":[{"id":1}]}',
  '{"pets":[{"id":1,"name":"A","categoryId":1},{"id":1,"name":"B","categoryId":1}]}',
  '{"pets":[{"id":5,"name":"A","categoryId":1}],"nextId":5}',
  '{"now":"yesterday"}',
  '{"faults":[{"operation":"petList","status":503}]}',
  '{"assume":{"paging":"cursor"}}',
  '{"colour":"red"}',
  '[]',
)
const stray = fc.constantFrom(
  { method: 'GET', target: '/v1/store/orders', status: 404 },
  { method: 'GET', target: '/v1/pets/', status: 404 },
  { method: 'DELETE', target: '/v1/pets/1', status: 405 },
  { method: 'PUT', target: '/v1/pets', status: 405 },
  { method: 'GET', target: '/v1/pets/%zz', status: 400 },
)

function command<const Name extends Command['do']>(name: Name, fields: { [Field in string]: Arbitrary<unknown> }, weight = 1) {
  return { weight, arbitrary: fc.record({ do: fc.constant(name), ...fields }) as unknown as Arbitrary<Command> }
}

const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(true) })
export const anyCommand: Arbitrary<Command> = fc.oneof(
  // First, so that a failing life shrinks to the few steps that matter among nothings.
  { withCrossShrink: true },
  command('nothing', {}, 1),
  command('create', { key: anyKey, prefer, pet: newPet, hasUnknownField: rarely, isPlainText: rarely }, 100),
  command('bad create', { key, body: badBody }, 30),
  // Several in a row: a page that is remembered must not be taken for another one.
  command(
    'list',
    { key: anyKey, prefer, queries: fc.array(fc.record({ limit: limits, status: statuses }), { minLength: 1, maxLength: 4 }) },
    80,
  ),
  command('get', { key: anyKey, prefer, pick: fc.nat(60) }, 70),
  command('bad get', { key, id: fc.constantFrom('0', '-9', 'abc', '01', '1.0', '9223372036854775808') }, 10),
  { weight: 10, arbitrary: fc.tuple(stray, anyKey).map(([line, sender]) => ({ do: 'stray', key: sender, ...line }) as Command) },
  command('reset', { of }, 20),
  command('load', { of, situation }, 20),
  command('bad load', { of, document: badDocument }, 10),
  command('fault', { of, fault }, 30),
  command('assume', { of, choices }, 20),
  command('clear faults', { of }, 10),
  command('set clock', { of, now }, 10),
  command('advance clock', { of, days: fc.integer({ min: 1, max: 900 }) }, 10),
  command('look', { of }, 30),
  command('remove sandbox', { key }, 10),
)
