import { describe, expect, it } from 'vitest'
import { type BannerFacts, toBanner } from './banner.ts'

const facts: BannerFacts = {
  version: '1.0.0',
  url: 'http://127.0.0.1:7387/v1',
  consoleUrl: 'http://127.0.0.1:7387/__mock/',
  scenario: 'default',
  pets: 50,
  byStatus: { sold: 9, available: 20, pending: 13 },
  networkUrls: [],
  faults: [],
  assume: [],
  isExposed: false,
}

describe('toBanner', () => {
  it('shows addresses in colour on a terminal, and the keys that work there', () => {
    const banner = toBanner({ ...facts, networkUrls: ['http://192.0.2.7:80/v1'], hasKeys: true }, true)
    expect(banner).toContain('  API        \u001b[36mhttp://127.0.0.1:7387/v1\u001b[39m\n')
    expect(banner).toContain('  Network    \u001b[36mhttp://192.0.2.7:80/v1\u001b[39m\n')
    expect(banner).toContain('  Console    \u001b[36mhttp://127.0.0.1:7387/__mock/\u001b[39m\n')
    expect(banner).toContain('  Keys       press h + Enter for help\n')
  })

  it('groups the digits of large numbers', () => {
    const banner = toBanner({ ...facts, pets: 100_000, byStatus: { sold: 1_000, available: 98_999 } })
    expect(banner).toContain('  Animals    100,000 (98,999 available, 1,000 sold, 1 without a status)\n')
  })

  it('says what was asked for', () => {
    const banner = toBanner({
      ...facts,
      url: 'http://0.0.0.0:80/v1',
      consoleUrl: 'http://0.0.0.0:80/__mock/',
      apiKeys: ['qa-key', 'dev-key'],
      scenario: 'tricky\u202e\n',
      seed: 7,
      now: '2030-12-06T00:00:00.000Z',
      frozen: true,
      networkUrls: ['http://192.0.2.7:80/v1'],
      latency: [200, 800],
      faults: [{ operation: 'createPet', status: 503, times: 2 }],
      assume: [
        { id: 'invalid-query', choice: 'clamp' },
        { id: 'paging', choice: 'none' },
      ],
      sandbox: true,
      watch: './situation.yaml',
      controlToken: { generated: 's3cret' },
      isExposed: true,
    })
    expect(banner).toBe(`animal-store-mock 1.0.0

  API        http://0.0.0.0:80/v1
  Network    http://192.0.2.7:80/v1
  API key    qa-key or dev-key
  Scenario   tricky\\u202e\\u000a, animals generated from seed 7
  Animals    50 (20 available, 13 pending, 9 sold, 8 without a status)
  Clock      2030-12-06T00:00:00.000Z, frozen
  Latency    200–800 ms for every response
  Faults     createPet responds 503, at most 2 times
  Assumes    invalid-query=clamp, paging=none
  Sandboxes  one state per API key
  Watching   ./situation.yaml
  Console    http://0.0.0.0:80/__mock/
  Token      s3cret (for the console and for --control-token)
  Try it     curl -H "Authorization: Bearer qa-key" http://0.0.0.0:80/v1/pets
  Warning    other machines can reach this mock; omit --host to keep it local

`)
  })

  it('gives no line to try when no key is valid, and no console when there is none', () => {
    const banner = toBanner({ ...facts, apiKeys: [], consoleUrl: undefined })
    expect(banner).toContain('API key    none is valid; set some with --api-key\n')
    expect(banner).not.toMatch(/curl|Console/)
  })
})

describe('the row of the clock', () => {
  it('says when a clock stands still without having been set', () => {
    expect(toBanner({ ...facts, frozen: true })).toContain('  Clock      frozen at start time\n')
  })
})

describe('the row of animals', () => {
  it.each([
    [0, {}, '0'],
    [3, { sold: 3 }, '3 (3 sold)'],
    [2, {}, '2 (2 without a status)'],
  ])('counts %i', (pets, byStatus, text) => {
    expect(toBanner({ ...facts, pets, byStatus })).toContain(`  Animals    ${text}\n`)
  })
})

describe('the row of faults', () => {
  it('names three, and how many more there are', () => {
    const faults = [503, 500, 429, 404, 400].map((status) => ({ operation: '*' as const, status }))
    expect(toBanner({ ...facts, faults })).toContain('  Faults     * responds 503; * responds 500; * responds 429; and 2 more\n')
  })

  it('has one latency as one number', () => {
    expect(toBanner({ ...facts, latency: 30 })).toContain('  Latency    30 ms for every response\n')
  })
})
