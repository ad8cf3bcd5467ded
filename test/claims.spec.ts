// Every default and promise of the documentation, as a test named after its sentence. Limits are in limits.spec.ts, tables and commands
// in docs.spec.ts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { remoteFlags } from '../src/cli/flags.ts'
import { expandScenario, generatePets } from '../src/generate/index.ts'
import { loadScenario, serve } from '../src/hosts/node/index.ts'
import { splitList } from '../src/hosts/parse-settings.ts'
import { createFetch, createMock, type Mock, type MockOptions } from '../src/index.ts'
import { scenarios } from '../src/scenarios.ts'
import { claim, elsewhere } from './support/claims.ts'
import { runCli, startCli } from './support/cli-process.ts'
import { pageOf, root, rowsOf } from './support/documents.ts'

interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(mock: Mock, path = '/pets', { method, key = 'any-key', body, headers = {} }: Sent = {}) {
  const response = await mock.fetch(`http://localhost/v1${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}

/** Sends bytes as they are, and returns all that comes back. */
function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk
      })
      .on('close', () => resolve(text))
      .on('error', reject)
  })
}

const statusOf = async (options: MockOptions, ...sent: [path?: string, sent?: Sent]) => (await ask(createMock(options), ...sent)).status
const rex = { name: 'Rex', categoryId: 1 }
const onDay = (day: string): MockOptions => ({ now: `${day}T12:00:00Z` })

describe('README', () => {
  claim('README.md', 'animals you add show up in lists, ids count up, filters filter, limits hold', async () => {
    const mock = createMock({ pets: [] })
    for (const status of ['sold', 'available', 'sold']) await ask(mock, '/pets', { body: { ...rex, status } })
    expect((await ask(mock, '/pets?status=sold')).json.map(({ id }: { id: number }) => id)).toEqual([1, 3])
    expect((await ask(mock, '/pets?limit=2')).json).toHaveLength(2)
  })
  claim('README.md', 'with `--sandbox` every API key gets a world of its own', async () => {
    const mock = createMock({ sandbox: true, pets: [] })
    await ask(mock, '/pets', { key: 'one', body: rex })
    expect((await ask(mock, '/pets', { key: 'one' })).json).toHaveLength(1)
    expect((await ask(mock, '/pets', { key: 'two' })).json).toEqual([])
  })
  claim('README.md', 'the fourteen questions that the spec leaves open are named, and each has a documented default', () => {
    const assumptions = createMock().control.assumptions()
    expect(assumptions).toHaveLength(14)
    for (const { id, default: chosen } of assumptions)
      expect(pageOf('docs/assumptions.md').text).toMatch(new RegExp(`\`${id}\`: .* \\| \`${chosen}\` \\|`))
  })
  claim('README.md', 'You need Node 20.19 or later', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines).toEqual({ node: '>=20.19' })
  })
  claim(
    'README.md',
    'The mock listens on http://127.0.0.1:7387/v1 with fifty animals and accepts any bearer token except the word `invalid`',
    async () => {
      expect((await runCli(['--help'])).stdout).toMatch(/--port.*\(default: 7387/s)
      const mock = createMock()
      expect((await ask(mock, '/pets?limit=100')).json).toHaveLength(50)
      expect((await ask(mock)).status).toBe(200)
      expect((await ask(mock, '/pets', { key: 'invalid' })).status).toBe(401)
    },
  )
})

describe('testing', () => {
  const page = 'docs/testing.md'
  claim(
    page,
    "Everything under it is answered; unknown paths and methods get the service's own 404 and 405.",
    elsewhere('test/msw.spec.ts', 'answer everything under it, unknown paths too'),
  )
  claim(
    page,
    'Without a `baseUrl`, `/v1/pets` and everything below it is answered on any origin, and all other requests pass through.',
    elsewhere('test/msw.spec.ts', "let an app's other APIs pass"),
  )
  claim(page, 'MSW 2 and 3 both work.', elsewhere('test/matrix/rows/node-and-msw.ts', "'3.0.4': ['22', '24', '26']"))
  claim(page, 'Your `server.use(…)` overrides win.', elsewhere('test/msw.spec.ts', 'stand behind an override, for as long as it lasts'))
  claim(
    page,
    'Without a clock setting of its own, a mock in the same process follows `vi.setSystemTime(…)`',
    elsewhere('test/fake-time.spec.ts', 'follows the system time that a test sets'),
  )
  claim(
    page,
    "The delays of faults and `latency` run on the test's timers with `mock.fetch`, `createFetch` and MSW handlers in the same process",
    elsewhere('test/fake-time.spec.ts', 'lets a delayed response of %s come by the time of the test'),
  )
  claim(
    page,
    'Those of `serve` run in real time, also under fake timers.',
    elsewhere('test/fake-time.spec.ts', 'lets a delayed response of the server come by the real time'),
  )
  claim(page, 'Mocks share nothing with each other.', async () => {
    const [one, two] = [createMock({ pets: [] }), createMock({ pets: [] })]
    await ask(one, '/pets', { body: rex })
    expect((await ask(two)).json).toEqual([])
  })
  claim(
    page,
    'What you passed to `createMock` (`apiKeys`, `now`, `assume`, `faults`, `latency`) goes with it, and `reset()` then restores the scenario that was loaded last.',
    () => {
      const options: MockOptions = {
        apiKeys: ['k'],
        now: '2030-12-06',
        frozen: true,
        assume: { 'list-order': 'newest-first' },
        faults: [{ operation: '*', status: 503 }],
        latency: 5,
      }
      const { control } = createMock(options)
      const start = control.state()
      expect(start).toMatchObject({ ...options, now: '2030-12-06T00:00:00.000Z' })
      control.load(scenarios.single)
      control.reset()
      expect(control.state()).toEqual(createMock({ scenario: scenarios.single }).control.state())
      control.load(start)
      expect(control.state()).toEqual(start)
    },
  )
  claim(page, '`control.requests()` returns the requests of a world in the order in which they were made.', async () => {
    const mock = createMock({ faults: [{ operation: 'createPet', delay: 50 }] })
    const delayed = ask(mock, '/pets', { body: rex })
    await expect.poll(() => mock.control.summary().pets).toBe(51)
    await ask(mock, '/pets/51')
    expect(mock.control.requests().map(({ target, status }) => [target, status])).toEqual([['/v1/pets/51', 200]])
    await delayed
    const [first, second] = mock.control.requests()
    expect([first?.target, second?.target]).toEqual(['/v1/pets', '/v1/pets/51'])
    expect(Date.parse(first?.at as string)).toBeLessThanOrEqual(Date.parse(second?.at as string))
  })
  claim(page, 'a request for `/api/v1/pets` has the target `/v1/pets`. The origin is not kept.', async () => {
    const mock = createMock()
    await createFetch(mock, { baseUrl: 'https://b.example/api/v1' })('https://b.example/api/v1/pets')
    expect(mock.control.requests()[0]?.target).toBe('/v1/pets')
    expect(JSON.stringify(mock.control.requests())).not.toContain('b.example')
  })
  claim(
    page,
    '`request.headers` has the headers by their names in lower case, without cookies, and of every key only its end',
    async () => {
      const mock = createMock()
      const sent = await ask(mock, '/pets', { body: rex, headers: { accept: 'text/html', 'x-request-id': '1', prefer: 'code=418' } })
      const [entry] = mock.control.requests()
      expect(entry?.request.headers).toMatchObject({ 'content-type': 'application/json', prefer: 'code=418', 'x-request-id': '1' })
      expect(entry?.request.headers.authorization).toMatch(/^Bearer ….{0,4}$/)
      expect(Object.keys(entry?.response.headers ?? {}).map((name) => name.toLowerCase())).toEqual(
        expect.arrayContaining([...sent.headers.keys()]),
      )
    },
  )
  claim(
    page,
    "MSW's service worker does not tell the page that a request was aborted, so in a browser it is delayed to the end and journalled as `sent`",
    elsewhere('test/browser/worker.spec.ts', 'do not hear of an abort, which the worker keeps to itself'),
  )
  claim(page, 'a relative address such as `/v1/pets` is resolved against `http://localhost` instead of being rejected', async () => {
    const response = await createMock().fetch('/v1/pets', { headers: { authorization: 'Bearer k' } })
    expect([response.status, response.url]).toEqual([200, 'http://localhost/v1/pets'])
  })
  claim(
    page,
    '`statusText` is empty; response headers can be changed; and once the response is there, an abort no longer stops its body',
    async () => {
      const aborting = new AbortController()
      const response = await createMock().fetch('http://localhost/v1/pets', { signal: aborting.signal })
      expect(response.statusText).toBe('')
      response.headers.set('x-new', '1')
      expect(response.headers.get('x-new')).toBe('1')
      aborting.abort()
      expect(await response.json()).toMatchObject({ status: 401 })
    },
  )
  claim(page, 'are exact: `number | bigint`, a bigint only where a number would not be.', () => {
    const { control } = createMock({
      pets: [
        { id: 2n ** 53n - 1n, ...rex },
        { id: 2n ** 53n, ...rex },
      ],
    })
    expect(control.state().pets?.map(({ id }) => typeof id)).toEqual(['number', 'bigint'])
  })
  claim(
    page,
    '`createFetch(mock, { baseUrl })` makes a `fetch` that answers only under these addresses and rejects all others.',
    async () => {
      const fetchPets = createFetch(createMock(), { baseUrl: 'https://api.example.com/v1' })
      const headers = { authorization: 'Bearer k' }
      expect((await fetchPets('https://api.example.com/v1/pets', { headers })).status).toBe(200)
      await expect(fetchPets('https://other.example.com/v1/pets', { headers })).rejects.toThrow(TypeError)
    },
  )
  claim(page, 'Without a `port` it picks a free one.', async () => {
    const { port, close } = await serve(createMock())
    onTestFinished(close)
    expect(port).toBeGreaterThan(0)
  })
  claim(page, 'created from the loaded scenario on first use: its own animals, ids, clock, faults, assumptions and journal', () => {
    const { control } = createMock({ sandbox: true, scenario: scenarios.single })
    const [one, two] = [control.sandbox('one'), control.sandbox('two')]
    one.faults.add({ operation: '*', status: 503 })
    one.clock.set('2030-12-06')
    one.assume({ 'list-order': 'newest-first' })
    expect(two.faults.list()).toEqual([])
    expect(two.clock.get().now).not.toContain('2030')
    expect(two.assumptions().find(({ id }) => id === 'list-order')?.choice).toBe('oldest-first')
    expect(two.state()).toMatchObject({ name: 'single', pets: scenarios.single.pets })
  })
  claim(page, 'sandboxes created from then on start from that scenario; existing ones keep theirs', async () => {
    const mock = createMock({ sandbox: true })
    await ask(mock, '/pets', { key: 'old' })
    mock.control.load(scenarios.single)
    expect((await ask(mock, '/pets?limit=100', { key: 'old' })).json).toHaveLength(50)
    expect((await ask(mock, '/pets?limit=100', { key: 'new' })).json).toHaveLength(1)
    mock.control.sandbox('old').reset()
    expect(mock.control.sandbox('old').summary()).toMatchObject({ scenario: 'default', pets: 50 })
    mock.control.removeSandbox('old')
    expect((await ask(mock, '/pets?limit=100', { key: 'old' })).json).toHaveLength(1)
  })
  claim(page, 'resets the base world only; sandboxes, existing and new, are as before', async () => {
    const mock = createMock({ sandbox: true })
    await ask(mock, '/pets', { key: 'old', body: rex })
    mock.control.reset()
    expect((await ask(mock, '/pets?limit=100', { key: 'old' })).json).toHaveLength(51)
    expect((await ask(mock, '/pets?limit=100', { key: 'new' })).json).toHaveLength(50)
  })
  claim(page, 'change the base world only, so no request notices; put them in a scenario and load it, or name a key', async () => {
    const mock = createMock({ sandbox: true })
    const seen = async (key: string) => {
      const { status, json } = await ask(mock, '/pets', { key })
      return [status, json[0]?.id, (await ask(mock, '/pets/1', { key })).status]
    }
    await ask(mock, '/pets', { key: 'old' })
    mock.control.faults.add({ operation: '*', status: 503 })
    mock.control.clock.set('2030-12-06')
    mock.control.assume({ 'list-order': 'newest-first' })
    for (const key of ['old', 'new']) expect(await seen(key)).toEqual([200, 1, 200])
    mock.control.load({ ...scenarios.default, now: '2030-12-06', assume: { 'list-order': 'newest-first' } })
    expect(await seen('newest')).toEqual([200, 50, 404])
    mock.control.sandbox('old').faults.add({ operation: '*', status: 503 })
    expect((await ask(mock, '/pets', { key: 'old' })).status).toBe(503)
  })
  claim(page, 'only requests without a valid key, which got 401 or 404', async () => {
    const mock = createMock({ sandbox: true })
    await ask(mock, '/pets', { key: 'one' })
    await ask(mock, '/pets', { key: 'invalid' })
    await ask(mock, '/orders', { key: null })
    expect(mock.control.requests().map(({ status }) => status)).toEqual([401, 404])
  })
})

describe('library', () => {
  const page = 'docs/library.md'
  claim(page, 'an invalid scenario throws a `UsageError` and changes nothing', () => {
    const { control } = createMock()
    const before = control.state()
    expect(() => control.load({ pets: [{ id: 1 } as never] })).toThrow(expect.objectContaining({ name: 'UsageError' }))
    expect(control.state()).toEqual(before)
  })
  claim(page, "the animals, instead of the scenario's; its `nextId` no longer applies, its name stays", () => {
    const { control } = createMock({ scenario: { ...scenarios.single, nextId: 900 }, pets: [{ id: 7, ...rex }] })
    expect(control.state()).toMatchObject({ name: 'single', pets: [{ id: 7, ...rex }], nextId: 8 })
  })
  claim(page, 'merged with the scenario', () => {
    const scenario = { assume: { 'list-order': 'newest-first', 'media-type': 'unsupported' } } as const
    const { control } = createMock({ scenario, assume: { 'list-order': 'oldest-first' } })
    expect(control.state().assume).toMatchObject({ 'list-order': 'oldest-first', 'media-type': 'unsupported' })
  })
  claim(page, "faults that are tried before the scenario's own", async () => {
    const scenario = { faults: [{ operation: '*', status: 500 }] } as const
    expect(await statusOf({ scenario, faults: [{ operation: '*', status: 503 }] })).toBe(503)
  })
  claim(page, '`answer` is synchronous and waits for nothing', () => {
    const { answer } = createMock({ latency: 60_000 })
    const { status, delay } = answer({ method: 'GET', target: '/v1/pets', header: () => 'Bearer k' })
    expect([status, delay]).toEqual([200, 60_000])
  })
  claim(
    page,
    'A listener that throws, or an async one that rejects, does not disturb the request or the other listeners',
    elsewhere('src/control/events.test.ts', 'go on after a listener that throws, whose error is uncaught'),
  )
  claim(page, 'Of several addresses the first that matches counts', async () => {
    const fetchPets = createFetch(createMock(), { baseUrl: ['https://a.example', 'https://a.example/v1'] })
    expect((await fetchPets('https://a.example/v1/pets', { headers: { authorization: 'Bearer k' } })).status).toBe(404)
  })
  claim(page, '`expandScenario({ generate: { count: 40, seed: 7 } })` gives a scenario of forty animals.', () => {
    expect(expandScenario({ generate: { count: 40, seed: 7 } })).toEqual({ pets: generatePets({ count: 40, seed: 7 }) })
  })
  claim(page, 'They are frozen; spread one to change it', () => {
    expect(Object.values(scenarios).every(Object.isFrozen)).toBe(true)
    expect(createMock({ scenario: { ...scenarios['sold-out'], now: '2030-12-06' } }).control.clock.get().now).toContain('2030-12-06')
  })
})

describe('scenarios', () => {
  const page = 'docs/scenarios.md'
  claim(
    page,
    '`snapshot` writes the whole world as a scenario that loads back into the same world',
    elsewhere('test/control/control.spec.ts', 'loads its own state back into the same world, in the middle of a run'),
  )
  claim(page, 'The same seed gives the same animals on every machine, and asking for more never changes the earlier ones.', () => {
    expect(generatePets({ seed: 7, count: 100 }).slice(0, 25)).toEqual(
      JSON.parse(readFileSync(join(root, 'src/generate/generate-pets.golden.json'), 'utf8')),
    )
  })
  claim(page, 'to requests with a valid key', async () => {
    expect(await statusOf({ faults: [{ operation: '*', status: 503 }] }, '/pets', { key: 'invalid' })).toBe(401)
    expect(await statusOf({ faults: [{ operation: '*', status: 503 }] })).toBe(503)
  })
  claim(page, '`after` skips the first calls, `times` limits how often it is applied', async () => {
    const mock = createMock({ faults: [{ operation: 'listPets', status: 503, after: 1, times: 2 }] })
    const statuses: number[] = []
    for (let call = 0; call < 5; call++) statuses.push((await ask(mock)).status)
    expect(statuses).toEqual([200, 503, 503, 200, 200])
  })
  claim(page, "Probability comes from the world's own seeded generator, so a run repeats exactly.", async () => {
    const run = async () => {
      const mock = createMock({ faults: [{ operation: '*', status: 503, rate: 0.5 }] })
      const statuses: number[] = []
      for (let call = 0; call < 40; call++) statuses.push((await ask(mock)).status)
      return statuses
    }
    const statuses = await run()
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(await run()).toEqual(statuses)
  })
  claim(page, 'a delay adds up and the next fault is tried, a status or a drop ends it', () => {
    const { answer } = createMock({
      faults: [
        { operation: '*', delay: 20 },
        { operation: '*', delay: 30 },
        { operation: '*', status: 503 },
        { operation: '*', status: 500 },
      ],
    })
    const { status, delay } = answer({ method: 'GET', target: '/v1/pets', header: () => 'Bearer k' })
    expect({ status, delay }).toEqual({ status: 503, delay: 50 })
  })
  claim(
    page,
    '`drop`, without a value, cuts the connection. A preference that makes no sense is ignored, with a note in the journal.',
    async () => {
      const mock = createMock()
      await expect(ask(mock, '/pets', { headers: { prefer: 'drop' } })).rejects.toThrow(TypeError)
      expect((await ask(mock, '/pets', { headers: { prefer: 'code=200' } })).status).toBe(200)
      expect(mock.control.requests().map(({ outcome, notes }) => [outcome, notes.length])).toEqual([
        ['dropped', 0],
        ['sent', 1],
      ])
    },
  )
  claim(
    page,
    'A scenario that extends another takes everything over from it but the name and the description',
    elsewhere('src/scenario/expand.test.ts', 'replaces animals and next id together, by pets or by generate'),
  )
  claim(page, '`extends` only with the name of a shipped scenario; `seed` sends a file already resolved', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'claims-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'parent.yaml'), 'generate: { count: 3 }\n')
    writeFileSync(join(folder, 'child.yaml'), 'name: child\nextends: parent.yaml\n')
    const { url, controlUrl, close } = await serve(createMock())
    onTestFinished(close)
    expect((await runCli(['seed', '--url', url, join(folder, 'child.yaml')])).stdout).toContain('3 animals')
    const put = (text: string) =>
      fetch(`${controlUrl}/scenario`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ file: 'a.yaml', text }),
      })
    expect((await put('extends: parent.yaml\n')).status).toBe(400)
    expect((await put('extends: empty\n')).status).toBe(200)
  })
  claim(
    page,
    '`--latency` and `latency` delay every response of the service, errors included, but never the control API',
    elsewhere('test/latency.spec.ts', "['a missing key', 401, { key: null }]"),
  )
  claim(page, '`getPet` is due to be removed on 5 December 2030.', async () => {
    expect(await statusOf(onDay('2030-12-05'), '/pets/1')).toBe(200)
    expect(await statusOf(onDay('2030-12-06'), '/pets/1')).toBe(404)
  })
  claim(page, 'The `Date` header and the journal follow this clock.', async () => {
    const mock = createMock(onDay('2030-12-06'))
    expect((await ask(mock)).headers.get('date')).toMatch(/^Fri, 06 Dec 2030 12:00:0\d GMT$/)
    expect(mock.control.requests()[0]?.at).toMatch(/^2030-12-06T12:00:0/)
  })
  claim(
    page,
    'Until it is set or frozen it follows the system time, also one that a test sets; after that, setting the system time no longer moves it.',
    elsewhere('test/fake-time.spec.ts', 'keeps a clock that was set apart from the real one, and moves it along'),
  )
  claim(page, 'near misses such as a path without `/v1` or a query parameter that the API does not have', async () => {
    const mock = createMock()
    await mock.fetch('http://localhost/pets')
    await ask(mock, '/pets?page=2')
    expect(mock.control.requests().map(({ notes }) => notes.length)).toEqual([1, 1])
  })
  claim(page, 'Of a key only the last four characters are shown, and nothing if it has no more than four.', async () => {
    const mock = createMock()
    await ask(mock, '/pets', { key: 'a-long-secret-key' })
    expect(mock.control.requests()[0]?.key).toMatch(/^[^a-z]*-key$/)
    await ask(mock, '/pets', { key: 'abcd' })
    expect(mock.control.requests()[1]?.key).toBe('…')
  })
})

describe('scenario files', () => {
  claim(
    'docs/scenarios.md',
    "In Node, `loadScenario('scenario.yaml')` from `animal-store-mock/node` reads a file into a value",
    async () => {
      const scenario = await loadScenario(join(root, 'fixtures/single.yaml'))
      expect(createMock({ scenario }).control.summary()).toMatchObject({ scenario: 'single', pets: 1 })
    },
  )
  claim(
    'docs/scenarios.md',
    'whatever it accepts, `createMock`, `--scenario` and `seed` load.',
    elsewhere('test/scenario-truth.spec.ts', 'gets the verdict of `check`'),
  )
  claim(
    'docs/scenarios.md',
    '`check` names every problem with its path, and in YAML with its line,',
    elsewhere('src/scenario/read.test.ts', 'names every problem of a YAML file with its line'),
  )
})

describe('ranges', () => {
  const page = 'docs/limits.md'
  const accepts = (scenario: object) => {
    try {
      return Boolean(expandScenario(scenario))
    } catch (error) {
      expect(error).toMatchObject({ name: 'UsageError' })
      return false
    }
  }
  it.each<[string, readonly object[], readonly object[]]>([
    ['| `now` and the clock | 1970 to 9999 |', [{ now: '1970-01-01' }, { now: '9999-12-31' }], [{ now: '1969-12-31' }]],
    [
      '| `generate.seed` | ±(2^53 − 1) |',
      [{ generate: { count: 1, seed: 2 ** 53 - 1 } }, { generate: { count: 1, seed: 1 - 2 ** 53 } }],
      [{ generate: { count: 1, seed: 2 ** 53 } }, { generate: { count: 1, seed: -(2 ** 53) } }],
    ],
    [
      '| weights in `generate.status` | 0 to 1,000,000,000 |',
      [{ generate: { count: 1, status: { sold: 1e9, pending: 0 } } }],
      [{ generate: { count: 1, status: { sold: 1e9 + 1 } } }, { generate: { count: 1, status: { sold: -1 } } }],
    ],
    [
      '| `random` | −2,147,483,648 to 2,147,483,647 |',
      [{ random: -(2 ** 31) }, { random: 2 ** 31 - 1 }],
      [{ random: -(2 ** 31) - 1 }, { random: 2 ** 31 }],
    ],
    [
      '| `status` of a fault, `code` of `Prefer` | 400 to 599 |',
      [{ faults: [{ operation: '*', status: 400 }] }, { faults: [{ operation: '*', status: 599 }] }],
      [{ faults: [{ operation: '*', status: 399 }] }, { faults: [{ operation: '*', status: 600 }] }],
    ],
  ])('%s', (row, inside, outside) => {
    expect(pageOf(page).text).toContain(row)
    expect(inside.map(accepts)).toEqual(inside.map(() => true))
    expect(outside.map(accepts)).toEqual(outside.map(() => false))
  })
  claim(page, '| `journal.entries` of createMock | 0 to 100,000 |', () => {
    for (const entries of [0, 100_000]) expect(createMock({ journal: { entries } }).control.requests()).toEqual([])
    expect(() => createMock({ journal: { entries: 100_001 } })).toThrow(expect.objectContaining({ name: 'UsageError' }))
  })
})

describe('command line', () => {
  const page = 'docs/command-line.md'
  claim(
    page,
    'Every flag can be set by a variable: `--api-key` by `ANIMAL_STORE_API_KEY`, and so on;',
    elsewhere('test/cli/serve.spec.ts', 'takes its flags from variables too'),
  )
  claim(page, '`--sandbox <key>` is `ANIMAL_STORE_SANDBOX_KEY`', () => {
    const variables = Object.entries(remoteFlags).flatMap(([name, flag]) => ('variable' in flag ? [[name, flag.variable]] : []))
    expect(variables.filter(([name, variable]) => name?.toUpperCase() !== variable)).toEqual([['sandbox', 'SANDBOX_KEY']])
  })
  claim(page, 'a list is separated by commas or spaces', () => {
    expect(splitList('one,two three')).toEqual(['one', 'two', 'three'])
  })
  claim(page, 'take every word up to the next flag: `--api-key one two`. In `exec`, `--` comes before the command.', async () => {
    const status =
      "fetch(process.env.ANIMAL_STORE_URL + '/pets', { headers: { authorization: 'Bearer two' } }).then((r) => process.exit(r.status - 193))"
    expect((await runCli(['exec', '--api-key', 'one', 'two', '--', process.execPath, '-e', status])).code).toBe(7)
  })
  claim(page, 'The banner with the address goes to stderr, a line for each request to stdout.', async () => {
    const running = await startCli([])
    await fetch(`${running.url}/pets`, { headers: { authorization: 'Bearer k' } })
    expect(await running.until('stdout', /\n/)).toContain('/v1/pets')
    expect(running.stdout()).not.toContain(running.url)
  })
  claim(
    page,
    'If it is taken, the next free one is used; a port given with `--port` is used or the start fails',
    elsewhere('test/cli/serve.spec.ts', 'moves on from the default port when that is taken'),
  )
  claim(
    page,
    '2: it could not be done: wrong usage, no mock at `--url`, a port in use, a file that cannot be written; explained in plain lines without a stack.',
    async () => {
      const { code, stderr } = await runCli(['--port', 'banana'])
      expect(code).toBe(2)
      expect(stderr).not.toMatch(/^\s+at /m)
    },
  )
  claim(page, '1: a check found problems.', async () => {
    expect((await runCli(['scenarios', 'check', join(root, 'package.json')])).code).toBe(1)
  })
  claim(page, 'Inside it, our own commands find the mock by `ANIMAL_STORE_URL`.', async () => {
    const { stdout } = await runCli([
      'exec',
      '--scenario',
      'single',
      '--',
      process.execPath,
      join(root, 'bin/animal-store-mock.js'),
      'status',
    ])
    expect(stdout).toContain('single')
  })
  claim(page, 'Colours are used only on a terminal, and never with `NO_COLOR`.', async () => {
    const running = await startCli([])
    await fetch(`${running.url}/pets`)
    await running.until('stdout', /\n/)
    // No terminal here; colours on one are in log-line.test.ts.
    expect(running.stdout() + running.stderr()).not.toContain('\u001b[')
  })
  claim(page, "`exec` returns the command's exit code.", async () => {
    expect((await runCli(['exec', '--', process.execPath, '-e', 'process.exit(7)'])).code).toBe(7)
  })
  claim(
    page,
    'exits with 0 within two seconds; a second signal exits at once',
    elsewhere('test/robustness/stopping.spec.ts', 'does not wait any longer on a second signal'),
  )
})

describe('assumptions', () => {
  const page = 'docs/assumptions.md'
  claim(page, 'Two of them have no alternative', () => {
    expect(
      createMock()
        .control.assumptions()
        .filter(({ choices }) => choices.length === 1)
        .map(({ id }) => id),
    ).toEqual(['paging', 'unknown-category'])
  })
  claim(page, 'A response that rests on an assumption says so in its journal entry.', async () => {
    const mock = createMock()
    await ask(mock, '/pets?limit=0')
    expect(mock.control.requests()[0]?.assumptions).toEqual(['invalid-query'])
  })
  claim(page, 'If its status is one that the operation does not document, it also carries the header `X-Mock-Assumption`.', async () => {
    expect((await ask(createMock(), '/pets?limit=0')).headers.get('x-mock-assumption')).toBe('invalid-query')
    expect((await ask(createMock(), '/pets/abc')).headers.get('x-mock-assumption')).toBeNull()
  })
  claim(page, '`a:b` or `ü` are not well-formed', async () => {
    expect(await statusOf({}, '/pets', { key: 'a:b' })).toBe(401)
    expect(
      createMock().answer({ method: 'GET', target: '/v1/pets', header: (name) => (name === 'authorization' ? 'Bearer ü' : undefined) })
        .status,
    ).toBe(401)
  })
  claim(page, 'As soon as keys are listed, with `--api-key` or `apiKeys`, exactly those are valid.', async () => {
    expect(await statusOf({ apiKeys: ['invalid'] }, '/pets', { key: 'invalid' })).toBe(200)
    expect(await statusOf({ apiKeys: ['invalid'] }, '/pets', { key: 'other' })).toBe(401)
  })
  it('What HTTP decides: every status of the table, with an error body', async () => {
    const { port, close } = await serve(createMock())
    onTestFinished(close)
    const post =
      'POST /v1/pets HTTP/1.1\r\nHost: x.localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nConnection: close\r\n'
    const get = (target: string, more = '') =>
      `GET ${target} HTTP/1.1\r\nHost: x.localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n${more}\r\n`
    const requests: Readonly<Record<string, string>> = {
      400: get('/v1/%zz'),
      404: get('/v1/orders'),
      405: get('/v1/pets').replace('GET', 'DELETE'),
      413: `${post}Content-Length: 1048577\r\n\r\n`,
      414: get(`/v1/pets?x=${'y'.repeat(9000)}`),
      415: `${post}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
      417: get('/v1/pets', 'Expect: tea\r\n'),
      431: get('/v1/pets', `X-Long: ${'x'.repeat(17_000)}\r\n`),
      505: get('/v1/pets').replace('HTTP/1.1', 'HTTP/2.0'),
      501: `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    }
    const listed = rowsOf(page, /^\d{3}$/).map(([status = '']) => status)
    // A late request and a full world take long: limits.spec.ts has them.
    expect(listed.filter((status) => !['408', '507'].includes(status))).toEqual(Object.keys(requests))
    for (const [status, request] of Object.entries(requests)) {
      const response = await sendBytes(port, request)
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ status: Number(status) })
    }
  })
  claim(page, 'The mock sends these, and nothing else that a client could come to rely on', async () => {
    const documented = [...pageOf(page).text.matchAll(/`([A-Z][\w-]+)(?:: [\w-]+)?`/g)].map(([, name = '']) => name.toLowerCase())
    const mock = createMock()
    const origin = { origin: 'http://localhost:3000' }
    const replies = [
      await ask(mock, '/pets', { headers: origin }),
      await ask(mock, '/pets/1'),
      await ask(mock, '/pets', { key: null }),
      await ask(mock, '/pets', { body: rex }),
      await ask(mock, '/pets/1', { method: 'DELETE' }),
      await ask(mock, '/pets', { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'GET' } }),
      await ask(mock, '/pets?limit=0'),
      await ask(mock, '/pets', { headers: { prefer: 'code=503' } }),
    ]
    const sent = new Set(replies.flatMap(({ headers }) => [...headers.keys()]).filter((name) => !name.startsWith('access-control-')))
    expect([...sent].filter((name) => !documented.includes(name))).toEqual([])
  })

  it.each([
    ['limit=0', 1],
    ['limit=1000', 50],
    ['limit=abc', 20],
    ['limit=3&limit=7', 3],
    ['status=gone', 0],
  ])('clamp of ?%s is as spec/assumptions.yaml has it: %i animals', async (query, count) => {
    expect((await ask(createMock({ assume: { 'invalid-query': 'clamp' } }), `/pets?${query}`)).json).toHaveLength(count)
  })

  it('clamp of a repeated status takes the first, as spec/assumptions.yaml has it', async () => {
    const { json } = await ask(createMock({ assume: { 'invalid-query': 'clamp' } }), '/pets?status=sold&status=pending')
    expect(new Set(json.map(({ status }: { status: string }) => status))).toEqual(new Set(['sold']))
  })

  it.each([
    ['not-found', 404],
    ['gone', 410],
  ] as const)(
    'a removed operation with %s is %i, but 401 without a key and 405 for another method, as spec/assumptions.yaml has it',
    async (choice, status) => {
      const options: MockOptions = { ...onDay('2030-12-06'), assume: { 'removed-answer': choice } }
      expect(await statusOf(options, '/pets/1')).toBe(status)
      expect(await statusOf(options, '/pets/1', { key: null })).toBe(401)
      expect(await statusOf(options, '/pets/1', { method: 'DELETE' })).toBe(405)
    },
  )

  it('Sunset is the start of the removal date, on which getPet still works, as spec/assumptions.yaml has it', async () => {
    const { status, headers } = await ask(createMock(onDay('2030-12-05')), '/pets/1')
    expect([status, headers.get('sunset')]).toEqual([200, 'Thu, 05 Dec 2030 00:00:00 GMT'])
  })
})

describe('control API', () => {
  const page = 'docs/control-api.md'
  claim(
    page,
    'A write needs `Content-Type: application/json`, or without a body the header `X-Mock-Control: 1`',
    elsewhere('test/control/control-safety.spec.ts', 'a write with neither a type nor the header is refused on every route'),
  )
  claim(page, 'Requests from pages of other origins get no CORS headers from the control API and are rejected with 403.', async () => {
    const { controlUrl, close } = await serve(createMock())
    onTestFinished(close)
    const response = await fetch(`${controlUrl}/health`, { headers: { origin: 'https://evil.example' } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
  claim(page, '`--no-control` turns the control API and the console off.', elsewhere('test/cli/serve.spec.ts', 'with --no-control'))
  claim(page, 'The mock binds the loopback addresses only.', elsewhere('test/node-server.spec.ts', 'listens on both loopback addresses'))
  claim(
    page,
    'A request is rejected with 403 unless its `Host` is `localhost`, a name ending in `.localhost`, an IP address, the bound name or one given with `--allowed-host`.',
    async () => {
      const { port, close } = await serve(createMock(), { allowedHosts: ['mock.example'] })
      onTestFinished(close)
      const statusFor = async (host: string) =>
        /^HTTP\/1\.1 (\d+)/.exec(await sendBytes(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))?.[1]
      for (const host of ['localhost', 'a.localhost:80', '8.8.8.8', 'mock.example']) expect(await statusFor(host)).toBe('200')
      for (const host of ['evil.example', 'localhost.evil.example']) expect(await statusFor(host)).toBe('403')
    },
  )
  claim(
    page,
    'it prints a warning, and the control API then needs a token',
    elsewhere('test/cli/serve.spec.ts', 'warns when others can reach it, and asks for a token then'),
  )
})
