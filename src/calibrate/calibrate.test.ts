import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, DEVIATIONS, type Deviation, SECRET_NAME } from '../../test/support/hand-written-service.ts'
import { type AssumptionChoices, assumptions } from '../generated/contract.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { scenarios } from '../scenarios.ts'
import { type CalibrateOptions, calibrate, type Verdict } from './calibrate.ts'

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
        const choice = choices[rest % choices.length]?.id
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

  it.each<[Partial<AssumptionChoices>, string]>([
    [{ 'removal-instant': 'start-of-day' }, '2030-12-05T08:00:00Z'],
    [{ 'removal-instant': 'end-of-day' }, '2030-12-05T08:00:00Z'],
    [{ 'removed-answer': 'gone' }, '2030-12-06T08:00:00Z'],
    [{ 'removed-answer': 'not-found' }, '2030-12-06T08:00:00Z'],
  ])('shows %j by its own clock', async (assume, now) => {
    const { scenario, findings } = await askMock({ pets, assume, now })
    expect(scenario.assume).toMatchObject(assume)
    expect(findings.filter(({ verdict }) => ['violates the spec', 'no choice fits', 'could not check'].includes(verdict))).toEqual([])
  })

  it.each(['default', 'full-page', 'crowded', 'sold-out', 'tricky-names', 'after-sunset'] as const)('matches with %s', async (name) => {
    expect(await notable(askMock({ scenario: scenarios[name] }))).toEqual([])
    expect((await askMock({ scenario: scenarios[name] })).outcome).toBe('matches')
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
    ['refuses the key', { scenario: scenarios['locked-out'] }, '401 Unauthorized; is the key right?'],
    ['has no animals', { pets: [] }, 'the first list has 0 valid animals'],
    ['has one animal', { pets: pets.slice(1, 2) }, 'the first list has 1 valid animals'],
  ])('could not be checked if it %s', async (_, options, detail) => {
    const { outcome, findings } = await askMock(options)
    expect(outcome).toBe('could not check')
    expect(findings.find(({ subject, verdict }) => verdict === 'could not check' && subject === 'list-order')?.detail).toContain(detail)
  })
})

describe('a service written by hand', () => {
  const PLANTED: Readonly<Record<Deviation, readonly string[]>> = {
    'no challenge': ['violates the spec: GET /pets without a key', 'violates the spec: GET /pets with a wrong key'],
    'other media type': ['violates the spec: GET /pets/{listed id}'],
    'error status differs': ['violates the spec: GET /pets/4611686018427387905', 'violates the spec: GET /pets/animal-store-mock-probe'],
    'ids as strings': ['violates the spec: GET /pets/{listed id}'],
    'filter ignored': ['violates the spec: GET /pets?status=sold'],
    'limit ignored': ['violates the spec: GET /pets?limit=1', 'violates the spec: GET /pets?offset=1&page=2'],
    'large page': ['violates the spec: GET /pets?offset=1&page=2'],
    'unknown id is a 400': ['violates the spec: GET /pets/4611686018427387905'],
    'rounded ids': ['violates the spec: GET /pets/{listed id}'],
    'missing fields get 422': ['violates the spec: POST /pets {}'],
    'stores invalid animals': [
      'violates the spec: POST /pets {"name":1,"categoryId":"animal-store-mock-probe","status":"animal-store-mock-probe"}',
    ],
    'same id twice': ['violates the spec: GET /pets?limit=100', 'violates the spec: GET /pets?offset=1&page=2'],
    'numeric codes': ['no choice fits: error-codes'],
    unsorted: ['no choice fits: list-order'],
    'pages by offset': ['no choice fits: paging'],
    'another sunset': ['no choice fits: sunset-header'],
    'HEAD is a 405 without Allow': ['violates the spec: HEAD /pets'],
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
