// Secrets that are sent where secrets belong, or under the name of one, are in none of the places
// where people look: logs, request log, events. docs/safety.md names the places where a key or a
// token is shown on purpose.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { toCall } from '../support/call.ts'
import { createFolder, startCli } from '../support/cli-process.ts'
import { checkProperty } from '../support/property.ts'
import { createRawClient, type RawRequest } from '../support/raw-client.ts'
import { runHere } from '../support/run-here.ts'

const JSON_TYPE = ['Content-Type', 'application/json'] as const
const FORM_TYPE = ['Content-Type', 'application/x-www-form-urlencoded'] as const
const KEY = ['Authorization', 'Bearer any-other-key'] as const

/**
 * This many characters of a secret count as a leak; a text rarely has as many of them by chance.
 */
const BEGINNING = 12

/** Every place for a credential, and places with the name of one. */
const PLACES: Readonly<Record<string, (secret: string) => RawRequest>> = {
  'the key': (secret) => ({ fields: [['Authorization', `Bearer ${secret}`]] }),
  'another scheme': (secret) => ({ fields: [['Authorization', `Basic ${secret}`]] }),
  'a proxy': (secret) => ({ fields: [KEY, ['Proxy-Authorization', `Basic ${secret}`]] }),
  'a cookie': (secret) => ({ fields: [KEY, ['Cookie', `id=${secret}`]] }),
  'a field for it': (secret) => ({ fields: [KEY, ['X-Auth-Token', secret]] }),
  'a referrer': (secret) => ({
    fields: [KEY, ['Referer', `http://localhost/?session=${encodeURIComponent(secret)}`]],
  }),
  'a parameter for it': (secret) => ({ target: `/v1/pets?api_key=${encodeURIComponent(secret)}` }),
  'a user': (secret) => ({
    target: `http://user:${encodeURIComponent(secret)}@localhost/v1/pets`,
    fields: [KEY],
  }),
  'a user without a scheme': (secret) => ({
    target: `//user:${encodeURIComponent(secret)}@localhost/v1/pets`,
    fields: [KEY],
  }),
  'a form': (secret) => ({
    method: 'POST',
    fields: [KEY, FORM_TYPE],
    body: `token=${encodeURIComponent(secret)}`,
  }),
  'a field of JSON': (secret) => ({
    method: 'POST',
    fields: [KEY, JSON_TYPE],
    body: `{"name":"Rex","categoryId":1,"apiKeys":["${secret}"]}`,
  }),
  'an escaped name': (secret) => ({
    method: 'POST',
    fields: [KEY, JSON_TYPE],
    body: `{"\\u0070assword":"${secret}"}`,
  }),
  'no JSON': (secret) => ({ method: 'POST', fields: [KEY, JSON_TYPE], body: `{"jwt":"${secret}` }),
}

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/'
const secret = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 16, maxLength: 40 })
  .map((letters) => letters.join(''))

/** The beginning of a text, in any case, and its percent-encoded form. */
const findIn = (text: string, ...secrets: string[]) =>
  secrets
    .map((one) => one.slice(0, BEGINNING))
    .flatMap((one) => [one, encodeURIComponent(one)])
    .filter((one) => text.toLowerCase().includes(one.toLowerCase()))

it('no key and no control token that is sent where one belongs is in the request log or in events', {
  timeout: 60_000,
}, async () => {
  await checkProperty(
    'secrets',
    20,
    fc.asyncProperty(secret, secret, fc.boolean(), async (apiKey, controlToken, sandbox) => {
      const mock = createMock({
        apiKeys: [apiKey, 'any-other-key'],
        sandbox,
        assume: { 'unknown-fields': 'reject' },
      })
      const { port, close } = await serve(mock, { controlToken })
      const told: string[] = []
      // A sandbox is named by its key, for everyone who may use the control API.
      const print = (value: unknown) =>
        JSON.stringify(value, (name, part) => (name === 'sandbox' ? undefined : part))
      mock.control.subscribe(
        (event) => void (event.type === 'request' && told.push(print(event.row))),
      )
      const client = createRawClient(port)
      try {
        for (const place of Object.values(PLACES))
          for (const one of [apiKey, controlToken]) await client.ask(place(one)).catch(() => {})
        const requestLogs = [
          mock.control,
          ...mock.control.sandboxes().map((key) => mock.control.sandbox(key)),
        ]
        const rows = requestLogs.map((control) => print(control.requests())).join('\n')
        expect(told.length).toBeGreaterThan(20)
        expect(findIn(told.join('\n'), apiKey, controlToken)).toEqual([])
        expect(findIn(rows, apiKey, controlToken)).toEqual([])
      } finally {
        client.close()
        await close()
      }
    }),
  )
})

it('texts are not searched: the request log has the rest of a request as it was sent', () => {
  const mock = createMock({ apiKeys: ['a-listed-key'] })
  const body = '{"name":"a-listed-key and Rex","categoryId":1}'
  mock.answer(toCall('POST', '/v1/pets?q=a-listed-key', body, 'a-listed-key'))
  expect(mock.control.requests()).toMatchObject([
    {
      target: '/v1/pets?q=a-listed-key',
      request: { body },
      response: { body: '{"id":19,"name":"a-listed-key and Rex","categoryId":1}' },
    },
  ])
})

describe('the command line', () => {
  const TOKEN = 'a-control-token-that-is-secret'
  const LISTED = 'a-listed-key-that-is-secret'

  it.each(['pretty', 'json'])(
    'logs neither a key nor a token, and prints no token that was set: %s',
    async (style) => {
      const env = {
        ANIMAL_STORE_CONTROL_TOKEN: TOKEN,
        ANIMAL_STORE_API_KEY: `${LISTED},any-other-key`,
      }
      const running = await startCli(['--log', style], { env })
      const client = createRawClient(Number(new URL(running.url).port))
      onTestFinished(client.close)
      for (const place of Object.values(PLACES))
        for (const one of [LISTED, TOKEN]) await client.ask(place(one)).catch(() => {})
      await client.ask({ target: `/v1/pets?${'last'}` })
      await running.until('stdout', /\?last/)
      expect(findIn(running.stdout(), LISTED, TOKEN)).toEqual([])
      expect(running.stderr()).toMatch(
        /^ {2}Token {6}the one that you set \(for the console and for --control-token\)$/m,
      )
      expect(findIn(running.stderr(), TOKEN)).toEqual([])
      const requests = await runHere(['requests', '--url', running.url], { env })
      expect(requests.code).toBe(0)
      expect(findIn(requests.stdout + requests.stderr, LISTED, TOKEN)).toEqual([])
    },
  )

  it.each<[what: string, args: string[], env: Record<string, string>]>([
    ['a token that is too short', [], { ANIMAL_STORE_CONTROL_TOKEN: 's3cret' }],
    ['a token with a wrong character', ['--control-token', 's3cret!s3cret!s3cret'], {}],
    ['a key', [], { ANIMAL_STORE_API_KEY: 'my:s3cret' }],
    ['a key among others', ['--api-key', 'good', 'my:s3cret'], {}],
    ['keys of a scenario', ['--scenario', './bad.yaml'], {}],
    ['keys that are not a list', ['--scenario', './one.yaml'], {}],
  ])('refuses %s, and does not repeat it', async (_what, args, env) => {
    const cwd = createFolder()
    writeFileSync(join(cwd, 'bad.yaml'), 'apiKeys: ["my:s3cret"]\n')
    writeFileSync(join(cwd, 'one.yaml'), 'apiKeys: my-s3cret\n')
    const { code, stdout, stderr } = await runHere(args, { env, cwd })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^animal-store-mock: [^\n]*expected[^\n]*\n$/)
    expect(stderr).not.toContain('s3cret')
  })
})
