import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  KEY as apiKey,
  createService,
  PLANTED,
  SECRET_NAME,
} from '../../test/support/planted-services.ts'
import { type AssumptionChoices, assumptions } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_CALIBRATED_BODY_BYTES } from '../contract/limits.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { scenarios } from '../scenario/shipped.ts'
import { type CalibrateOptions, type Calibration, calibrate, type Verdict } from './calibrate.ts'
import { createProbes } from './probe.ts'

const baseUrl = 'https://store.test/v1'
const FINE: readonly Verdict[] = ['confirmed', 'undecided']

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setTimerTickMode('nextTimerAsync')
})
afterEach(() => void vi.useRealTimers())

const ask = (fetch: typeof globalThis.fetch, more: Partial<CalibrateOptions> = {}) =>
  calibrate({ baseUrl, apiKey, fetch, ...more })
const askMock = (options: MockOptions, more?: Partial<CalibrateOptions>) =>
  ask(createMock(options).fetch, more)

/** The ids of everything of note. */
async function notable(result: Calibration | Promise<Calibration>): Promise<string[]> {
  const { findings } = await result
  return findings.filter(({ verdict }) => !FINE.includes(verdict)).map(({ id }) => id)
}

describe('calibration against our own mock', () => {
  const pets = [1, 2, 3].map((id) => ({ id, name: 'Rex', categoryId: id }))
  const UNSEEN = ['paging', 'valid-keys', 'removal-instant', 'removed-answer']
  const visible = assumptions.filter(({ id }) => !UNSEEN.includes(id))

  /**
   * Every combination has a number; by a prime step all choices of any two assumptions meet early.
   */
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
  const step = process.env.ALL_COMBINATIONS ? 1 : 997

  it(`finds its choices in every ${step === 1 ? '' : `${step}th `}of ${total} combinations`, {
    timeout: 600_000,
  }, async () => {
    for (let number = 0; number < total; number += step) {
      const assume = choicesOf(number)
      const { scenario, findings } = await askMock({ pets, assume }, { probe: 'create-animal' })
      const { 'valid-keys': _, ...found } = scenario.assume ?? {}
      expect(found).toEqual(assume)
      expect(
        findings.filter(({ verdict }) =>
          ['violates the spec', 'no choice fits', 'could not check'].includes(verdict),
        ),
      ).toEqual([])
    }
  })

  it.each(['default', 'tricky-names'] as const)('matches with the scenario %s', async (name) => {
    expect(await askMock({ scenario: scenarios[name] })).toMatchObject({ outcome: 'matches' })
  })

  it('matches with ids and categories beyond 2^53', async () => {
    const { outcome, findings } = await askMock(
      { scenario: scenarios['big-ids'] },
      { probe: 'create-animal' },
    )
    expect(outcome).toBe('matches')
    expect(findings.map(({ detail }) => detail).join()).toContain('GET /v1/pets/9')
  })

  it.each<[string, MockOptions, string]>([
    ['has no animals', { pets: [] }, '200 with 0 animals'],
    ['has one animal', { pets: pets.slice(1, 2) }, '200 with 1 animal'],
  ])('cannot check the order of a list if the mock %s', async (_, options, detail) => {
    const { outcome, findings } = await askMock(options)
    expect(outcome).toBe('could not check')
    expect(
      findings.find(
        ({ subject, verdict }) => verdict === 'could not check' && subject === 'list-order',
      )?.detail,
    ).toContain(detail)
  })

  it('ends with the first request if the mock refuses the key', async () => {
    expect((await askMock({ scenario: scenarios['locked-out'] })).findings).toEqual([
      {
        id: 'unread/listPets/401',
        verdict: 'could not check',
        subject: 'listPets',
        detail: '#1 GET /v1/pets?limit=100 → 401 Unauthorized; is the key right?',
        rows: [1],
        isAccepted: false,
      },
    ])
  })
})

describe('a service', () => {
  it('without a deviation matches', async () => {
    expect(await notable(ask(createService(), { probe: 'create-animal' }))).toEqual([])
  })

  it.each(Object.entries(PLANTED))(
    'gets each deviation reported alone: %s',
    async (_, [plant, expected]) => {
      const result = await ask(createService(plant), { probe: 'create-animal' })
      expect(await notable(result)).toEqual(expected)
      expect(result.outcome).toBe('differs')
      expect(toJson(result)).not.toMatch(new RegExp(`${SECRET_NAME}|${apiKey}`))
    },
  )
})

describe('calibration', () => {
  const good = createService()
  const seen = () => {
    const sent: { readonly at: number; readonly request: Request }[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      sent.push({ at: Date.now(), request: new Request(input, init) })
      return good(input, init)
    }
    return { sent, fetch }
  }

  it('reads 4 MiB of a response without an end, and reports that it is too long', async () => {
    const chunk = new Uint8Array(65_536).fill(32)
    let sent = 0
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        if (sent > 64 * MAX_CALIBRATED_BODY_BYTES) controller.close()
        else controller.enqueue(chunk)
      },
      cancel() {
        isCancelled = true
      },
    })
    const { outcome, findings } = await ask(async () => new Response(body))
    expect({ outcome, isCancelled }).toEqual({ outcome: 'could not check', isCancelled: true })
    expect(findings).toHaveLength(1)
    expect(findings[0]?.detail).toContain('→ 200 with more than 4194304 bytes')
    expect(sent).toBeLessThan(2 * MAX_CALIBRATED_BODY_BYTES)
  })

  it('sends only GET by default, with one wrong key at most', async () => {
    const { sent, fetch } = seen()
    await ask(fetch)
    expect([...new Set(sent.map(({ request }) => request.method))].sort()).toEqual(['GET'])
    const keys = sent.map(({ request }) => request.headers.get('authorization'))
    expect(keys.filter((key) => key !== null && key !== `Bearer ${apiKey}`)).toHaveLength(1)
    expect(
      sent.every(
        ({ request }) => request.redirect === 'manual' && request.url.startsWith(`${baseUrl}/`),
      ),
    ).toBe(true)
  })

  it('sends at most 20 requests, two a second, and creates one animal where one is enough', async () => {
    const { sent, fetch } = seen()
    await ask(fetch, { probe: 'create-animal' })
    expect([createProbes('read').length, createProbes('create-animal').length]).toEqual([12, 20])
    expect(
      Math.min(...sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))),
    ).toBeGreaterThanOrEqual(500)
    const created = await Promise.all(
      sent.map(async ({ request }) =>
        request.method === 'POST' && request.headers.has('authorization')
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
  ])(
    'sends no invalid animal if the service has no animal to take a category from: %j',
    async (options, count) => {
      const { control, fetch } = createMock({ pets: [], ...options })
      const { scenario } = await ask(fetch, { probe: 'create-animal' })
      const bodies = control
        .requests()
        .flatMap(({ request }) =>
          request.headers.authorization && request.body.includes('probe 20') ? request.body : [],
        )
      expect(bodies).toHaveLength(count)
      expect(bodies.join()).not.toContain('listed')
      expect(scenario.assume).toMatchObject({
        'default-status': 'absent',
        'unknown-category': 'accept',
        'unknown-fields': 'ignore',
        ...options.assume,
      })
    },
  )

  it.each([429, 503])('ends at a %i, and reports its Retry-After', async (status) => {
    const { sent, fetch } = seen()
    const { outcome, findings } = await ask(async (input, init) => {
      const response = await fetch(input, init)
      return sent.length === 4
        ? new Response('{}', { status, headers: { 'retry-after': '30' } })
        : response
    })
    expect(sent).toHaveLength(4)
    expect(outcome).toBe('could not check')
    expect(findings.find(({ subject }) => subject === 'sunset-header')?.detail).toContain(
      `${status}, Retry-After: 30`,
    )
  })

  it.each<[string, (at: string) => Response | Promise<Response>, RegExp]>([
    [
      'a redirect',
      () =>
        new Response(null, {
          status: 302,
          headers: { location: 'https://login.test/?next=secret' },
        }),
      /→ 302, a redirect/,
    ],
    [
      'an HTML page of a gateway',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      /→ 200 without JSON, Content-Type: text\/html$/,
    ],
    [
      'a truncated body',
      () => new Response('[{"id":1,"na', { headers: { 'content-type': 'application/json' } }),
      /→ 200 without JSON/,
    ],
    [
      'an unknown host',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })),
      /→ no complete response \(ENOTFOUND\)$/,
    ],
    [
      'a bad certificate',
      () => Promise.reject(new TypeError('x', { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })),
      /SELF_SIGNED/,
    ],
    [
      'a wrong address',
      () => new Response('{}', { status: 404 }),
      /→ 404; does the address end in \/v1\?$/,
    ],
    ['a failure', () => new Response('{}', { status: 500 }), /→ 500$/],
  ])('reports that it could not check a service, for %s', async (_, respond, detail) => {
    const sent: unknown[] = []
    const first = await ask(async (input) => {
      sent.push(input)
      return respond(String(input))
    })
    expect(first.outcome).toBe('could not check')
    expect(sent).toHaveLength(1)
    expect(first.findings).toEqual([
      expect.objectContaining({ detail: expect.stringMatching(detail) }),
    ])
    // Once only, and later: the rest goes on, and it is still no match.
    const later = await ask(async (input, init) =>
      String(input).includes('?status=sold') ? respond(String(input)) : good(input, init),
    )
    if (!detail.source.includes('404'))
      expect(later.outcome).toBe(detail.source.includes('JSON') ? 'differs' : 'could not check')
  })

  it('reads a body unchanged, even if the API key occurs in it', async () => {
    const pets = [10, 11].map((id) => ({ id, name: 'Rex', categoryId: 1 }))
    expect((await askMock({ pets }, { apiKey: '1' })).outcome).toBe('matches')
  })

  it.each<[string, (key: string) => string]>([
    ['as it is', (key) => key],
    ['in capitals', (key) => key.toUpperCase()],
    ['inside a word', (key) => `x${key}x`],
    ['percent-encoded', (key) => key.replaceAll('-', '%2D')],
    ['with escapes', (key) => key.replaceAll('-', '\\u002d')],
    ['in Base64', btoa],
    [
      'in hexadecimal digits',
      (key) => key.replace(/./g, (character) => character.charCodeAt(0).toString(16)),
    ],
  ])(
    'keeps the API key out of the result, even if the service repeats it %s',
    async (_, encode) => {
      const text = encode(apiKey)
      const leaky: typeof fetch = async () =>
        new Response(JSON.stringify({ code: text, message: text, status: text, [text]: text }), {
          status: 400,
          headers: { 'content-type': text, 'retry-after': text, sunset: text, link: text },
        })
      const first = await ask(leaky)
      const later = await ask(async (input, init) =>
        String(input).includes('limit=0') ? leaky(input) : good(input, init),
      )
      for (const result of [first, later]) expect(toJson(result)).not.toContain(text)
    },
  )

  it('keeps an API key of letters alone out of the result', async () => {
    const letters = 'secret-key'
    const { findings } = await ask(
      async () => Response.json({ code: letters, message: '', status: 400 }, { status: 400 }),
      {
        apiKey: letters,
      },
    )
    expect(findings.map(({ detail }) => detail)).toEqual(['#1 GET /v1/pets?limit=100 → 400 …'])
  })

  it('lets no response add a line to the report', async () => {
    const forged = 'E\nmatches\r\u2028\u202e'
    const body = JSON.stringify({ code: forged, message: '', status: 404, [forged]: 1 })
    const { findings, scenario } = await ask(async (input, init) =>
      String(input).includes('/pets/46')
        ? new Response(body, { status: 404, headers: { 'content-type': forged.slice(0, 1) } })
        : good(input, init),
    )
    expect(
      findings.some(({ subject, detail }) => /[\p{Cc}\p{Cf}\p{Zl}]/u.test(subject + detail)),
    ).toBe(false)
    expect(toJson(scenario)).not.toContain('matches')
  })

  it.each<[Partial<CalibrateOptions>, RegExp]>([
    [{ baseUrl: 'http://store.test/v1' }, /https/],
    [{ baseUrl: 'https://user:secret@store.test/v1' }, /^(?!.*secret).*https/],
    [{ baseUrl: 'store' }, /https/],
    [{ apiKey: 'two words' }, /apiKey: (?!.*two words)/],
    [{ probe: 'everything' as never }, /probe/],
  ])('sends no request with the options %j', async (options, problem) => {
    const { sent, fetch } = seen()
    await expect(ask(fetch, options)).rejects.toThrow(problem)
    expect(sent).toEqual([])
  })

  it('accepts plain http for an address of this machine', async () => {
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:80']) {
      expect((await ask(createMock().fetch, { baseUrl: `http://${host}/v1/` })).outcome).toBe(
        'matches',
      )
    }
  })
})

describe('the scenario of a calibration', () => {
  it('has the choices that the service shows', async () => {
    const pets = [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 }))
    const { scenario, outcome } = await askMock({ pets, assume: { 'invalid-query': 'clamp' } })
    expect(outcome).toBe('differs')
    expect(scenario.assume).toMatchObject({ 'invalid-query': 'clamp' })
    expect(scenario.calibrated).toMatchObject({ against: 'store.test', choices: scenario.assume })
  })

  it('marks the choices that it confirms, until they are changed', async () => {
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
    expect(control.assumptions()[0]?.confirmed).toEqual({
      on: scenario.calibrated?.on,
      against: 'store.test',
    })
    expect(createMock({ scenario: control.state() }).control.state()).toEqual(control.state())
    control.assume({ 'invalid-query': 'ignore' })
    expect(confirmed()).not.toContain('invalid-query')
  })
})
