// Surprises from outside: the same on every host, and consistent. A golden file holds their bytes.
// The worker and other judges are in test/long.
import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { expandScenario } from '../../src/scenario/expand.ts'
import { scenarios } from '../../src/scenario/shipped.ts'
import { herd } from '../support/animals.ts'
import { briefOf } from '../support/brief.ts'
import { createClient, toDirectWire } from '../support/client.ts'
import { hosts } from '../support/hosts.ts'
import { optionsFor, play, SEEDS } from '../support/play-surprises.ts'

const IN_GOLDEN_FILE = 1

describe('the same seed', () => {
  it('gives the same bytes on every host, and those of the golden file', async () => {
    let golden = ''
    for (const seed of SEEDS) {
      const text = await play(await hosts.direct(createMock(optionsFor(seed))))
      for (const host of ['fetch', 'node', 'msw'] as const)
        expect(await play(await hosts[host](createMock(optionsFor(seed)))), host).toBe(text)
      if (seed === IN_GOLDEN_FILE) golden = `# seed ${seed}\n\n${text}\n`
    }
    const state = createMock({ surprise: { seed: 55, kinds: ['all'] } })
      .control.state()
      .pets?.map(({ id, ...rest }) => `${id} ${JSON.stringify(rest)}\n`)
    await expect(`${golden}# state of seed 55\n\n${state?.join('')}`).toMatchFileSnapshot(
      'surprise.golden.txt',
    )
  })
})

describe('a surprised response', () => {
  const ask = (mock: Mock, target: string, more: object = {}) =>
    createClient(mock, toDirectWire(mock)).ask({ target, ...more })

  it('is named in its header and in the request log', async () => {
    const mock = createMock({ surprise: { seed: 7, kinds: ['order'] } })
    const headers: (string | undefined)[] = []
    for (let call = 0; call < 6; call++)
      headers.push((await ask(mock, '/v1/pets?limit=5')).headers['x-mock-surprise'])
    expect(headers).toContain('seed=7')
    const surprised = mock.control.requests().flatMap(({ surprises }) => surprises)
    expect(surprised.length).toBeGreaterThan(0)
    expect(surprised.every((label) => /^order@listPets\?limit=5#[1-6]$/.test(label))).toBe(true)
    expect(headers.filter((header) => header !== 'seed=7')).toEqual(
      surprised.map((label) => `seed=7 ${label}`),
    )
  })
})

describe('a surprised state', () => {
  it('keeps the animals of a scenario, and the ids that a fault or nextId names', () => {
    const all = {
      seed: 55,
      kinds: ['big-ids', 'odd-names', 'equal-names', 'absent-status'],
    } as const
    const written = createMock({ pets: herd(3), surprise: all }).control
    expect(written.state().pets).toEqual(herd(3))
    expect(written.state().nextId).toBe(2n ** 60n + 1n)
    const both = createMock({
      scenario: expandScenario({ pets: herd(3), generate: { count: 9 } }),
      surprise: all,
    }).control.state().pets
    expect(both?.slice(0, 3)).toEqual(herd(3))
    expect(both?.slice(3).every(({ id }) => id > 2n ** 60n)).toBe(true)
    expect(both?.some(({ status }) => status === undefined)).toBe(true)
    const faulty = createMock({
      faults: [{ operation: 'getPet', petId: 7, status: 404 }],
      surprise: all,
    }).control.state()
    expect(faulty.pets?.map(({ id }) => id)).toEqual(scenarios.default.pets?.map(({ id }) => id))
    expect(
      createMock({ scenario: { pets: herd(3), nextId: 9 }, surprise: all }).control.state().nextId,
    ).toBe(9)
  })

  it.each<[object, string]>([
    [{ seed: -1 }, 'mismatch surprise.seed -1'],
    [{}, 'missing surprise.seed'],
    [{ seed: 1, kinds: ['odd'] }, 'mismatch surprise.kinds[0] "odd"'],
    [{ seed: 1, only: ['listPets'] }, 'mismatch surprise.only[0] "listPets"'],
  ])('is refused for the setting %j', (surprise, problem) => {
    expect(briefOf(() => createMock({ surprise: surprise as never }))).toEqual([problem])
    expect(briefOf(() => createMock().control.load({ surprise: surprise as never }))).toEqual([
      problem,
    ])
  })
})
