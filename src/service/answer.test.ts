import { describe, expect, it, vi } from 'vitest'
import { surround } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { restoreRow } from '../world/saved-row.ts'
import type { Scenario } from '../world/scenario.ts'
import { showRow } from '../world/show-row.ts'
import { beginState } from '../world/state.ts'
import { createWorld, type World } from '../world/world.ts'
import { createService } from './answer.ts'
import type { Call } from './call.ts'

const shown = ({ timeline }: World) => timeline.requests().map((row) => showRow(row, null))

const headers = { authorization: 'Bearer a-long-key' }
const hosted: Call = { method: 'GET', target: '/v1/pets', headers, reportsOutcome: true }
const call: Call = { method: 'GET', target: '/v1/pets', headers }

function start(scenario: Scenario = {}) {
  const surroundings = surround()
  const { times } = surroundings
  const world = createWorld(
    beginState(parseScenario({ pets: [], ...scenario }), times),
    surroundings,
  )
  const heard: Pick<KeptRequest, 'outcome' | 'durationMs'>[] = []
  const begun: unknown[] = []
  const clock = { now: 1_000 }
  const service = createService({
    worldOf: () => world,
    stateOf: () => world.state,
    corsOrigins: [],
    times: { ...times, steady: () => clock.now },
    onEnd: ({ outcome, durationMs }) => heard.push({ outcome, durationMs }),
    onBegin: ({ target, id }) => begun.push({ target, id }),
  })
  return { world, heard, begun, clock, service }
}

describe('a bug below the service', () => {
  it('becomes a 500 that owns up to it, is reported once, and leaves the next answer alone', () => {
    const { world, service } = start()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { pages } = world
    world.pages = () => {
      throw new RangeError('planted')
    }
    expect([service.answer({ ...call, target: '/' }).status, log.mock.calls]).toEqual([404, []])
    const reply = service.answer(call)
    expect(reply.status).toBe(500)
    expect(reply.headers['X-Mock-Bug']).toBe('1')
    expect(reply.body).toBe(
      '{"code":"InternalServerError","message":"Bug in the mock; see its log","status":500}',
    )
    expect(log.mock.calls).toEqual([[new RangeError('planted')]])
    world.pages = pages
    expect(service.answer(call).status).toBe(200)
  })
})

describe('a call', () => {
  it('whose host reports nothing has ended after its latency and the delay of its faults', () => {
    const { heard, service } = start({
      latency: 20,
      faults: [{ operation: '*', delay: 50, drop: true }],
    })
    expect(service.answer(call)).toMatchObject({ drop: true, delay: 70 })
    expect(heard).toEqual([{ outcome: 'dropped', durationMs: 70 }])
  })

  it('gets a surprise only if its response is documented, has a body, and no fault has touched it', () => {
    const { service } = start({ surprise: { seed: 7, kinds: ['order'] } })
    const changes = [
      {},
      { method: 'HEAD' },
      { method: 'PUT' },
      { target: '/' },
      { headers: { ...headers, prefer: 'delay=1' } },
    ]
    const surprised = changes.map(
      (change) => 'X-Mock-Surprise' in service.answer({ ...call, ...change }).headers,
    )
    expect(surprised).toEqual([true, false, false, false, false])
  })

  it('is the same in a log that is restored', () => {
    const { world, service } = start()
    const changes = [
      { target: '/v1/pets?x' },
      { target: '/' },
      { target: '*' },
      { method: 'OPTIONS', target: '*' },
      { headers: {} },
    ]
    for (const change of changes) service.answer({ ...call, ...change })
    const rows = shown(world)
    const later = start().world
    later.timeline.restore(rows.map(restoreRow), 0)
    expect(shown(later)).toEqual(rows)
    expect(rows).toMatchObject([
      { status: 200, operation: 'listPets', notes: [expect.stringContaining('"x"')] },
      { status: 404, operation: null, key: '…-key' },
      { status: 400 },
      { status: 204 },
      { status: 401, key: null },
    ])
  })
})

describe('a logged request', () => {
  it('stays as it was if the caller changes what it passed and what it got', () => {
    const { world, service } = start()
    const body = new TextEncoder().encode('{"name":"Rex","categoryId":1}')
    const sent = { ...headers, 'content-type': 'application/json', accept: '*/*' }
    const request = { method: 'POST', target: '/v1/pets', headers: sent, body }
    const reply = service.answer(request)
    const [before] = shown(world)
    sent.accept = 'text/html'
    request.target = '/elsewhere'
    body.fill(0)
    Object.assign(reply.headers, { Date: 'never' })
    const [after] = shown(world)
    expect(after?.request).toEqual({
      headers: {
        authorization: 'Bearer …-key',
        'content-type': 'application/json',
        accept: '*/*',
      },
      body: '{"name":"Rex","categoryId":1}',
    })
    expect([after, after?.response]).toEqual([before, before?.response])
    expect(after?.response.headers.Date).not.toBe('never')
  })

  it('holds no whole key and no cookie', () => {
    const { world, service } = start()
    const secrets = { authorization: 'Bearer a-long-key', Cookie: 'session=1', cookie: 'a=b' }
    service.answer({ ...call, headers: secrets })
    const [row] = world.timeline.requests()
    expect(row?.requestHeaders).toEqual({ authorization: 'Bearer …-key' })
    expect(Object.values(row ?? {})).not.toContain('a-long-key')
    expect(secrets).toHaveProperty('cookie')
  })

  it('names the assumptions of its response in the order of their table', () => {
    const { world, service } = start({
      pets: [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 })),
    })
    service.answer({ ...call, target: '/v1/pets?page=2' })
    expect(shown(world)[0]?.assumptions).toEqual(['list-order', 'paging'])
  })
})

describe('a call whose host reports the outcome', () => {
  it('is logged when its response is handed over, with the time until then', () => {
    const { world, heard, begun, clock, service } = start()
    const { status, settle } = service.answer(hosted)
    expect(status).toBe(200)
    expect(shown(world)).toEqual([])
    clock.now = 1_070
    settle?.('sent')
    expect([heard, begun]).toEqual([[{ outcome: 'sent', durationMs: 70 }], []])
    expect(shown(world)).toMatchObject([
      { id: 1, status: 200, outcome: 'sent', durationMs: 70, notes: [] },
    ])
  })

  it('is aborted if the client left before, and got nothing', () => {
    const { world, service } = start()
    service.answer(hosted).settle?.('aborted')
    expect(shown(world)).toMatchObject([
      {
        status: 0,
        outcome: 'aborted',
        problems: [],
        response: { headers: {}, body: '' },
        notes: ['The client left before its 200 was sent'],
      },
    ])
  })

  it('counts the first report alone', () => {
    const { heard, service } = start()
    const { settle } = service.answer(hosted)
    settle?.('sent')
    settle?.('aborted')
    settle?.('sent')
    expect(heard).toEqual([{ outcome: 'sent', durationMs: 0 }])
  })

  it('is dropped on purpose, or aborted if the client left before that', () => {
    const { world, begun, service } = start({ faults: [{ operation: '*', drop: true, delay: 50 }] })
    service.answer(hosted).settle?.('sent')
    service.answer(hosted).settle?.('aborted')
    expect(begun).toEqual([1, 2].map((id) => ({ target: '/v1/pets', id })))
    expect(shown(world)).toMatchObject([
      { status: 0, outcome: 'dropped', notes: [] },
      {
        status: 0,
        outcome: 'aborted',
        notes: ['The client left before the connection was dropped'],
      },
    ])
  })
})
