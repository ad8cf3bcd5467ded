import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../contract/errors.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import { createMock } from '../mock/mock.ts'
import { type ControlApiSettings, createControlApi, isControlTarget } from './control-api.ts'
import { PRINT } from './state-control.ts'

function create(settings: Partial<ControlApiSettings> = {}, { control } = createMock({ pets: [], now: '2026-11-15', frozen: true })) {
  return { api: createControlApi(control, { isOn: true, token: undefined, ...settings }), control }
}

function toCall(method: string, path: string, fields: Readonly<Record<string, string>> = {}, body?: string) {
  return {
    method,
    target: `/__mock${path}`,
    header: (name: string) => fields[name],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  }
}

const json = { 'content-type': 'application/json' }

describe('isControlTarget', () => {
  it.each(['/__mock', '/__mock/', '/__mock/state', '/__mock?x', 'http://localhost/__mock/state'])('%s', (target) => {
    expect(isControlTarget(target)).toBe(true)
  })

  it.each([
    '/',
    '/v1/pets',
    '/__mocks',
    '/__MOCK',
    '/v1/__mock',
    '//__mock',
    '/__mock%2Fstate',
    '/%zz',
    '/%5f_mock/state',
    '*',
    '',
    '__mock',
    'http://__mock/v1',
  ])('not %s', (target) => {
    expect(isControlTarget(target)).toBe(false)
  })
})

it.each<[title: string, settings: Partial<ControlApiSettings>]>([
  ['on', {}],
  ['off', { isOn: false }],
  ['protected by a token', { token: 'ctl-token-1234567890' }],
])('refuses a call whatever its Authorization is made of: the control API is %s', async (_title, settings) => {
  const { api } = create(settings)
  for (const unit of '-+./~=aA \\"') {
    const call = toCall('GET', '/x', { authorization: `Bearer ${unit.repeat(16_000)}` })
    expect(await api.answer(call)).toMatchObject({ status: settings.token ? 401 : 404 })
    expect(api.refuse(call, new ApiError(403, 'foreign'))).toMatchObject({ status: 403 })
  }
})

it('never quotes Authorization in a message', async () => {
  const { api } = create({ token: 'ctl-token-1234567890' })
  for (const authorization of ['Bearer another-token-12345', 'Basic another-token-12345', 'another-token-12345']) {
    const { status, body } = await api.answer(toCall('GET', '/state', { authorization }))
    expect(status).toBe(401)
    expect(body).not.toContain('another')
  }
})

describe('the control API', () => {
  it('answers in JSON, with the fields of every response', async () => {
    const body = `{"version":"${version}","scenario":"default","pets":0,"byStatus":{}}`
    expect(await create().api.answer(toCall('GET', '/health'))).toEqual({
      status: 200,
      headers: {
        Date: 'Sun, 15 Nov 2026 00:00:00 GMT',
        'X-Mock': `animal-store-mock/${version}`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      },
      body,
    })
  })

  it('sets and freezes the clock in one step, in which no time passes', async () => {
    let real = Date.parse('2026-11-15')
    vi.spyOn(Date, 'now').mockImplementation(() => real++)
    onTestFinished(() => void vi.restoreAllMocks())
    const { api, control } = create()
    control.clock.freeze(false)
    const reply = await api.answer(toCall('PUT', '/clock', json, '{"now":"2030-12-06","frozen":true}'))
    expect(JSON.parse(reply.body)).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
  })

  it('takes a body at the limit, and none beyond it', async () => {
    const { api } = create()
    const pad = (length: number) => `{"operation":"*","status":500${' '.repeat(length - 30)}}`
    expect((await api.answer(toCall('POST', '/faults', json, pad(MAX_DOCUMENT_BYTES)))).status).toBe(201)
    expect((await api.answer(toCall('POST', '/faults', json, pad(MAX_DOCUMENT_BYTES + 1)))).status).toBe(413)
  })

  it('says before the body is there what the body cannot change', () => {
    const { api } = create()
    expect(api.answerWithoutBody(toCall('PUT', '/state', json))).toBeUndefined()
    expect(api.answerWithoutBody(toCall('PUT', '/state'))).toMatchObject({ status: 403 })
    expect(api.answerWithoutBody(toCall('PUT', '/health', json))).toMatchObject({ status: 405 })
    expect(api.answerWithoutBody(toCall('PUT', '/nowhere', json))).toMatchObject({ status: 404 })
    expect(api.answerWithoutBody(toCall('PUT', '/state', { ...json, origin: 'null' }))).toMatchObject({ status: 403 })
    expect(api.answerWithoutBody(toCall('OPTIONS', '/state'))).toMatchObject({ status: 204 })
  })

  it('owns up to a bug of the mock, and keeps the rest to its log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    const bug = new TypeError('secret')
    const diff = () => {
      throw bug
    }
    const { api } = create({}, { control: { ...createMock().control, diff } } as never)
    const reply = await api.answer(toCall('GET', '/diff'))
    expect(reply).toMatchObject({ status: 500, headers: { 'X-Mock-Bug': '1' } })
    expect(JSON.parse(reply.body)).toEqual({ code: 'InternalServerError', message: 'Bug in the mock; see its log', status: 500 })
    expect(log.mock.calls).toEqual([[bug]])
  })

  it.each(['/state', '/diff'])('refuses with 413 a response of %s that does not fit into a string', async (path) => {
    const { control } = createMock()
    const tooLong = () => {
      throw new RangeError('Invalid string length')
    }
    const { api } = create({}, { control: { ...control, [PRINT]: tooLong, diff: tooLong } } as never)
    const reply = await api.answer(toCall('GET', path))
    expect(reply.status).toBe(413)
    expect(JSON.parse(reply.body).message).toContain('/__mock/pets')
  })

  it('serves the files of the console without a token, but not to other sites', async () => {
    const { api } = create({ token: 'ctl-token-1234567890' })
    expect(await api.answer(toCall('GET', ''))).toMatchObject({ status: 307, headers: { Location: '__mock/' } })
    for (const path of ['/', '/?x', '/console.js', '/console.css']) {
      expect(await api.answer(toCall('GET', path))).toMatchObject({ status: 200, body: expect.stringMatching(/./) })
    }
    expect(await api.answer(toCall('HEAD', '/'))).toMatchObject({ status: 200, body: '' })
    expect(await api.answer(toCall('GET', '/', { origin: 'https://example.com' }))).toMatchObject({ status: 403 })
    expect(await api.answer(toCall('GET', '/state'))).toMatchObject({ status: 401 })
    expect(await api.answer(toCall('POST', '/'))).toMatchObject({ status: 401 })
  })

  it('lets the console run none but its own script', async () => {
    const { headers } = await create().api.answer(toCall('GET', '/'))
    expect(headers['Content-Security-Policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; [^*]*frame-ancestors 'none'/,
    )
    expect(headers['Content-Security-Policy']).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
  })
})
