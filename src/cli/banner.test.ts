import { describe, expect, it } from 'vitest'
import { type BannerFacts, toBanner, toCounts } from './banner.ts'

const facts: BannerFacts = {
  version: '1.0.0',
  url: 'http://127.0.0.1:7387/v1',
  consoleUrl: 'http://127.0.0.1:7387/__mock/',
  scenario: 'default',
  pets: 50,
  byStatus: { sold: 9, available: 20, pending: 13 },
  faults: 0,
  isExposed: false,
}

describe('toBanner', () => {
  it('says where the mock is, what it holds and how to try it', () => {
    expect(toBanner(facts)).toBe(`animal-store-mock 1.0.0

  API        http://127.0.0.1:7387/v1
  API key    any, any-key for one (only "invalid" is refused)
  Scenario   default
  Animals    50 (20 available, 13 pending, 9 sold, 8 without a status)
  Console    http://127.0.0.1:7387/__mock/
  Try it     curl -H "Authorization: Bearer any-key" http://127.0.0.1:7387/v1/pets

`)
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
      faults: 2,
      sandbox: true,
      watch: './situation.yaml',
      controlToken: 's3cret',
      isExposed: true,
    })
    expect(banner).toBe(`animal-store-mock 1.0.0

  API        http://0.0.0.0:80/v1
  API key    qa-key or dev-key
  Scenario   tricky\\u202e\\u000a, animals of seed 7
  Animals    50 (20 available, 13 pending, 9 sold, 8 without a status)
  Clock      2030-12-06T00:00:00.000Z, stopped
  Faults     2
  Sandboxes  a world for each API key
  Watching   ./situation.yaml
  Console    http://0.0.0.0:80/__mock/
  Token      s3cret (for the console and for --token)
  Try it     curl -H "Authorization: Bearer qa-key" http://0.0.0.0:80/v1/pets
  Warning    other machines can reach this mock; without --host it stays on this one

`)
  })

  it('gives no line to try when no key is valid, and no console when there is none', () => {
    const banner = toBanner({ ...facts, apiKeys: [], consoleUrl: undefined })
    expect(banner).toContain('API key    none is valid: list some with --api-key\n')
    expect(banner).not.toMatch(/curl|Console/)
  })
})

describe('toCounts', () => {
  it.each([
    [0, {}, '0'],
    [3, { sold: 3 }, '3 (3 sold)'],
    [2, {}, '2 (2 without a status)'],
  ])('%i animals', (pets, byStatus, text) => {
    expect(toCounts(pets, byStatus)).toBe(text)
  })
})
