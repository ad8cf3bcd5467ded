// A mock that shows a recording against the mock that was recorded, and what becomes of recordings
// that were changed.
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiError } from '../../src/contract/errors.ts'
import { MAX_FAULT_BODY_DEPTH, MAX_SANDBOXES } from '../../src/contract/limits.ts'
import { connect } from '../../src/control/client/connect.ts'
import type { Alternative, WhatIf, WhatIfChange } from '../../src/control/control.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { type Call, createMock, type Mock, type MockOptions, UsageError } from '../../src/index.ts'
import { createEngine } from '../../src/mock/mock.ts'
import { openOptions } from '../../src/mock/mock-options.ts'
import { readHead, readRecording, readStateBefore } from '../../src/scenario/recording/read.ts'
import { createMemory } from '../../src/world/memory.ts'
import { toCall } from '../support/call.ts'
import { RUNS_FACTOR } from '../support/property.ts'
import { options, pick, type Step, show, step, take } from './timeline.ts'

const keys = ['key-one', 'key-two']
const read = (text: string) => readRecording(text, 'run.jsonl')

async function open(text: string, used?: Mock): Promise<Mock> {
  const requestLog = { rows: Math.max(1_000, text.split('\n').length) }
  const mock =
    used ?? createMock({ sandbox: readHead(text, 'run.jsonl').sandboxes > 0, requestLog })
  await mock.control.openRecording(text, { file: 'run.jsonl' })
  return mock
}

/** The part of a mock with sandboxes that a key has. */
function partOf(mock: Mock, key: string | undefined): Mock {
  if (key === undefined) return mock
  const answer = (one: Call) =>
    mock.answer({
      ...one,
      headers: JSON.parse(JSON.stringify(one.headers).replace('any-key', key)),
    })
  return { ...mock, control: mock.control.sandbox(key) as Mock['control'], answer }
}

const clocks: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  ({ control }) => control.clock.freeze(false),
  ({ control }) => control.clock.set(null),
  ({ control }) => control.clock.freeze(),
  ({ control }) => control.clearRequests(),
)
const steps = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 12, arbitrary: step },
      { weight: 1, arbitrary: clocks },
      {
        weight: 2,
        arbitrary: fc.nat().map(
          (at): Step =>
            ({ control }) =>
              control.rewind(pick(control.timeline({ limit: 30 }), at)?.id ?? 1),
        ),
      },
    ),
    fc.constantFrom(undefined, ...keys),
  ),
  { minLength: 3, maxLength: 30 },
)
const surprise = fc.constantFrom<MockOptions>({}, {}, { surprise: { seed: 7 } })

function run(
  given: MockOptions,
  sandbox: boolean,
  taken: readonly (readonly [Step, string | undefined])[],
): Mock {
  const mock = createMock({ ...given, sandbox })
  for (const [one, key] of taken) take(partOf(mock, sandbox ? key : undefined), one)
  return mock
}

/** What it returns, or the status of its refusal. */
function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return (error as UsageError).status
  }
}

function withoutDate({ response: { headers, body }, ...rest }: WhatIf) {
  return { ...rest, headers: { ...headers, Date: '' }, body }
}

/** A mock with sandboxes that has animals and rows of its own. */
function startUsed(): Mock {
  const mock = createMock({ sandbox: true })
  mock.control.pets.remove(1)
  mock.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 }, 'own-key'))
  return mock
}

const readAll = ({ control }: Mock) => [
  control.sandboxes(),
  control.timeline({ sandbox: '*' }),
  [control, ...control.sandboxes().map(control.sandbox)].map((one) => one.state()),
  control.summary().recording,
]

/** It has the form of a moment, but the mock's time begins in 1970. */
const NO_TIME = '"0000-01-01T00:00:00.000Z"'

const beginOf = ({ control }: Mock) =>
  control.timeline().find(({ method }) => method !== 'openRecording')?.id
const namesIn = (recording: string) =>
  Object.fromEntries(read(recording).rows.map(({ row }) => [row.id, row.sandbox]))

describe('a mock that shows a recording', () => {
  it('has every state and every response of the mock that was recorded', async () => {
    await fc.assert(
      fc.asyncProperty(
        options,
        surprise,
        fc.boolean(),
        steps,
        fc.option(steps),
        async (given, more, sandbox, taken, earlier) => {
          const mock = run({ ...given, ...more }, sandbox, taken)
          const recording = mock.control.recording({ sandbox: '*' })
          // A new mock, or one that has done other things before.
          const opened = await open(
            recording,
            earlier ? run({}, mock.control.sandboxes().length > 0, earlier) : undefined,
          )
          opened.answer(toCall('GET', '/v1/pets', undefined, opened.control.sandboxes()[0]))
          expect(namesIn(opened.control.recording({ sandbox: '*' }))).toMatchObject(
            namesIn(recording),
          )
          for (const key of [undefined, ...mock.control.sandboxes()]) {
            const one = partOf(mock, key)
            const name = opened.control
              .sandboxes()
              .find((sandbox) => beginOf(partOf(opened, sandbox)) === beginOf(one))
            const other = partOf(opened, key && name)
            const rows = one.control.timeline({})
            const shown = other.control.timeline({}).slice(0, rows.length)
            expect(shown.map((row) => ({ ...row, sandbox: key ?? null }))).toEqual(rows)
            for (const { id } of rows) {
              expect(other.control.state({ before: id })).toEqual(one.control.state({ before: id }))
              expect(other.control.diff({ before: id })).toEqual(one.control.diff({ before: id }))
            }
            for (const row of rows) {
              if (row.type !== 'request') continue
              expect(withoutDate(other.control.whatIf(row.id))).toEqual(
                withoutDate(one.control.whatIf(row.id)),
              )
              const { method, target, request, key: end } = row
              const body = request.body === '' ? undefined : JSON.parse(request.body)
              const sent = toCall(method, target, body, end === '…alid' ? 'invalid' : undefined)
              for (const { control } of [one, other]) control.rewind(row.id)
              expect(show(other.answer(sent))).toEqual(show(one.answer(sent)))
            }
          }
        },
      ),
      { numRuns: 100 * RUNS_FACTOR },
    )
  })

  it('has the state before a row as a scenario, and starts there', async () => {
    const mock = createMock({ now: '2030-01-01' })
    mock.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
    mock.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 }))
    mock.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 }))
    const text = mock.control.recording()
    const { description, ...before } = mock.control.state({ before: 2 })
    expect(readStateBefore(read(text), 2)).toEqual({
      ...before,
      description: 'Before row 2 of run.jsonl',
    })
    const opened = await open(text)
    opened.control.rewind(2)
    const { description: _, ...state } = { description, ...opened.control.state() }
    expect(state).toEqual(before)
    expect(opened.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(
      503,
    )
    expect(() => readStateBefore(read(text), 99)).toThrow(UsageError)
  })

  it('undoes what the recorded mock would undo', async () => {
    const mock = createMock()
    mock.control.faults.add({ operation: 'listPets', status: 503 })
    mock.answer(toCall('GET', '/v1/pets'))
    mock.control.clock.set('2030-12-06')
    mock.control.load({ name: 'none', pets: [] })
    const opened = await open(mock.control.recording())
    opened.control.undo(4)
    expect([opened.control.summary().pets, opened.control.clock.get().now.slice(0, 10)]).toEqual([
      18,
      '2030-12-06',
    ])
    opened.control.undo(1)
    expect(opened.control.faults.list()).toEqual([])
    opened.control.undo(opened.control.timeline().at(-1)?.id)
    expect(opened.control.faults.list()).toMatchObject([{ applied: 1 }])
  })

  it('stands still at the last moment', async () => {
    const mock = createMock({ now: '2030-01-01' })
    const opened = await open(mock.control.recording())
    expect(opened.control.clock.get()).toMatchObject({
      frozen: true,
      now: expect.stringMatching(/^2030-01-01/),
    })
    expect((await open(createMock().control.recording())).control.clock.get().frozen).toBe(true)
  })

  it('cannot be undone', async () => {
    const mock = createMock()
    mock.control.pets.remove(1)
    const row = await mock.control.openRecording(createMock().control.recording())
    expect(row).toMatchObject({ canUndo: false, changed: [] })
    expect(attempt(() => mock.control.undo(row.id))).toBe(409)
    expect(attempt(() => mock.control.undo())).toBe(409)
  })

  it('opens with sandboxes in a mock that has some, and without them in one that has none', async () => {
    const [one, each] = [createMock({ pets: [] }), createMock({ pets: [], sandbox: true })]
    for (const mock of [one, each])
      mock.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 }))
    const [plain, sandboxed] = [one, each].map(({ control }) =>
      control.recording({ sandbox: '*' }),
    ) as [string, string]
    const { control, answer } = await open(sandboxed)
    expect([control.sandboxes(), control.sandbox('sandbox-1').summary().pets]).toEqual([
      ['sandbox-1'],
      1,
    ])
    expect(answer(toCall('GET', '/v1/pets', undefined, 'some-key')).body).toBe('[]')
    expect(control.sandbox('some-key').clock.get().frozen).toBe(false)
    for (const [recording, mock] of [
      [sandboxed, createMock()],
      [plain, createMock({ sandbox: true })],
    ] as const) {
      await expect(mock.control.openRecording(recording)).rejects.toThrow(UsageError)
      expect(mock.control.timeline()).toEqual([])
    }
  })

  it('lets others run while it is read', async () => {
    const mock = createMock()
    const [head, ...lines] = mock.control.recording().split('\n')
    const faults = Array(20_000).fill('{"fault":{"operation":"listPets","status":503}}')
    const ended: string[] = []
    const timer = new Promise((resolve) => setTimeout(resolve, 1)).then(() => ended.push('timer'))
    const opening = mock.control.openRecording([head, ...faults, ...lines].join('\n'))
    await Promise.all([timer, opening.then(() => ended.push('opening'))])
    expect(ended).toEqual(['timer', 'opening'])
  })

  it.each([1, 2])(
    'is refused if its first row undoes row %i, itself or a later one',
    async (undoes) => {
      const mock = createMock()
      mock.control.pets.remove(1)
      mock.control.undo()
      const text = mock.control.recording()
      const changed = text.replace('"undoes":null', `"undoes":${undoes}`)
      expect(() => read(changed)).toThrow('line.row.undoes: expected the id of a row before')
      await expect(open(changed)).rejects.toThrow(UsageError)
    },
  )

  it('has as many sandboxes as a mock can have', async () => {
    const mock = createMock({ sandbox: true })
    for (let one = 0; one < MAX_SANDBOXES; one++)
      mock.answer(toCall('GET', '/v1/pets?limit=1', undefined, `key-${one}`))
    expect((await open(mock.control.recording({ sandbox: '*' }))).control.sandboxes()).toHaveLength(
      MAX_SANDBOXES,
    )
  })
})

describe('a recording', () => {
  it('has no API keys', async () => {
    const mock = createMock({ sandbox: true, apiKeys: ['secret-one', 'secret-two'] })
    mock.answer(toCall('GET', '/v1/pets?api_key=secret-two', undefined, 'secret-one'))
    mock.answer(toCall('GET', '/v1/pets', undefined, 'secret-three'))
    mock.control.sandbox('secret-two').assume({ 'valid-keys': 'any' })
    mock.control.removeSandbox('secret-two')
    const text = mock.control.recording({ sandbox: '*' })
    expect(text).not.toMatch(/secret/)
    expect((await open(text)).answer(toCall('GET', '/v1/pets')).status).toBe(200)
  })

  it('is the same over HTTP, and of one sandbox that of a mock without sandboxes', async () => {
    const mock = createMock({ sandbox: true, now: '2030-01-01', frozen: true })
    mock.answer(toCall('GET', '/v1/pets', undefined, 'some-key'))
    const serving = await serve(mock)
    onTestFinished(() => serving.close())
    const { headers } = await fetch(new URL('/__mock/recording', serving.url))
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const remote = connect(serving.url)
    const rows = (text: string) => read(text).rows.map(({ row }) => row)
    expect(rows(await remote.recording({ sandbox: '*' }))).toEqual(
      rows(mock.control.recording({ sandbox: '*' })),
    )
    expect(rows(await remote.sandbox('some-key').recording())).toMatchObject([
      { target: '/v1/pets', sandbox: null },
    ])
  })

  it('whose oldest states are gone has their rows all the same', async () => {
    const mock = createMock()
    mock.answer(toCall('GET', '/v1/pets'))
    mock.answer(toCall('GET', '/v1/pets/1'))
    const lines = mock.control.recording().split('\n')
    const [head, origin, first, one, ...others] = lines as [string, string, string, string]
    const opened = await open([head, one, origin, first, ...others].join('\n'))
    expect(opened.control.requests().map(({ id }) => id)).toEqual([1, 2])
    expect(() => opened.control.state({ before: 1 })).toThrow(UsageError)
    expect(opened.control.coverage({ outcomes: true }).outcomes).toEqual([])
    expect(opened.control.state({ before: 2 }).pets).toHaveLength(18)
  })

  it('has the rows that were asked for, each with its own state before it', async () => {
    const mock = createMock({ pets: [], sandbox: true })
    const add = (name: string, key: string) =>
      mock.answer(toCall('POST', '/v1/pets', { name, categoryId: 1 }, key))
    for (const name of ['one', 'two', 'three']) add(name, 'key-one')
    add('four', 'key-two')
    add('five', 'key-one')
    const all = { sandbox: '*' } as const
    const rowsOf = (text: string) =>
      read(text).rows.map(({ row }) => [row.id, row.type, row.sandbox])
    expect(rowsOf(mock.control.recording({ ...all, last: 2 }))).toEqual([
      [4, 'request', 'sandbox-2'],
      [5, 'request', 'sandbox-1'],
    ])
    const text = mock.control.recording({ ...all, rows: '1,5-9' })
    expect(rowsOf(text)).toEqual([
      [1, 'request', 'sandbox-1'],
      [3, 'change', 'sandbox-1'],
      [5, 'request', 'sandbox-1'],
    ])
    const { control } = await open(text)
    expect(control.sandboxes()).toEqual(['sandbox-1'])
    const opened = control.sandbox('sandbox-1')
    const one = mock.control.sandbox('key-one')
    expect(opened.timeline()).toMatchObject([
      { id: 1 },
      { id: 3, text: '2 rows left out', canUndo: false },
      { id: 5 },
      { method: 'openRecording' },
    ])
    for (const before of [1, 5])
      expect(opened.state({ before }).pets).toEqual(one.state({ before }).pets)
    expect(opened.state().pets).toEqual(one.state().pets)
    expect(attempt(() => mock.control.recording({ ...all, rows: '7-9' }))).toBe(404)
    expect(attempt(() => mock.control.recording({ rows: '1', last: 1 }))).toBe(400)
    expect(attempt(() => mock.control.recording({ rows: '1;2' }))).toBe(400)
  })

  it('has each fault once, however large and deep its response is and however often it strikes', async () => {
    let body: unknown = 'x'.repeat(500_000)
    for (let depth = 0; depth < MAX_FAULT_BODY_DEPTH; depth++) body = [body]
    const mock = createMock()
    mock.control.faults.add({
      operation: '*',
      response: { status: 200, body },
      id: '999999999999999',
    })
    for (let count = 0; count < 5; count++) mock.answer(toCall('GET', '/v1/pets'))
    mock.control.load({ ...mock.control.state(), name: 'again' })
    for (let count = 0; count < 5; count++) mock.answer(toCall('GET', '/v1/pets'))
    const text = mock.control.recording()
    expect(text.length).toBeLessThan(2_000_000)
    const { control } = await open(text)
    for (const { id } of mock.control.timeline())
      expect(control.state({ before: id })).toEqual(mock.control.state({ before: id }))
    expect(control.faults.list()).toEqual(mock.control.faults.list())
    control.undo(7)
    control.undo(1)
    expect(control.faults.list()).toEqual([])
  })

  it('does not guess what a request would have got that it does not have as it was sent', async () => {
    const mock = createMock()
    mock.answer(toCall('GET', '/v1/pets?limit=500&session_id=abc'))
    mock.refuse(toCall('GET', '/v1/pets'), new ApiError(413, 'Too large'))
    mock.answer(toCall('GET', '/v1/pets?limit=500'))
    const { control } = await open(
      await open(mock.control.recording()).then((opened) => opened.control.recording()),
    )
    expect(attempt(() => control.whatIf(1, { assume: { 'invalid-query': 'clamp' } }))).toBe(409)
    expect(attempt(() => control.whatIf(2))).toBe(409)
    expect(control.whatIf(3, { assume: { 'invalid-query': 'clamp' } }).status).toBe(200)
    expect(attempt(() => control.whatIf(3, { assume: { 'valid-keys': 'any' } }))).toBe(409)
    const { outcomes = [] } = control.coverage({ outcomes: true })
    expect(
      outcomes
        .filter(({ assumption }) => assumption === 'invalid-query')
        .map(({ requests }) => requests),
    ).toEqual([1, 1])
  })

  it('has the response that a client did not wait for, though no row shows it', async () => {
    const mock = createMock({ latency: 20 })
    const init = { headers: { authorization: 'Bearer key' }, signal: AbortSignal.timeout(1) }
    await expect(mock.fetch('http://any.test/v1/pets?limit=0', init)).rejects.toThrow()
    const opened = await open(
      await open(mock.control.recording()).then(({ control }) => control.recording()),
    )
    expect(opened.control.requests()).toEqual(mock.control.requests())
    expect(withoutDate(opened.control.whatIf(1))).toEqual(withoutDate(mock.control.whatIf(1)))
    expect(opened.control.whatIf(1).differs).toBeNull()
  })

  it('knows of a key only what the recorded mock found out about it', async () => {
    const keys = ['key-good', 'key-wrong', 'invalid', null, 'not a key']
    const lines = [
      ...[
        'GET /v1/pets',
        'GET /v1/pets/1',
        'GET /v1/pets?limit=0',
        'GET /v1/nothing',
        'GET /v1/%zz',
      ],
      ...['PUT /v1/pets', 'OPTIONS /v1/nothing'],
    ]
    const faults = [{ operation: 'getPet', status: 401 }] as const
    const changes: WhatIfChange[] = [
      {},
      { without: 'faults' },
      { assume: { 'valid-keys': 'any' } },
      { assume: { 'valid-keys': 'listed' } },
      { assume: { 'unknown-path-auth': 'not-found' } },
      { assume: { 'unknown-path-auth': 'unauthorized' } },
      ...['/v1/pets', '/v1/nothing'].map((target) => ({ request: { method: 'GET', target } })),
      { request: { method: 'PUT', target: '/v1/pets' } },
      { request: { headers: { prefer: null } } },
      ...['Bearer key-good', 'Bearer invalid', 'Bearer a b', null].map((authorization) => ({
        request: { headers: { authorization } },
      })),
    ]
    const answered = new Set<string>()
    for (const [apiKeys, choice] of [
      [undefined, 'not-found'],
      [['key-good'], 'unauthorized'],
    ] as const) {
      const mock = createMock({
        pets: [],
        ...(apiKeys && { apiKeys }),
        assume: { 'unknown-path-auth': choice },
        faults,
        frozen: true,
      })
      for (const key of keys) {
        mock.answer(toCall('GET', '/v1/pets', undefined, key, { prefer: 'code=401' }))
        for (const line of lines)
          mock.answer(toCall(...(line.split(' ') as [string, string]), undefined, key))
      }
      const opened = await open(mock.control.recording())
      for (const { id, method, target, key } of mock.control.requests()) {
        for (const change of changes) {
          const [one, other] = [mock, opened].map(({ control }) =>
            attempt(() => withoutDate(control.whatIf(id, change))),
          )
          if (other === 409) continue
          const name = `${method} ${target} ${key} ${JSON.stringify(change)}`
          expect(other, name).toEqual(one)
          answered.add(name)
        }
        const [all, shown] = [mock, opened].map(({ control }) =>
          control.whatIf(id, { alternatives: true }),
        ) as [Alternative[], Alternative[]]
        const isUnknown = ({ change }: Alternative) => change.assume?.['valid-keys'] !== undefined
        expect(shown.filter((one) => !isUnknown(one))).toEqual(all.filter((one) => !isUnknown(one)))
        if (all.some(isUnknown))
          expect(shown.filter(isUnknown).map(({ status }) => status)).toEqual([null, null])
      }
    }
    // It refuses only what depends on a key that it does not know.
    expect(answered).toContain(
      'GET /v1/nothing …good {"assume":{"unknown-path-auth":"unauthorized"}}',
    )
    expect(answered).toContain('PUT /v1/pets …good {"assume":{"unknown-path-auth":"unauthorized"}}')
    expect(answered).not.toContain(
      'PUT /v1/pets …good {"request":{"method":"GET","target":"/v1/pets"}}',
    )
    expect(answered).toContain('GET /v1/pets …good {"without":"faults"}')
  })

  it('hides what the log hides of a response, also in faults, and compares responses without it', async () => {
    const headers = {
      'x-auth-token': 'secret',
      'Set-Cookie': 'id=secret',
      Location: 'http://any.test/?token=secret',
    }
    const bodies = [{ token: 'secret', id: 9007199254740993n }, '{"token":"secret"}']
    const responses = bodies.map((body) => ({ status: 200, headers, body }))
    const form = {
      status: 200,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'access_token=secret',
    }
    for (const response of [...responses, form]) {
      const faults = [{ operation: 'listPets', response }] as const
      const mock = createMock({ faults })
      mock.answer(toCall('GET', '/v1/pets'))
      mock.control.faults.add(faults[0])
      const text = mock.control.recording()
      expect(text + JSON.stringify(mock.control.requests())).not.toMatch(/secret/)
      const { control } = await open(text)
      for (const one of [control, mock.control]) {
        expect(one.whatIf(1).differs).toBeNull()
        expect(one.whatIf(1, { without: 'faults' }).differs).toMatchObject({ body: true })
      }
    }
  })

  it('may begin with a byte order mark, as files do', async () => {
    expect(
      (await open(`\ufeff${createMock().control.recording()}`)).control.timeline(),
    ).toHaveLength(1)
  })

  it('that was cut, changed or reordered is read whole or refused with the line', async () => {
    const [text] = fc.sample(
      fc
        .tuple(options, steps)
        .map(([given, taken]) => run(given, true, taken).control.recording({ sandbox: '*' })),
      { numRuns: 1, seed: 11 },
    ) as [string]
    const lines = text.trimEnd().split('\n')
    const mutate = fc.oneof(
      fc.nat(text.length - 1).map((at) => text.slice(0, at)),
      fc
        .tuple(fc.nat(text.length - 1), fc.constantFrom(...'0195-aN"{}[]:,\n\\é'), fc.nat(2))
        .map(([at, character, length]) => text.slice(0, at) + character + text.slice(at + length)),
      fc.tuple(fc.nat(lines.length - 1), fc.nat(lines.length - 1)).map(([from, to]) => {
        const others = lines.toSpliced(from, 1)
        return others.toSpliced(to, 0, lines[from] as string).join('\n')
      }),
      fc.nat(lines.length - 1).map((at) => lines.toSpliced(at, 1).join('\n')),
      fc
        .tuple(
          fc.nat(lines.length - 1),
          fc.constantFrom('null', '[]', '"a"', '-1', '1e99', '{}', 'true', NO_TIME),
        )
        .map(([at, value]) =>
          lines
            .with(at, (lines[at] as string).replace(/(?<=":)("[^"]*"|\d+|null|\[\])/, value))
            .join('\n'),
        ),
    )
    let refused = 0
    await fc.assert(
      fc.asyncProperty(mutate, async (changed) => {
        const opened = startUsed()
        const before = readAll(opened)
        const error = await open(changed, opened).catch((problem: unknown) => problem)
        if (error instanceof UsageError) {
          refused++
          expect(error.problems).toHaveLength(1)
          expect(readAll(opened)).toEqual(before)
          return
        }
        expect(error).toBe(opened)
        for (const { id, sandbox } of opened.control.timeline({ sandbox: '*' })) {
          const { control } = partOf(opened, sandbox ?? undefined)
          const canRead = () => control.state({ before: id }).pets !== undefined
          // Rows above the first state have lost theirs.
          expect(attempt(canRead)).toBeOneOf([true, 409])
        }
      }),
      { numRuns: 1_000 * RUNS_FACTOR },
    )
    expect(refused).toBeGreaterThan((1_000 * RUNS_FACTOR) / 2)
  })

  it('that is refused leaves everything as it was', async () => {
    const mock = createMock({ sandbox: true })
    mock.answer(toCall('GET', '/v1/pets', undefined, 'some-key'))
    const text = mock.control.recording({ sandbox: '*' })
    const opened = startUsed()
    const before = readAll(opened)
    const changed = text.replace(/(?<="madeAt":)"[^"]*"/, NO_TIME)
    await expect(open(changed, opened)).rejects.toThrow('run.jsonl:1 recording.madeAt')
    expect(readAll(opened)).toEqual(before)
    await open(text, opened)
    expect(opened.control.sandboxes()).toEqual(['sandbox-1'])
  })

  it('whose states do not fit is refused, and leaves everything as it was', async () => {
    const large = createMock({ pets: [{ id: 1, name: 'x'.repeat(5_000), categoryId: 1 }] })
    const engine = createEngine(openOptions('createMock', {}), {}, createMemory(5_000))
    const before = readAll(engine.mock)
    await expect(open(large.control.recording(), engine.mock)).rejects.toMatchObject({
      status: 507,
    })
    expect(readAll(engine.mock)).toEqual(before)
  })

  it.each([
    ['', 'run.jsonl is not a recording'],
    ['{"format":1,', 'run.jsonl:1'],
    ['{"format":2,"rows":"?"}', 'newer'],
    ['{"name":"zoo"}', 'run.jsonl is not a recording'],
  ])('is not %j', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
