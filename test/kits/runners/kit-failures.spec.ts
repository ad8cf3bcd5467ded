// What a test suite prints when it fails: the message of each failed test and the request logs,
// held by snapshots.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRecording } from '../../../src/scenario/recording/read.ts'

const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const SUITE = fileURLToPath(new URL('kit-failures/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kit-failures-'))
let output = ''
let messages: Record<string, string> = {}
let stacks: Record<string, string> = {}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

beforeAll(async () => {
  const REPORT = join(folder, 'report.json')
  const env = {
    ...process.env,
    REPORT,
    RECORDINGS: join(folder, 'recordings'),
    VITEST: '',
    NO_COLOR: '1',
  }
  output = await new Promise((resolve) => {
    execFile(process.execPath, [VITEST, 'run', '--root', SUITE], { env }, (_, stdout, stderr) =>
      resolve(stripVTControlCharacters(stdout + stderr)),
    )
  })
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  stacks = Object.fromEntries(
    tests.map(({ fullName, failureMessages }) => [fullName, failureMessages.join('\n')]),
  )
  messages = Object.fromEntries(
    tests.map(({ fullName, failureMessages }) => [
      fullName,
      withoutStack(failureMessages.join('\n')),
    ]),
  )
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function withoutStack(message: string): string {
  return message.replace(/\n {4}at .*/g, '')
}

function findLine(text: string): number {
  const lines = readFileSync(join(SUITE, 'failing.fixture.ts'), 'utf8').split('\n')
  return lines.findIndex((line) => line.includes(text)) + 1
}

/** What was printed of a test's request log, up to the empty line after it. */
function logOf(test: string): string | undefined {
  return new RegExp(`Request log of ${JSON.stringify(test)}[^]*?(?=\\n\\n)`).exec(output)?.[0]
}

it('a failed test has its own request log printed, keys redacted', () => {
  expect(logOf('a failed test > has its request log printed')).toMatchInlineSnapshot(`
    "Request log of "a failed test > has its request log printed": 2 requests
      #1 GET /v1/pets?limit=500&api_key=… → 400 (key …-key)
          refused: limit: expected an integer from 1 to 100, got 500
          "api_key" is not part of the API and was ignored
          assumes invalid-query
      #2 POST /v1/pets → 201 (key …-key)
          assumes default-status
          request body: {"name":"Max","categoryId":1}
      GET /v1/pets?limit=500&api_key=… got 400; with invalid-query=clamp it would get 200
      The store answers requests to https://api.example.com/v1."
  `)
  expect(logOf('a failed test > has the request log of that test alone')).toMatchInlineSnapshot(
    `
    "Request log of "a failed test > has the request log of that test alone": 0 requests
      The store answers requests to https://api.example.com/v1."
  `,
  )
})

it('each failed test has a recording, also of an equal name, and the line that opens it', () => {
  expect(readdirSync(join(folder, 'recordings'))).toHaveLength(2)
  const [, file = '', at] =
    /npx animal-store-mock open (\S+) --at (\d+)$/m.exec(logOf('a recorded test > fails') ?? '') ??
    []
  const { rows } = readRecording(readFileSync(file, 'utf8'), file)
  expect(rows.map(({ row }) => row)).toMatchObject([
    { method: 'faults.add' },
    { method: 'POST', status: 503, id: Number(at) },
  ])
})

it('a failed test has the address of its store, the requests that went elsewhere, and the keys of others', () => {
  const elsewhere = 'Requests went elsewhere: GET http://127.0.0.1:59999/v1/pets.'
  expect(messages['a failed test has the requests that went elsewhere named']).toContain(elsewhere)
  expect(logOf('a failed test > has the requests that went elsewhere named')).toContain(elsewhere)
  expect(logOf('a failed test with MSW > has the requests that went elsewhere named')).toContain(
    elsewhere,
  )
  expect(messages['a sandbox names the keys of other requests']).toContain(
    '1 request came with the key …-key',
  )
})

it('identical requests in a row are one line', () => {
  expect(logOf('a failed test > has a retry loop as one line')).toMatch(
    /: 3 requests\n {2}#\d+ GET \/v1\/pets\/99 → 404 .*, 3 times since #\d+\n/,
  )
})

it('a long request log is cut to its last twenty requests', () => {
  const lines =
    logOf('a failed test > has no more than the last twenty requests')?.split('\n') ?? []
  expect(lines[0]).toBe(
    'Request log of "a failed test > has no more than the last twenty requests": 21 requests, of which the last 20:',
  )
  expect(lines.filter((line) => line.includes('limit='))).toHaveLength(20)
  expect(lines[1]).toContain('limit=2 ')
})

it('a test that passes prints nothing', () => {
  expect(messages['a failed test passes and prints nothing']).toBe('')
  expect(logOf('a failed test > passes and prints nothing')).toBeUndefined()
})

it('failOn fails a test that sent a forbidden request, and names both', () => {
  expect(messages['failOn names an unknown path']).toMatchInlineSnapshot(`
    "Error: "failOn > names an unknown path" did what failOn forbids:
      unknown-operation: #1 GET /v1/pets/ → 404 (key …-key)
          refused: Extra slash; did you mean /v1/pets?"
  `)
  expect(messages['failOn names a deprecated operation']).toMatchInlineSnapshot(`
    "Error: "failOn > names a deprecated operation" did what failOn forbids:
      deprecated: #2 GET /v1/pets/1 → 200 (key …-key)
          assumes sunset-header"
  `)
  expect(messages['failOn names invalid requests']).toMatchInlineSnapshot(`
    "Error: "failOn > names invalid requests" did what failOn forbids:
      bad-request: #3 POST /v1/pets → 400 (key …-key)
          refused: name: expected a string, got 1; categoryId is required
          request body: {"name":1}
      bad-request: #4 GET /v1/pets?limit=0 → 400 (key …-key)
          refused: limit: expected an integer from 1 to 100, got 0
          assumes invalid-query"
  `)
  expect(messages['failOn names a body that is too large']).toMatch(
    /forbids:\n {2}bad-request: #\d+ POST \/v1\/pets → 413\n/,
  )
  expect(messages['failOn has nothing against others']).toBe('')
})

it('failOn fails a test whose fault was never applied', () => {
  expect(messages['failOn: unused-fault names a fault that was not applied']).toMatch(
    /unused-fault: 2: createPet /,
  )
  expect(messages['failOn: unused-fault has nothing against others']).toBe('')
})

it('failOn and the request log count a request for the test that sent it, even if its response comes later', () => {
  expect(
    messages['a response that comes when its test is over fails that test'],
  ).toMatchInlineSnapshot(`
    "Error: "a response that comes when its test is over > fails that test" did what failOn forbids:
      deprecated: #2 GET /v1/pets/1 → waiting (key …-key)
          assumes sunset-header"
  `)
  expect(messages['a response that comes when its test is over is nothing to the next one']).toBe(
    '',
  )
  expect(
    logOf('a response that comes when its test is over > is nothing to the next one'),
  ).toBeUndefined()
})

it('a matcher that is not awaited fails its test in one line, and no other test', () => {
  const [first, second] = ['fails its test', 'fails its test also if it has failed already'].map(
    (test) => messages[`a matcher that is not awaited ${test}`],
  )
  expect(first).toMatchInlineSnapshot(
    `"Error: A matcher was not awaited; write: await expect(store).toHaveReceived("createPet", {"body":{"name":"Rex"}})"`,
  )
  expect(second).toMatchInlineSnapshot(
    `"Error: A matcher was not awaited; write: await expect(store).not.toHaveReceived()"`,
  )
  expect(messages['a matcher that is not awaited ends with it']).toBe('')
  expect(
    messages['a matcher that is not awaited is not named in a test that has failed otherwise'],
  ).not.toContain('not awaited')
  expect(output).not.toMatch(/Unhandled (?:Error|Rejection)/)
})

it('a second store at the same time is refused, and the error points at its line', () => {
  expect(
    output.match(/Error: mockStore: another store is active; .*\n ❯ failing\.fixture\.ts:\d+:\d+/g),
  ).toHaveLength(2)
  expect(messages['a second store with MSW leaves the first alone']).toBe('')
  expect(messages['a second store for the same address leaves the first alone']).toBe('')
})

it('the error of a failed matcher points at its line alone', () => {
  const frames = (stacks['a failed test has its request log printed'] ?? '').match(/\n {4}at .*/g)
  expect(frames).toEqual([
    expect.stringContaining(
      `failing.fixture.ts:${findLine("toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })")}:`,
    ),
  ])
})

it('the error of failOn points at the line of mockStore', () => {
  const line = findLine("describe('failOn'") + 1
  expect(stacks['failOn names an unknown path']).toContain(`failing.fixture.ts:${line}:`)
})

it('the error of a matcher that is not awaited points at its line', () => {
  const line = findLine('wrong = expect(')
  expect(stacks['a matcher that is not awaited fails its test']).toContain(
    `failing.fixture.ts:${line}:`,
  )
})

it('a concurrent test without a key is refused, and the error says what to do', () => {
  expect(messages['a concurrent test needs a key']).toMatchInlineSnapshot(
    `"Error: "a concurrent test > needs a key" is a concurrent test; make it a plain test, or pass sandbox: true to mockStore, and call store.sandbox() in each test"`,
  )
})

it('a request that goes past the store fails its test, and the error says what to do', () => {
  const found = Object.entries(messages).filter(([name]) =>
    name.startsWith('a request past the store'),
  )
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
    {
      "a request past the store is named if fetch was taken before": "Error: Requests went past the store:
      GET http://api.invalid/v1/pets: its client took fetch before animal-store-mock/vitest was imported (import animal-store-mock/vitest first, or in the setup file of the runner), or does not use the global fetch (undici), or your own MSW server let it pass (use intercept: "fetch")",
      "a request past the store is named if it fails before its client ends it": "Error: Requests went past the store:
      GET http://api.invalid/v1/pets: its client does not use fetch; pass intercept: "msw", or let it use fetch (axios: adapter: "fetch")",
      "a request past the store is named if it goes to the same host": "Error: Requests went past the store:
      GET http://api.invalid/v2/pets: it is outside baseUrl",
      "a request past the store is named if it is not sent by fetch": "Error: Requests went past the store:
      GET http://api.invalid/v1/pets: its client does not use fetch; pass intercept: "msw", or let it use fetch (axios: adapter: "fetch")",
      "a request past the store is nothing to the next test, nor are other hosts": "",
      "a request past the store with MSW is named if fetch was taken before": "Error: Requests went past the store:
      GET http://api.invalid/v1/pets: its client took fetch before animal-store-mock/vitest was imported (import animal-store-mock/vitest first, or in the setup file of the runner), or does not use the global fetch (undici), or your own MSW server let it pass (use intercept: "fetch")",
      "a request past the store with MSW is not one that MSW answers": "",
    }
  `)
  expect(output).toContain('Requests went past the store:\n  GET http://api.invalid/v1/orders')
})

it('an unknown scenario is refused, and the error points at its store', () => {
  const line = findLine("scenario: 'sold-outt'")
  expect(output).toMatch(new RegExp(`did you mean sold-out\\?\n ❯ failing\\.fixture\\.ts:${line}:`))
})
