import { expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { findExcess } from '../control/api/load.ts'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import { findProblems } from '../scenario/check-scenario.ts'
import { expandScenario } from '../scenario/expand.ts'
import { resolveDocument } from '../scenario/open.ts'
import { readDocument } from '../scenario/read.ts'
import { UsageError } from './errors.ts'
import { JsonError, parseJson } from './int64-json.ts'
import { MAX_PROBLEMS } from './limits.ts'
import { addCaller, count, listProblems, type Problem, say } from './problem.ts'
import { findViolations, type Schema } from './schema.ts'
import { cutText } from './values.ts'

const KEY = 'some-key-1234'
const rex = { id: 1, name: 'Rex', categoryId: 1 }

const VALUES: readonly (readonly [schema: Schema, value: unknown])[] = [
  [{ type: 'integer' }, undefined],
  [{ type: 'integer' }, 'x'],
  [{ type: 'integer', minimum: 1, maximum: 100 }, 0],
  [{ type: 'integer', minimum: 1 }, 0],
  [{ type: 'integer', maximum: 9 }, 10],
  [{ type: 'integer', format: 'int64' }, 1.5],
  [{ type: 'integer', format: 'int64' }, 2 ** 60],
  [{ type: 'number' }, 1n],
  [{ type: 'number' }, Number.NaN],
  [{ type: 'string' }, 1],
  [{ type: 'string' }, 'a\ud800'],
  [{ type: 'string', minLength: 2 }, 'a'],
  [{ type: 'string', maxLength: 1 }, 'ab'],
  [{ type: 'string', pattern: '^a$' }, 'b'],
  [{ type: 'string', format: 'date-time' }, 'tomorrow'],
  [{ type: 'string', writeOnly: true, maxLength: 3 }, 'secret'],
  [{ type: 'boolean' }, 'true'],
  [{ type: 'object' }, []],
  [{ type: 'object' }, new Date(0)],
  [{ type: 'object' }, Promise.resolve()],
  [{ type: 'array', minItems: 2, maxItems: 2 }, []],
  [{ type: 'array', items: { type: 'boolean' } }, [true, 0]],
  [{ enum: ['available', 'pending', 'sold'] }, 'gone'],
  [{ const: 'x' }, 'y'],
  [{ title: 'a bearer token (RFC 6750)', type: 'string', maxLength: 1 }, 'ab'],
  [{ oneOf: [{ type: 'integer' }, { type: 'array' }] }, 'a'],
  [{ type: 'object', properties: { a: {}, b: {} }, additionalProperties: false }, { c: 1 }],
  [{ type: 'object', properties: { a: {} }, required: ['a'] }, {}],
]

const REQUESTS: readonly (readonly [
  method: string,
  target: string,
  body?: string | undefined,
  options?: MockOptions,
])[] = [
  ['GET', '/pets'],
  ['GET', '/v1/v1/pets'],
  ['GET', '/api/v1/pets/1'],
  ['GET', '/v1/pets/'],
  ['GET', '/v1/Pets'],
  ['GET', '/v1/pet'],
  ['GET', '/v1/store/orders'],
  ['GET', '/v1/%zz'],
  ['GET', `/v1/${'a'.repeat(20_000)}`],
  ['DELETE', '/v1/pets'],
  ['GET', '/v1/pets?limit=0&status=gone'],
  ['GET', '/v1/pets?limit=1&limit=2'],
  ['GET', '/v1/pets/7'],
  ['GET', '/v1/pets/abc'],
  ['GET', '/v1/pets/7', undefined, { now: '2031-01-01' }],
  ['POST', '/v1/pets'],
  ['POST', '/v1/pets', '{}'],
  ['POST', '/v1/pets', '[]'],
  ['POST', '/v1/pets', '{"name":1,"categoryId":"1","status":"gone"}'],
  [
    'POST',
    '/v1/pets',
    '{"name":"Rex","categoryId":1,"colour":"red"}',
    { assume: { 'unknown-fields': 'reject' } },
  ],
  ['POST', '/v1/pets', '{\n"name":}'],
  ['POST', '/v1/pets', `"${'a'.repeat(2 ** 20)}"`],
  ['GET', '/v1/pets', undefined, { faults: [{ operation: '*', status: 503 }] }],
  ['GET', '/v1/pets', undefined, { apiKeys: ['another-key'] }],
]

const TEXTS = [
  '',
  '{"a":1,}',
  '\ufeff1',
  '"a\u0001"',
  String.raw`"\ud83e"`,
  String.raw`"\u12zz"`,
  '['.repeat(65),
]

const DOCUMENTS: readonly unknown[] = [
  null,
  { pets: [rex, rex] },
  { pets: [rex], nextId: 1 },
  { pets: [{ ...rex, id: 2n ** 63n - 1n }], generate: { count: 1 } },
  { now: 'tomorrow' },
  { latency: [9, 1] },
  { generate: { count: 1, status: { sold: 0 } } },
  { faults: [{ operation: '*' }] },
  { faults: [{ operation: '*', status: 503, drop: true }] },
  { faults: [{ operation: '*', status: 204, body: 'html' }] },
  { faults: [{ operation: '*', status: 302 }] },
  { faults: [{ operation: 'listPets', status: 503, petId: 7 }] },
  { faults: [{ operation: '*', retryAfter: 1 }] },
]

const FILES: readonly (readonly [file: string, text: string])[] = [
  ['a.json', '{"animals":[]}'],
  ['a.json', '{"name":"a",\n"name":"b"}'],
  ['a.json', '{'],
  ['a.yaml', 'name: a\nfaults:\n  - { operation: getPets, rate: 50 }'],
  ['a.yaml', 'name: &a x\ndescription: *a'],
  ['a.yaml', 'name: x\nname: y'],
  ['a.yaml', 'extends: defualt'],
]

const KEPT_CALL = { ...toCall('GET', '/v1/pets', undefined, KEY), reportsOutcome: true } as const

const WAYS_BACK: readonly (readonly [
  about: string,
  run: (mock: Mock) => unknown,
  options?: MockOptions,
])[] = [
  ['undo without a change', ({ control }) => control.undo()],
  ['undo of a request', ({ control, answer }) => answer(KEPT_CALL) && control.undo(1)],
  ['undo of an unknown row', ({ control }) => control.undo(1)],
  [
    'undo of a row that is not kept',
    ({ control }) => [control.latency.set(1), control.undo(1)],
    { requestLog: { rows: 0 } },
  ],
  ['undo of a clear', ({ control }) => [control.clearRequests(), control.undo(1)]],
  [
    'undo before a reset',
    ({ control }) => [control.latency.set(1), control.reset(), control.undo(1)],
  ],
  [
    'undo before another change',
    ({ control }) => [control.clock.freeze(), control.clock.set('2030-01-01'), control.undo(1)],
  ],
  [
    'rewind to a row without its state',
    ({ control, answer }) => [answer(KEPT_CALL), control.clearRequests(), control.rewind(1)],
  ],
  [
    'rewind to a row of the shared state',
    ({ control }) => [control.reset(), control.sandbox('a').rewind(1)],
    { sandbox: true },
  ],
  [
    'rewind to a row of a sandbox',
    ({ control }) => [control.sandbox('a').reset(), control.rewind(1)],
    { sandbox: true },
  ],
]

/** Every message, with what it is about. */
async function writeMessages(): Promise<string> {
  const lines: string[] = []
  const write = (about: string, problems: readonly Problem[]) =>
    lines.push(
      about.length > 150 ? `${about.slice(0, 150)}…` : about,
      ...problems.map((problem) => `  ${say(problem)}`),
    )
  for (const [schema, value] of VALUES)
    write(`value ${JSON.stringify(schema)}`, findViolations(schema, value))
  for (const [method, target, body, options] of REQUESTS) {
    const mock = createMock({ pets: [rex], now: '2026-11-15', frozen: true, ...options })
    mock.answer(toCall(method, target, body, KEY))
    write(
      `request ${method} ${target} ${JSON.stringify(body ?? options ?? '')}`,
      mock.control.requests()[0]?.problems ?? [],
    )
  }
  for (const text of TEXTS)
    write(`JSON ${JSON.stringify(text)}`, await problemsOf(() => parseJson(text)))
  write(
    'JSON with too many keys',
    await problemsOf(() => parseJson('{"a":1,"b":2}', undefined, { keys: 1 })),
  )
  for (const document of DOCUMENTS)
    write(
      `scenario ${JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
      findProblems(document),
    )
  for (const [file, text] of FILES)
    write(`file ${file} ${JSON.stringify(text)}`, await problemsOf(() => readFile(file, text)))
  write('sent {"generate":{"count":9000000}}', findExcess({ generate: { count: 9_000_000 } }))
  for (const parent of [5, { pets: [{ ...rex, id: 'a' }] }])
    write(
      `parent ${JSON.stringify(parent)}`,
      await problemsOf(() => expandScenario({ extends: 'a' }, parent as never)),
    )
  for (const [about, run, options] of WAYS_BACK)
    write(about, await problemsOf(() => run(createMock({ pets: [rex], ...options }))))
  write('too many', listProblems(Array<string>(MAX_PROBLEMS + 1).fill('a')).slice(MAX_PROBLEMS - 1))
  return `${lines.join('\n')}\n`
}

async function problemsOf(run: () => unknown): Promise<readonly Problem[]> {
  try {
    await run()
  } catch (error) {
    if (error instanceof JsonError) return [error.problem]
    if (error instanceof UsageError) return error.problems
  }
  throw new Error('there is no problem')
}

async function readFile(file: string, text: string): Promise<unknown> {
  const { value, ...read } = await readDocument(text, file)
  return resolveDocument(value, read)
}

it('every message has its words in one file', async () => {
  await expect(await writeMessages()).toMatchFileSnapshot('../../test/messages.golden.txt')
})

it.each([
  ['12345', '12345'],
  ['123456', '12345…'],
  ['123🦊', '123🦊'],
  ['1234🦊🦊', '1234\ufffd…'],
])('cutText cuts %s after five characters', (text, expected) =>
  expect(cutText(text, 5)).toBe(expected),
)

it.each([
  [0, '0 animals'],
  [1, '1 animal'],
  [999, '999 animals'],
  [1_000, '1,000 animals'],
  [123_456, '123,456 animals'],
  [9_007_199_254_740_991, '9,007,199,254,740,991 animals'],
])('the count %i is written as "%s"', (amount, expected) => {
  expect(count(amount, 'animal')).toBe(expected)
  expect(count(amount)).toBe(expected.split(' ')[0])
})

it('a caller comes before the one that it called', () =>
  expect(addCaller([{ kind: 'more', caller: 'inner' }], 'outer')).toEqual([
    { kind: 'more', caller: 'outer: inner' },
  ]))
