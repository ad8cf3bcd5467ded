// The Playwright kit with a mock that runs elsewhere behind a token, and with one that the worker
// starts: what it reports.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { readRecording } from '../../../src/scenario/recording/read.ts'
import { startCli } from '../../support/cli-process.ts'
import { createLinkedProject } from '../../support/example-project.ts'

const TOKEN = 'a-token-for-this-test'

interface Suite {
  readonly title: string
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly {
        readonly status: string
        readonly errors: readonly { readonly message: string }[]
        readonly attachments: readonly {
          readonly name: string
          readonly contentType: string
          readonly body: string
          readonly path?: string
        }[]
      }[]
    }[]
  }[]
}

/** What each test reported, by its name. */
const reports = new Map<string, string>()

const messages: string[] = []

/** The files of recordings, by the test. */
const recordings = new Map<string, string>()

/** The message without the lines of the test that follow it. */
function withoutCode(message: string): string {
  return message.replaceAll(/\n+(?: *>? *\d* \|.*| +at .*)(?=\n|$)/g, '')
}

function collect({ suites = [], specs }: Suite, names: readonly string[]): void {
  for (const spec of specs) {
    const result = spec.tests[0]?.results[0]
    messages.push(...(result?.errors ?? []).map(({ message }) => stripVTControlCharacters(message)))
    const errors = (result?.errors ?? []).map(({ message }) =>
      withoutCode(stripVTControlCharacters(message)),
    )
    const requestLogs = (result?.attachments ?? [])
      .filter(({ name }) => name === 'request-log')
      .map(
        ({ name, contentType, body }) =>
          `[${name}, ${contentType}]\n${Buffer.from(body, 'base64')}`,
      )
    for (const { name, path } of result?.attachments ?? [])
      if (name === 'recording') recordings.set(spec.title, path as string)
    const report = [result?.status, ...errors, ...requestLogs].join('\n')
    reports.set(
      [...names, spec.title].join(' › '),
      report
        .replaceAll(/127\.0\.0\.1:(?!1\b)\d+/g, '127.0.0.1:PORT')
        .replaceAll(/…[\w-]{4}/g, '…key')
        .replaceAll(/#\d+ (?=[A-Z])/g, '#N ')
        .replaceAll(/\nTo see it again: npx animal-store-mock open .*(?:\nOr open .*)?/g, ''),
    )
  }
  for (const suite of suites) collect(suite, [...names, suite.title])
}

it('the Playwright kit reports failures, with a mock elsewhere and with one that the worker starts', {
  timeout: 240_000,
}, async () => {
  const shared = await startCli(['--sandbox', '--control-token', TOKEN])
  const plain = await startCli(['--control-token', TOKEN])
  const listed = await startCli([
    '--sandbox',
    '--control-token',
    TOKEN,
    '--scenario',
    'empty',
    '--api-key',
    'qa-key',
  ])
  const { folder, run } = createLinkedProject('test/kits/runners/kit-playwright', [
    '@playwright/test',
    'animal-store-mock',
  ])
  const urls = { MOCK_URL: shared.url, PLAIN_MOCK_URL: plain.url, LISTED_MOCK_URL: listed.url }
  const env = { ...urls, MOCK_TOKEN: TOKEN, ANIMAL_STORE_URL: '', ANIMAL_STORE_CONTROL_TOKEN: '' }
  await expect(run('playwright test', env)).rejects.toThrow()
  for (const suite of JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).suites)
    collect(suite, [])
  const reportOf = (name: string) => reports.get(name)

  // Playwright shows the code that an error comes from: the test's, never ours.
  expect(messages.filter((message) => /dist[\\/]/.test(message))).toEqual([])

  const recorded = readFileSync(
    recordings.get('fails with its request log attached') as string,
    'utf8',
  )
  expect(readRecording(recorded, 'store.jsonl').starts.size).toBe(1)

  // Each test of the shared mock had a sandbox there, and removed it; another key has a separate
  // one.
  expect(reportOf('a mock that runs elsewhere › gives test 1 a sandbox with its scenario')).toBe(
    'passed',
  )
  expect(reportOf('a mock that runs elsewhere › gives test 2 a sandbox with its scenario')).toBe(
    'passed',
  )
  expect(reportOf('a mock that runs elsewhere › counts requests whose response is delayed')).toBe(
    'passed',
  )
  expect([...reports].find(([name]) => name.startsWith('a mock that lists keys'))?.[1]).toBe(
    'passed',
  )
  expect([...reports].find(([name]) => name.startsWith('a token is refreshed'))?.[1]).toBe('passed')
  for (const turn of [1, 2])
    expect(
      reportOf(
        `a sandbox of the worker › starts again with test ${turn}, and is chosen by a header`,
      ),
    ).toBe('passed')
  const sandboxes = await fetch(new URL('/__mock/sandboxes', shared.url), {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(await sandboxes.json()).toEqual(['another-key'])

  expect(
    reportOf('a mock that runs elsewhere › fails with its request log attached'),
  ).toMatchInlineSnapshot(`
    "failed
    Error: expect(store).toHaveReceived("listPets", {"query":{"limit":6}})

    Received 0 matching listPets requests within 50 ms. The nearest:
    #N GET /v1/pets?limit=5 → 200 (key …key)
        query.limit: expected "6", got "5"
    [request-log, text/plain]
    Request log of "a mock that runs elsewhere › fails with its request log attached": 1 request
      #N GET /v1/pets?limit=5 → 200 (key …key)
      The store answers requests to store.url, or to http://127.0.0.1:PORT/v1 with the API key of the test."
  `)
  expect(
    reportOf('a mock that runs elsewhere › hears of no request with another key'),
  ).toMatchInlineSnapshot(`
    "failed
    Error: expect(store).toHaveReceived("listPets")

    Received 0 requests within 50 ms.
    The store answers requests to store.url, or to http://127.0.0.1:PORT/v1 with the API key of the test.
    1 request came with the key …key.
    [request-log, text/plain]
    Request log of "a mock that runs elsewhere › hears of no request with another key": 0 requests
      The store answers requests to store.url, or to http://127.0.0.1:PORT/v1 with the API key of the test.
      1 request came with the key …key."
  `)
  expect(reportOf('a mock that runs elsewhere › sends what failOn forbids')).toMatchInlineSnapshot(`
    "failed
    Error: "a mock that runs elsewhere › sends what failOn forbids" did what failOn forbids:
      unknown-operation: #N GET /v1/pets/ → 404 (key …key)
          refused: Extra slash; did you mean /v1/pets?
      deprecated: #N GET /v1/pets/1 → 200 (key …key)
          assumes sunset-header
      bad-request: #N GET /v1/pets?limit=0 → 400 (key …key)
          refused: limit: expected an integer from 1 to 100, got 0
          assumes invalid-query
    [request-log, text/plain]
    Request log of "a mock that runs elsewhere › sends what failOn forbids": 3 requests
      #N GET /v1/pets/ → 404 (key …key)
          refused: Extra slash; did you mean /v1/pets?
      #N GET /v1/pets/1 → 200 (key …key)
          assumes sunset-header
      #N GET /v1/pets?limit=0 → 400 (key …key)
          refused: limit: expected an integer from 1 to 100, got 0
          assumes invalid-query
      GET /v1/pets?limit=0 got 400; with invalid-query=clamp it would get 200
      The store answers requests to store.url, or to http://127.0.0.1:PORT/v1 with the API key of the test."
  `)

  expect(reportOf('a mock of the worker › passes')).toBe('passed')
  expect(reportOf('a mock of the worker › counts requests whose response is delayed')).toBe(
    'passed',
  )
  expect(reportOf('a mock of the worker › fails with its request log attached')).toMatch(
    /^failed\nError: [\s\S]*\n\[request-log/,
  )
  expect(reportOf('a mock of the worker › sends a preflight as a page would, and fails')).toMatch(
    /\[request-log[\s\S]*\n +#N OPTIONS \/pets → 204\n +.*GET.*authorization$/,
  )
  // A matcher that is not awaited would otherwise always pass.
  const lines = readFileSync(join(folder, 'suite.playwright.ts'), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('// never comes')) + 1
  expect(
    messages.find((message) => message.includes('not awaited') && message.includes(`> ${line} |`)),
  ).toBeDefined()
  expect(reportOf('a mock of the worker › did not await a matcher')).toContain(
    'A matcher was not awaited; write: await expect(store).toHaveReceived("createPet")',
  )
  expect(
    reportOf('a mock of the worker › did not await a matcher that has failed already'),
  ).toContain('A matcher was not awaited')
  expect(
    reportOf('a mock of the worker › did not await a matcher, and failed otherwise'),
  ).not.toContain('not awaited')

  expect(reportOf('a mock of the worker › sends what failOn forbids')).toMatch(
    /deprecated: #N GET \/v1\/pets\/1 /,
  )
  expect(reportOf('a mock of the worker › plans a fault in vain')).toMatch(
    /unused-fault: 1: createPet /,
  )

  expect(reportOf('a mock that cannot be used › has another token')).toMatchInlineSnapshot(`
    "failed
    Error: withStore: http://127.0.0.1:PORT/v1: Wrong control token; pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN, or send Authorization: Bearer <token>"
  `)
  expect(reportOf('a mock that cannot be used › has no sandboxes')).toMatchInlineSnapshot(`
    "failed
    Error: withStore: http://127.0.0.1:PORT/v1: Sandboxes are off; start the mock with --sandbox, or sandbox: true"
  `)
  expect(reportOf('a mock that cannot be used › does not run')).toMatchInlineSnapshot(`
    "failed
    Error: withStore: http://127.0.0.1:1/v1: No mock responds at http://127.0.0.1:1"
  `)
})
