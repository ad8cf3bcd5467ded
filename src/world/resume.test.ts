import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../contract/int64-json.ts'
import { parseScenario } from '../scenario/check.ts'
import { entryFormat } from '../service/entry-format.ts'
import type { LogRow } from './log-entry.ts'
import { createRequestLogs } from './request-log.ts'
import { createStart, type State, toBaseScenario } from './start.ts'
import { createWorld, type SavedSettings, type SavedWorld, type World } from './world.ts'

const SCENARIO: State = {
  name: 'busy',
  description: 'Everything that a world can have',
  pets: [
    { id: 1, name: 'Rex', categoryId: 3, status: 'sold' },
    { id: 9_007_199_254_740_993n, name: 'Ünï', categoryId: -9_223_372_036_854_775_808n },
  ],
  apiKeys: ['qa-key'],
  now: '2030-12-01T00:00:00Z',
  assume: { 'default-status': 'available' },
  latency: [20, 80],
  faults: [{ operation: 'createPet', status: 503, rate: 0.5 }],
  random: 7,
}

/** A world with everything that a host could keep of it. */
function begin(scenario: State, realTime = () => 0) {
  const start = parseScenario(scenario)
  const world = createWorld(start, { realTime, requestLogs: createRequestLogs(entryFormat) })
  const save = (awayMs = 0): SavedWorld => ({
    settings: parseJson(toJson(world.settings())) as unknown as SavedSettings,
    pets: world.catalogue.saved(),
    requestLog: world.requestLog.entries(),
    awayMs,
  })
  return { start, world, save }
}

/** As a host would: through text and back. */
function resume(start: ReturnType<typeof parseScenario>, saved: SavedWorld, realTime = () => 0): World {
  return createWorld(
    createStart(parseJson(toJson(toBaseScenario(start))) as State),
    { realTime, requestLogs: createRequestLogs(entryFormat) },
    saved,
  )
}

const exchange = (): LogRow => ({
  id: 0,
  at: Date.UTC(2030, 0),
  realAt: 0,
  method: 'POST',
  target: '/v1/pets?api_key=secret',
  operation: { operationId: 'createPet' },
  assumptions: ['default-status'],
  faults: ['1'],
  surprises: ['order@listPets#3'],
  notes: ['a note'],
  error: undefined,
  problems: [],
  outcome: 'sent',
  durationMs: 1.5,
  key: '…1234',
  fields: ['Content-Type', 'application/json', 'Prefer', 'code=503', 'Authorization', 'Bearer …1234'],
  requestBody: '{}',
  status: 503,
  responseHeaders: { Date: 'now' },
  responseBody: '{"code":"x"}',
})

describe('a world that goes on as it was saved', () => {
  it('is the same in every part, and goes on alike', () => {
    const { start, world, save } = begin(SCENARIO)
    world.store({ name: 'Mia', categoryId: 1 })
    world.faults.add({ operation: '*', delay: [1, 9] })
    world.faults.remove('2')
    world.faults.strike('createPet')
    world.choices = { ...world.choices, 'error-codes': 'snake' }
    world.clock.set('2030-12-02', true)
    world.requestLog.add(exchange())
    const again = resume(start, save())
    const goOn = (one: World) => [
      one.state(),
      one.settings(),
      one.requestLog.entries(),
      one.store({ name: 'Next', categoryId: 2, status: 'pending' }),
      one.drawLatency(),
      one.faults.strike('createPet'),
      one.faults.add({ operation: '*', drop: true }).id,
      one.requestLog.add(exchange()),
      one.catalogue.list({ limit: 100, newestFirst: true }),
      one.apiKeys,
      one.state(),
    ]
    expect(goOn(again)).toEqual(goOn(world))
  })

  it.each([
    ['runs on while it is away', { now: '2030-12-01T00:00:00Z' }, '2030-12-01T00:01:00.000Z'],
    ['stays where it was frozen', { now: '2030-12-01T00:00:00Z', frozen: true }, '2030-12-01T00:00:00.000Z'],
    ['follows real time if it was never set', {}, '2033-05-18T03:33:20.000Z'],
    ['stands still at the end of year 9999', { now: '9999-12-31T23:59:59Z' }, '9999-12-31T23:59:59.999Z'],
  ])('has a clock that %s', (_, clock, expected) => {
    const realTime = () => 2_000_000_000_000
    const { start, save } = begin({ pets: [], ...clock }, realTime)
    const again = resume(start, save(60_000), realTime)
    expect(new Date(again.clock.now()).toISOString()).toBe(expected)
    expect(again.clock.setting().frozen).toBe('frozen' in clock ? true : undefined)
  })

  it('keeps entries as they were shown: what was redacted stays so', () => {
    const { start, world, save } = begin({ pets: [] })
    world.requestLog.add(exchange())
    expect(resume(start, save()).requestLog.entries()).toEqual(world.requestLog.entries())
  })
})

describe('the scenario of a start', () => {
  it('gives the same start again, with a clock that starts where it started and not where it is now', () => {
    const start = parseScenario({ ...SCENARIO, frozen: true })
    expect(createStart(toBaseScenario(start))).toEqual(start)
    expect(toBaseScenario(start)).toMatchObject({ now: '2030-12-01T00:00:00Z', frozen: true })
  })
})
