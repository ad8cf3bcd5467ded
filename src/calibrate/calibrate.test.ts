import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, DEVIATIONS, type Deviation, SECRET_NAME } from '../../test/support/hand-written-service.ts'
import { type AssumptionChoices, assumptions } from '../generated/contract.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { scenarios } from '../scenarios.ts'
import { type CalibrateOptions, calibrate, type Verdict } from './calibrate.ts'
import { createProbes } from './probes.ts'

const baseUrl = 'https://store.test/v1'
const apiKey = 'real-key'
const FINE: readonly Verdict[] = ['as specified', 'confirmed', 'undecided']

// Pauses take no time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setTimerTickMode('nextTimerAsync')
})
afterEach(() => void vi.useRealTimers())

const ask = (fetch: typeof globalThis.fetch, more: Partial<CalibrateOptions> = {}) => calibrate({ baseUrl, apiKey, fetch, ...more })
const askMock = (options: MockOptions, more?: Partial<CalibrateOptions>) => ask(createMock(options).fetch, more)

/** Everything of note: `differs invalid-query`. */
async function notable(result: ReturnType<typeof calibrate>): Promise<string[]> {
  const { findings } = await result
  return findings.filter(({ verdict }) => !FINE.includes(verdict)).map(({ verdict, subject }) => `${verdict}: ${subject}`)
}

describe('our own mock as the service', () => {
  const pets = [1, 2, 3].map((id) => ({ id, name: 'Rex', categoryId: id }))
  const UNSEEN = ['paging', 'valid-keys', 'removal-instant', 'removed-answer']
  const visible = assumptions.filter(({ id }) => !UNSEEN.includes(id))

  /** Every combination has a number; by a prime step all choices of any two assumptions meet early. */
  function choicesOf(number: number): Partial<AssumptionChoices> {
    let rest = number
    return Object.fromEntries(
      visible.map(({ id, choices }) => {
        const choice = choices[rest % choices.length]
        rest = Math.floor(rest / choices.length)
        return [id, choice]
      }),
    )
  }

  const total = visible.reduce((product, { choices }) => product * choices.length, 1)
  const step = process.env.ALL_COMBINATIONS ? 1 : 97

  it(`is recovered with every ${step === 1 ? '' : `${step}th `}combination of its ${total} choices`, { timeout: 600_000 }, async () => {
    for (let number = 0; number < total; number += step) {
      const assume = choicesOf(number)
      const { scenario, findings } = await askMock({ pets, assume }, { probe: 'writes' })
      const { 'valid-keys': _, ...found } = scenario.assume ?? {}
      expect(found).toEqual(assume)
      expect(findings.filter(({ verdict }) => ['violates the spec', 'no choice fits', 'could not check'].includes(verdict))).toEqual([])
    }
  })

  it.each(['default', 'full-page', 'crowded', 'sold-out', 'tricky-names'] as const)('matches with %s', async (name) => {
    expect(await askMock({ scenario: scenarios[name] })).toMatchObject({ outcome: 'matches' })
  })

  it('matches with ids and categories that doubles would round', async () => {
    const { outcome, findings } = await askMock({ scenario: scenarios['big-ids'] }, { probe: 'writes' })
    expect(outcome).toBe('matches')
    expect(findings.map(({ subject }) => subject)).toContain('GET /pets/{listed id}')
  })

  it.each(Object.entries(scenarios).filter(([, { faults = [] }]) => faults.length > 0))(
    'is never a match with the faults of %s',
    async (_, scenario) => {
      for (const probe of ['read', 'refused-writes', 'writes'] as const) {
        expect((await askMock({ scenario }, { probe })).outcome).toBe('could not check')
      }
    },
  )

  it.each<[string, MockOptions, string]>([
    ['has no animals', { pets: [] }, '200 with 0 animals'],
    ['has one animal', { pets: pets.slice(1, 2) }, '200 with 1 animal'],
  ])('could not be checked if it %s', async (_, options, detail) => {
    const { outcome, findings } = await askMock(options)
    expect(outcome).toBe('could not check')
    expect(findings.find(({ subject, verdict }) => verdict === 'could not check' && subject === 'list-order')?.detail).toContain(detail)
  })

  it('is checked no further if it refuses the key', async () => {
    expect((await askMock({ scenario: scenarios['locked-out'] })).findings).toEqual([
      { verdict: 'could not check', subject: 'GET /pets?limit=100', detail: '401 Unauthorized; is the key right?' },
    ])
  })
})

describe('a service written by hand', () => {
  const PLANTED: Readonly<Record<Deviation, readonly string[]>> = {
    'no challenge': ['violates the spec: HEAD /pets without a key', 'violates the spec: GET /pets with a wrong key'],
    'other media type': ['violates the spec: GET /pets/{listed id}'],
    'error status differs': ['violates the spec: GET /pets/4611686018427387905', 'violates the spec: GET /pets/animal-store-mock-probe'],
    'ids as strings': ['violates the spec: GET /pets/{listed id}'],
    'filter ignored': ['violates the spec: GET /pets?status=sold&limit=1'],
    'limit ignored': ['violates the spec: GET /pets?status=sold&limit=1', 'violates the spec: GET /pets?offset=1&page=2'],
    'large page': ['violates the spec: GET /pets?offset=1&page=2'],
    'unknown id is a 400': ['violates the spec: GET /pets/4611686018427387905'],
    'rounded ids': ['violates the spec: GET /pets/{listed id}'],
    'missing fields get 422': ['violates the spec: POST /pets {}'],
    'stores invalid animals': [
      'violates the spec: POST /pets {"name":1,"categoryId":"animal-store-mock-probe","status":"animal-store-mock-probe"}',
    ],
    'numeric codes': ['no choice fits: error-codes'],
    unsorted: ['no choice fits: list-order'],
    'pages by offset': ['no choice fits: paging'],
    'another sunset': ['no choice fits: sunset-header'],
    'HEAD is a 405 without Allow': ['violates the spec: HEAD /pets without a key'],
    'keeps unknown fields': ['no choice fits: unknown-fields'],
    'checks categories': ['no choice fits: unknown-category'],
    'wrong key gets 403': ['no choice fits: valid-keys'],
  }

  it('matches', async () => {
    expect(await notable(ask(createService(), { probe: 'writes' }))).toEqual([])
  })

  it.each(DEVIATIONS)('%s: that is named, and nothing else', async (deviation) => {
    const result = await ask(createService(deviation), { probe: 'writes' })
    expect(result.outcome).toBe('differs')
    expect(await notable(Promise.resolve(result))).toEqual(PLANTED[deviation])
    expect(JSON.stringify(result)).not.toContain(SECRET_NAME)
    expect(JSON.stringify(result)).not.toContain(apiKey)
  })
})

describe('what is sent', () => {
  const good = createService()
  const seen = () => {
    const sent: { readonly at: number; readonly request: Request }[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      sent.push({ at: Date.now(), request: new Request(input, init) })
      return good(input, init)
    }
    return { sent, fetch }
  }

  it('is GET and HEAD by default, with one wrong key at most', async () => {
    const { sent, fetch } = seen()
    await ask(fetch)
    expect([...new Set(sent.map(({ request }) => request.method))].sort()).toEqual(['GET', 'HEAD'])
    const keys = sent.map(({ request }) => request.headers.get('authorization'))
    expect(keys.filter((key) => key !== null && key !== `Bearer ${apiKey}`)).toHaveLength(1)
    expect(sent.every(({ request }) => request.redirect === 'manual' && request.url.startsWith(`${baseUrl}/`))).toBe(true)
  })

  it('is at most 25 requests, two a second, and one animal where one is enough', async () => {
    const { sent, fetch } = seen()
    await ask(fetch, { probe: 'writes' })
    expect([createProbes('read').length, createProbes('writes').length]).toEqual([11, 18])
    expect(Math.min(...sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0)))).toBeGreaterThanOrEqual(500)
    const created = await Promise.all(
      sent.map(async ({ request }) =>
        request.method === 'POST'
          ? request
              .clone()
              .text()
              .catch(() => '')
          : '',
      ),
    )
    expect(created.filter((body) => body.includes('animal-store-mock probe '))).toHaveLength(1)
  })

  it.each<[MockOptions, number]>([
    [{}, 1],
    [{ assume: { 'unknown-fields': 'reject' } }, 2],
  ])('is no broken animal if there is none to learn a category from: %j', async (options, count) => {
    const { control, fetch } = createMock({ pets: [], ...options })
    const { scenario } = await ask(fetch, { probe: 'writes' })
    const bodies = control.requests().flatMap(({ request }) => (request.body.includes('probe 20') ? request.body : []))
    expect(bodies).toHaveLength(count)
    expect(bodies.join()).not.toContain('listed')
    expect(scenario.assume).toMatchObject({
      'default-status': 'absent',
      'unknown-category': 'accept',
      'unknown-fields': 'ignore',
      ...options.assume,
    })
  })

  it.each([429, 503])('ends at a %i, which names the time to wait', async (status) => {
    const { sent, fetch } = seen()
    const { outcome, findings } = await ask(async (input, init) => {
      const response = await fetch(input, init)
      return sent.length === 4 ? new Response('{}', { status, headers: { 'retry-after': '30' } }) : response
    })
    expect(sent).toHaveLength(4)
    expect(outcome).toBe('could not check')
    expect(findings.find(({ subject }) => subject === 'sunset-header')?.detail).toContain(`${status}, Retry-After: 30`)
  })

  it.each<[string, (at: string) => Response | Promise<Response>, RegExp]>([
    ['redirects', () => new Response(null, { status: 302, headers: { location: 'https://login.test/?next=secret' } }), /^302, a redirect/],
    [
      'a page of a gateway',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      /^200, not JSON, Content-Type: text\/html$/,
    ],
    ['a truncated body', () => new Response('[{"id":1,"na', { headers: { 'content-type': 'application/json' } }), /^200, not JSON/],
    [
      'an unknown host',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })),
      /^no complete response \(ENOTFOUND\)$/,
    ],
    ['a bad certificate', () => Promise.reject(new TypeError('x', { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })), /SELF_SIGNED/],
    ['a wrong address', () => new Response('{}', { status: 404 }), /^404; does the address end in \/v1\?$/],
    ['a failure', () => new Response('{}', { status: 500 }), /^500$/],
  ])('could not be checked: %s', async (_, respond, detail) => {
    const sent: unknown[] = []
    const first = await ask(async (input) => {
      sent.push(input)
      return respond(String(input))
    })
    expect(first.outcome).toBe('could not check')
    expect(sent).toHaveLength(1)
    expect(first.findings[0]?.detail).toMatch(detail)
    // Once only, and later: the rest goes on, and it is still no match.
    const later = await ask(async (input, init) => (String(input).includes('?status=sold') ? respond(String(input)) : good(input, init)))
    if (!detail.source.includes('404')) expect(later.outcome).toBe('could not check')
  })

  it('reads a body as it is, even if a short key is in it', async () => {
    const pets = [10, 11].map((id) => ({ id, name: 'Rex', categoryId: 1 }))
    expect((await askMock({ pets }, { apiKey: '1' })).outcome).toBe('matches')
  })

  it('keeps the key out of the result, even if the service repeats it', async () => {
    const leaky: typeof fetch = async () =>
      new Response(JSON.stringify({ code: apiKey, message: apiKey, status: 400 }), { status: 400, headers: { 'content-type': apiKey } })
    expect(JSON.stringify(await ask(leaky))).not.toContain(apiKey)
    const after: typeof fetch = async (input, init) => (String(input).includes('limit=0') ? leaky(input) : good(input, init))
    expect(JSON.stringify(await ask(after))).not.toContain(apiKey)
  })

  it.each<[Partial<CalibrateOptions>, RegExp]>([
    [{ baseUrl: 'http://store.test/v1' }, /https/],
    [{ baseUrl: 'https://user:secret@store.test/v1' }, /^(?!.*secret).*https/],
    [{ baseUrl: 'store' }, /https/],
    [{ apiKey: 'two words' }, /apiKey: (?!.*two words)/],
    [{ probe: 'everything' as never }, /probe/],
    [{ expect: { assume: { 'invalid-query': 'maybe' } } as never }, /invalid-query/],
  ])('is nothing with %j', async (options, problem) => {
    const { sent, fetch } = seen()
    await expect(ask(fetch, options)).rejects.toThrow(problem)
    expect(sent).toEqual([])
  })

  it('goes over plain http on this machine alone', async () => {
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:80']) {
      expect((await ask(createMock().fetch, { baseUrl: `http://${host}/v1/` })).outcome).toBe('matches')
    }
  })
})

describe('an earlier result', () => {
  it('is what the service is compared with', async () => {
    const pets = [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 }))
    const { scenario: expect_, outcome } = await askMock({ pets, assume: { 'invalid-query': 'clamp' } })
    expect(outcome).toBe('differs')
    expect(expect_.calibrated).toMatchObject({ against: 'store.test', choices: { 'invalid-query': 'clamp' }, deviations: [] })
    expect((await askMock({ pets, assume: { 'invalid-query': 'clamp' } }, { expect: expect_ })).outcome).toBe('matches')
    expect(await notable(askMock({ pets }, { expect: expect_ }))).toEqual(['differs: invalid-query'])
  })

  it('knows deviations: an old one does not count, but one that has gone does', async () => {
    const { scenario } = await ask(createService('filter ignored'))
    expect((await ask(createService('filter ignored'), { expect: scenario })).outcome).toBe('matches')
    expect((await ask(createService(), { expect: scenario })).outcome).toBe('differs')
    expect((await ask(createService('numeric codes'), { expect: scenario })).outcome).toBe('differs')
  })

  it('marks the choices that it confirms, as long as they are made', async () => {
    const { scenario } = await ask(createService())
    const { extends: _, ...value } = scenario
    const { control } = createMock({ scenario: value })
    const confirmed = () =>
      control
        .assumptions()
        .filter((one) => one.confirmed)
        .map(({ id }) => id)
    expect(confirmed()).toContain('invalid-query')
    expect(confirmed()).not.toContain('paging')
    expect(control.assumptions()[0]?.confirmed).toEqual({ on: scenario.calibrated?.on, against: 'store.test' })
    expect(createMock({ scenario: control.state() }).control.state()).toEqual(control.state())
    control.assume({ 'invalid-query': 'ignore' })
    expect(confirmed()).not.toContain('invalid-query')
  })
})
