// What the documentation promises, each promise with its proof and the section that makes it. Limits are in limits.spec.ts, tables and
// commands in docs.spec.ts.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expandScenario } from '../../src/generate/index.ts'
import { serve } from '../../src/hosts/node/index.ts'
import { createFetch, createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { scenarios } from '../../src/scenarios.ts'
import { claim } from '../support/claims.ts'
import { runCli, startCli } from '../support/cli-process.ts'
import { pageOf, root, rowsOf } from '../support/documents.ts'
import { sendBytes } from '../support/raw-client.ts'
import { runHere } from '../support/run-here.ts'

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

const statusOf = async (options: MockOptions, ...sent: [path?: string, sent?: Sent]) => (await ask(createMock(options), ...sent)).status
const rex = { name: 'Rex', categoryId: 1 }
const usageError = expect.objectContaining({ name: 'UsageError' })

describe('the README', () => {
  claim('README.md#animal-store-mock', 'it remembers what you send', async () => {
    const mock = createMock()
    const steps = [...pageOf('README.md').text.matchAll(/^(GET|POST) \/v1(\S+) (?:(\{.*\}) )?→ (\d+) (.*)$/gm)]
    expect(steps).toHaveLength(2)
    for (const [, method = '', path, body, status, response = ''] of steps) {
      const sent = await ask(mock, path, { method, ...(body !== undefined && { body: JSON.parse(body) }) })
      expect([sent.status, sent.json]).toEqual([Number(status), JSON.parse(response)])
    }
  })
})

describe('testing', () => {
  claim('docs/testing.md#another-scenario-in-one-test', 'load replaces the options of createMock, reset returns to what was loaded', () => {
    const options: MockOptions = { apiKeys: ['k'], now: '2030-12-06', frozen: true, faults: [{ operation: '*', status: 503 }], latency: 5 }
    const { control } = createMock(options)
    const start = control.state()
    expect(start).toMatchObject({ ...options, now: '2030-12-06T00:00:00.000Z' })
    control.load(scenarios.single)
    control.reset()
    expect(control.state()).toEqual(createMock({ scenario: scenarios.single }).control.state())
    control.load(start)
    expect(control.state()).toEqual(start)
  })
  claim('docs/apps.md#64-bit-ids', 'scenarios and the control have bigints only where a number is not exact', () => {
    const { control } = createMock({ pets: [2n ** 53n - 1n, 2n ** 53n].map((id) => ({ id, ...rex })) })
    expect(control.state().pets?.map(({ id }) => typeof id)).toEqual(['number', 'bigint'])
  })
})

describe('requests', () => {
  claim('docs/requests.md#requests', 'requests are logged when they end, in the order in which they were sent', async () => {
    const mock = createMock({ faults: [{ operation: 'createPet', delay: 50 }] })
    const delayed = ask(mock, '/pets', { body: rex })
    await expect.poll(() => mock.control.summary().pets).toBe(19)
    await ask(mock, '/pets/19')
    expect(mock.control.requests().map(({ target }) => target)).toEqual(['/v1/pets/19'])
    await delayed
    expect(mock.control.requests().map(({ target }) => target)).toEqual(['/v1/pets', '/v1/pets/19'])
  })
})

describe('library', () => {
  claim('docs/library.md#createmockoptions', 'valid-keys=any accepts keys that apiKeys does not list', async () => {
    expect(await statusOf({ apiKeys: ['one'] }, '/pets', { key: 'two' })).toBe(401)
    expect(await statusOf({ apiKeys: ['one'], assume: { 'valid-keys': 'any' } }, '/pets', { key: 'two' })).toBe(200)
  })
  claim('docs/library.md#createfetchmock-options', 'createFetch differs from fetch in three ways and rejects other hosts', async () => {
    const aborting = new AbortController()
    const mock = createMock()
    const response = await mock.fetch('/v1/pets', { signal: aborting.signal })
    expect([response.url, response.statusText]).toEqual(['http://localhost/v1/pets', ''])
    aborting.abort()
    expect(await response.json()).toMatchObject({ status: 401 })
    await expect(createFetch(mock, { baseUrl: 'https://a.example/v1' })('https://b.example/v1/pets')).rejects.toThrow(TypeError)
  })
  claim('docs/library.md#createhandlersmock-options', 'the first address that matches counts', async () => {
    const fetchPets = createFetch(createMock(), { baseUrl: ['https://a.example', 'https://a.example/v1'] })
    expect((await fetchPets('https://a.example/v1/pets', { headers: { authorization: 'Bearer k' } })).status).toBe(404)
  })
})

describe('sandboxes', () => {
  const page = 'docs/sandboxes.md'
  claim(`${page}#without-a-key`, 'other changes reach no valid key, and new sandboxes start from the scenario', async () => {
    const mock = createMock({ sandbox: true })
    await ask(mock, '/pets', { key: 'old', body: rex })
    mock.control.faults.add({ operation: '*', status: 503 })
    mock.control.assume({ 'list-order': 'newest-first' })
    for (const key of ['old', 'new']) expect((await ask(mock, '/pets', { key })).json[0].id).toBe(1)
    mock.control.reset()
    expect((await ask(mock, '/pets?limit=100', { key: 'old' })).json).toHaveLength(19)
    await ask(mock, '/orders', { key: null })
    expect(mock.control.requests().map(({ status }) => status)).toEqual([404])
  })
})

describe('scenarios and faults', () => {
  claim('docs/faults.md#fields-of-a-fault', 'faults apply to operations that are called with a valid key', async () => {
    const mock = createMock({ scenario: scenarios.outage })
    expect((await ask(mock)).status).toBe(503)
    expect((await ask(mock, '/pets', { key: 'invalid' })).status).toBe(401)
    expect((await ask(mock, '/orders')).status).toBe(404)
    expect((await ask(mock, '/pets', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('the ranges', () => {
  const accepts = (scenario: object) => {
    try {
      return Boolean(expandScenario(scenario))
    } catch (error) {
      expect(error).toEqual(usageError)
      return false
    }
  }
  const fault = (status: number) => ({ faults: [{ operation: '*', status }] })
  it.each<[string, readonly object[], readonly object[]]>([
    ['`now` and the clock', [{ now: '1970-01-01' }, { now: '9999-12-31' }], [{ now: '1969-12-31' }]],
    ['`status` of a fault, `code` of `Prefer`', [fault(400), fault(599)], [fault(399), fault(600)]],
  ])('of docs/limits.md hold: %s', (value, inside, outside) => {
    expect(rowsOf('docs/limits.md', /./).map(([cell]) => cell)).toContain(value)
    expect(inside.map(accepts)).toEqual(inside.map(() => true))
    expect(outside.map(accepts)).toEqual(outside.map(() => false))
  })
})

describe('command line', () => {
  const page = 'docs/command-line.md'
  claim(`${page}#variables`, 'a list takes every word up to the next flag', async () => {
    const status =
      "fetch(process.env.ANIMAL_STORE_URL + '/pets', { headers: { authorization: 'Bearer two' } }).then((r) => process.exit(r.status - 193))"
    expect((await runCli(['exec', '--api-key', 'one', 'two', '--', process.execPath, '-e', status])).code).toBe(7)
  })
  claim(`${page}#output-and-exit-codes`, 'the banner goes to stderr, the log to stdout, without colours if piped', async () => {
    const running = await startCli([])
    await fetch(`${running.url}/pets`, { headers: { authorization: 'Bearer k' } })
    expect(await running.until('stdout', /\n/)).toContain('/v1/pets')
    expect(running.stdout()).not.toContain(running.url)
    expect(running.stdout() + running.stderr()).not.toContain('\u001b[')
  })
  claim(`${page}#output-and-exit-codes`, 'the exit code is 1 for problems, 2 for wrong usage, with exec that of the command', async () => {
    expect((await runHere(['scenarios', 'check', join(root, 'package.json')])).code).toBe(1)
    const { code, stderr } = await runHere(['--port', 'banana'])
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect((await runCli(['exec', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")'])).code).toBe(143)
  })
  claim(`${page}#output-and-exit-codes`, 'exec logs requests if its command fails, or with --log', async () => {
    const logged = async (code: number, ...flags: string[]) => {
      const script = `fetch(process.env.ANIMAL_STORE_URL + '/pets').then(() => process.exit(${code}))`
      return (await runCli(['exec', ...flags, '--', process.execPath, '-e', script])).stderr.includes('/v1/pets')
    }
    expect(await Promise.all([logged(0), logged(3), logged(0, '--log', 'pretty'), logged(0, '--log', 'json')])).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
  claim('docs/safety.md#safety', 'exec warns, prints the token, and hands it to the command', async () => {
    const script = 'console.log(process.env.ANIMAL_STORE_CONTROL_TOKEN)'
    const { stdout, stderr } = await runCli(['exec', '--host', '0.0.0.0', '--', process.execPath, '-e', script])
    expect(stdout).toMatch(/^[\w-]{32}\n$/)
    expect(stderr).toContain(stdout)
    expect(stderr).toContain('warning')
  })
})

describe('assumptions', () => {
  const page = 'docs/assumptions.md'
  claim(`${page}#assumptions-what-the-spec-leaves-open`, 'two assumptions have no alternative', () => {
    const fixed = createMock()
      .control.assumptions()
      .filter(({ choices }) => choices.length === 1)
    expect(fixed.map(({ id }) => id)).toEqual(['paging', 'unknown-category'])
  })
  claim(
    `${page}#assumptions-what-the-spec-leaves-open`,
    'the request log names assumptions, and so does X-Mock-Assumption if the status is undocumented',
    async () => {
      const mock = createMock()
      expect((await ask(mock, '/pets?limit=0')).headers.get('x-mock-assumption')).toBe('invalid-query')
      expect((await ask(mock, '/pets/abc')).headers.get('x-mock-assumption')).toBeNull()
      expect(mock.control.requests()[0]?.assumptions).toEqual(['invalid-query'])
    },
  )
  claim(`${page}#what-http-decides`, 'every status has an error body', async () => {
    const { port, close } = await serve(createMock())
    onTestFinished(close)
    const head = 'Host: x.localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n'
    const post = `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
    const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\n${head}${more}\r\n`
    const requests: Readonly<Record<string, string>> = {
      400: get('/v1/%zz'),
      404: get('/v1/orders'),
      405: get('/v1/pets').replace('GET', 'DELETE'),
      413: `${post}Content-Length: 1048577\r\n\r\n`,
      414: get(`/v1/pets?x=${'y'.repeat(9000)}`),
      415: `${post}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
      417: get('/v1/pets', 'Expect: tea\r\n'),
      431: get('/v1/pets', `X-Long: ${'x'.repeat(17_000)}\r\n`),
      501: `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      505: get('/v1/pets').replace('HTTP/1.1', 'HTTP/2.0'),
    }
    // A late request and a full world take long: limits.spec.ts has them.
    const [, section = ''] = pageOf(page).text.split('## What HTTP decides')
    const listed = new Set((section.split('## ', 1)[0] ?? '').match(/\b[45]\d\d\b/g))
    expect([...listed].filter((status) => !['408', '507'].includes(status)).sort()).toEqual(Object.keys(requests))
    for (const [status, request] of Object.entries(requests)) {
      const response = await sendBytes(port, request)
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ status: Number(status) })
    }
  })
  claim(`${page}#response-headers`, 'the mock sends no other header', async () => {
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
})
