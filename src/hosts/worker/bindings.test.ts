import { describe, expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { say } from '../../contract/problem.ts'
import { scenarios } from '../../scenario/shipped.ts'
import type { Scenario } from '../../world/scenario.ts'
import { readBindings } from './bindings.ts'

const SANDBOXES = { idFromName: () => undefined, get: () => undefined }

/** The starting scenario of a deployment, without its animals. */
function readStart(bindings: Record<string, unknown>): Omit<Scenario, 'pets'> {
  const { pets: _, ...start } = JSON.parse(
    readBindings({ SANDBOXES, ...bindings }).originText,
  ) as Scenario
  return start
}

function problemsOf(bindings: Record<string, unknown>): readonly string[] {
  try {
    readBindings({ SANDBOXES, ...bindings })
  } catch (error) {
    if (error instanceof UsageError) return error.problems.map(say)
    throw error
  }
  return []
}

describe('a deployment of the Worker', () => {
  it.each([undefined, null, ''])(
    'has the default of every setting whose binding is %j',
    (value) => {
      const names = [
        'SCENARIO',
        'API_KEY',
        'ASSUME',
        'FAIL',
        'NOW',
        'FROZEN',
        'LATENCY',
        'SURPRISE',
        'CORS_ORIGIN',
        'REQUEST_LOG',
      ]
      const bindings = Object.fromEntries(
        [...names, 'SANDBOX', 'CONTROL_TOKEN'].map((name) => [name, value]),
      )
      const { options, originText, token } = readBindings({ SANDBOXES, ...bindings })
      expect([{ ...options, origin: undefined }, token]).toEqual([
        { sandbox: true, origin: undefined },
        undefined,
      ])
      expect(originText).toBe(readBindings({ SANDBOXES }).originText)
      expect(JSON.parse(originText)).toMatchObject({
        name: 'default',
        pets: scenarios.default.pets,
      })
      expect(readStart({})).not.toHaveProperty('frozen', true)
      expect(readStart({})).not.toHaveProperty('apiKeys')
      expect(readStart({})).not.toHaveProperty('latency')
    },
  )

  it.each<[given: Record<string, unknown>, start: object]>([
    [{ SCENARIO: 'sold-out' }, { name: 'sold-out' }],
    [{ SCENARIO: ' {"name":"mine","pets":[]}' }, { name: 'mine' }],
    [{ SCENARIO: '[]' }, { name: 'unnamed' }],
    [{ SCENARIO: { name: 'mine', pets: [], frozen: true } }, { name: 'mine', frozen: true }],
    [{ API_KEY: 'ann, ben' }, { apiKeys: ['ann', 'ben'] }],
    [{ API_KEY: ['ann', 'ben'] }, { apiKeys: ['ann', 'ben'] }],
    [
      { ASSUME: 'invalid-query=clamp list-order=newest-first' },
      { assume: { 'invalid-query': 'clamp', 'list-order': 'newest-first' } },
    ],
    [
      { FAIL: 'createPet=503:2,*=500' },
      { faults: [{ operation: 'createPet', status: 503, times: 2 }, { status: 500 }] },
    ],
    [{ NOW: '2030-12-06' }, { now: '2030-12-06T00:00:00.000Z' }],
    [
      { NOW: '2030-12-06', FROZEN: '1' },
      { now: '2030-12-06T00:00:00.000Z', frozen: true },
    ],
    [{ SCENARIO: { pets: [], now: '2030-01-01', frozen: true }, FROZEN: 'no' }, { frozen: false }],
    [{ LATENCY: 30 }, { latency: 30 }],
    [{ LATENCY: '20-30' }, { latency: [20, 30] }],
    [{ SURPRISE: '7', KINDS: 'order' }, { surprise: { seed: 7, kinds: ['order'] } }],
  ])('with %j starts from a scenario with %j', (given, start) => {
    expect(readStart(given)).toMatchObject(start)
    expect(problemsOf(given)).toEqual([])
  })

  it.each<[given: Record<string, unknown>, options: object]>([
    [
      { CORS_ORIGIN: 'https://a.test https://b.test' },
      { corsOrigins: ['https://a.test', 'https://b.test'], sandbox: true },
    ],
    [{ REQUEST_LOG: '0' }, { requestLog: { rows: 0 }, sandbox: true }],
    [{ SANDBOX: 'off' }, { sandbox: false }],
    [{ SANDBOX: true }, { sandbox: true }],
  ])('with %j has the options %j', (given, options) => {
    expect(readBindings({ SANDBOXES, ...given })).toMatchObject({ options })
  })

  it.each<[given: Record<string, unknown>, problems: string[]]>([
    [{ KINDS: 'order' }, ['KINDS needs a seed; set SURPRISE too']],
    [
      { SCENARIO: 'Sold-Out' },
      [
        expect.stringMatching(
          /^SCENARIO: expected default, .* or .*, or a scenario as JSON, got "Sold-Out"; did you mean sold-out\?$/,
        ),
      ],
    ],
    [{ SCENARIO: 7 }, [expect.stringMatching(/, or a scenario as JSON, got 7$/)]],
    [{ SCENARIO: '{"pets": [}' }, ['SCENARIO: unexpected "}" at line 1, column 11']],
    [{ SCENARIO: { pets: 7 } }, ['bindings: pets: expected a list, got 7']],
    [{ NOW: { a: 1 } }, ['NOW: expected a text']],
    [
      { NOW: 'soon', FROZEN: 'maybe' },
      [expect.stringMatching(/^NOW: expected a date/), 'FROZEN: expected 1 or 0, got "maybe"'],
    ],
    [{ CORS_ORIGIN: ['nowhere'] }, [expect.stringMatching(/^CORS_ORIGIN: expected an origin/)]],
    [
      { CONTROL_TOKEN: 'short' },
      [expect.stringMatching(/^CONTROL_TOKEN: expected .* 16 to 4096 characters$/)],
    ],
    [
      { REQUEST_LOG: '-1' },
      [expect.stringMatching(/^REQUEST_LOG: expected .* from 0 to 100000, got -1$/)],
    ],
    [{ REQUEST_LOG: '100001' }, [expect.stringMatching(/^REQUEST_LOG: expected .* got 100001$/)]],
    [
      { SANDBOXES: undefined },
      ['SANDBOXES: expected the binding of the Durable Objects, of class Sandbox'],
    ],
    [
      { SANDBOXES: 'sandboxes' },
      ['SANDBOXES: expected the binding of the Durable Objects, of class Sandbox'],
    ],
  ])('with %j does not start, and says why', (given, problems) =>
    expect(problemsOf(given)).toEqual(problems),
  )

  it('passes on an error that is not a mistake in its bindings', () => {
    const bindings = {
      get SCENARIO(): string {
        throw new TypeError('a bug')
      },
    }
    expect(() => readBindings(bindings)).toThrow(TypeError)
  })
})

describe('the origin of a sandbox', () => {
  it('is one object for all sandboxes that start from the same scenario', () => {
    const { originText, readOrigin } = readBindings({ SANDBOXES })
    const first = readOrigin(originText)
    expect(readOrigin(originText)).toBe(first)
    const other = JSON.stringify({ name: 'other', pets: [{ id: 1, name: 'Rex', categoryId: 1 }] })
    const second = readOrigin(other)
    expect(second).toMatchObject({
      text: other,
      origin: { name: 'other', catalogue: { all: { size: 1 } } },
    })
    expect(readOrigin(other)).toBe(second)
    expect(readOrigin(originText).origin.name).toBe('default')
  })
})
