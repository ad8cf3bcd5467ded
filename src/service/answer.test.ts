import { describe, expect, it } from 'vitest'
import { parseScenario } from '../scenario/check.ts'
import type { Fault } from '../world/faults.ts'
import type { LogRow } from '../world/log-entry.ts'
import { createRequestLogs } from '../world/request-log.ts'
import { createWorld, type World } from '../world/world.ts'
import { createService } from './answer.ts'
import type { Call } from './call.ts'
import { entryFormat } from './entry-format.ts'

const shown = ({ requestLog }: World) => requestLog.requests().map(requestLog.show)

describe('a bug below the service', () => {
  it('becomes a 500 that owns up to it, is reported once, and leaves the next answer alone', () => {
    const bugs: unknown[] = []
    const world = createWorld(parseScenario({ pets: [] }), { realTime: () => 0, requestLogs: createRequestLogs(entryFormat) })
    let broken = true
    const catalogue = {
      ...world.catalogue,
      list: (query: Parameters<typeof world.catalogue.list>[0]) => {
        if (broken) throw new RangeError('planted')
        return world.catalogue.list(query)
      },
    }
    const { answer } = createService({
      worldOf: () => ({ ...world, catalogue }),
      keysOf: () => world,
      corsOrigins: [],
      elapsed: () => 0,
      realTime: () => 0,
      onEnd: () => {},
      onBegin: () => {},
      onBug: (error) => bugs.push(error),
    })
    const call = { method: 'GET', target: '/v1/pets', header: (name: string) => (name === 'authorization' ? 'Bearer key' : undefined) }
    const reply = answer(call)
    expect(reply.status).toBe(500)
    expect(reply.headers['X-Mock-Bug']).toBe('1')
    expect(reply.body).toBe('{"code":"InternalServerError","message":"Bug in the mock; see its log","status":500}')
    expect(bugs).toEqual([new RangeError('planted')])
    broken = false
    expect(answer(call).status).toBe(200)
  })
})

describe('a call whose host reports the outcome', () => {
  const header = (name: string) => (name === 'authorization' ? 'Bearer key' : undefined)
  const hosted: Call = { method: 'GET', target: '/v1/pets', header, reportsOutcome: true }

  function start(faults: Fault[] = []) {
    const world = createWorld(parseScenario({ pets: [], faults }), { realTime: () => 0, requestLogs: createRequestLogs(entryFormat) })
    const heard: Pick<LogRow, 'outcome' | 'durationMs'>[] = []
    const begun: unknown[] = []
    const clock = { now: 1_000 }
    const service = createService({
      worldOf: () => world,
      keysOf: () => world,
      corsOrigins: [],
      elapsed: () => clock.now,
      realTime: () => 0,
      onEnd: ({ outcome, durationMs }) => heard.push({ outcome, durationMs }),
      onBegin: ({ target, id }) => begun.push({ target, id }),
      onBug: (error) => expect.unreachable(String(error)),
    })
    return { world, heard, begun, clock, service }
  }

  it('is logged when its response is handed over, with the time until then', () => {
    const { world, heard, clock, service } = start()
    const { status, settle } = service.answer(hosted)
    expect(status).toBe(200)
    expect(shown(world)).toEqual([])
    clock.now = 1_070
    settle?.('sent')
    expect(heard).toEqual([{ outcome: 'sent', durationMs: 70 }])
    expect(shown(world)).toMatchObject([{ id: 1, status: 200, outcome: 'sent', durationMs: 70, notes: [] }])
  })

  it('is aborted if the client left before, and got nothing', () => {
    const { world, service } = start()
    service.answer(hosted).settle?.('aborted')
    expect(shown(world)).toMatchObject([
      {
        status: 0,
        outcome: 'aborted',
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
    const { world, service } = start([{ operation: '*', drop: true, delay: 50 }])
    service.answer(hosted).settle?.('sent')
    service.answer(hosted).settle?.('aborted')
    expect(shown(world)).toMatchObject([
      { status: 0, outcome: 'dropped', notes: [] },
      { status: 0, outcome: 'aborted', notes: ['The client left before the connection was dropped'] },
    ])
  })
})
