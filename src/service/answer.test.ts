import { describe, expect, it } from 'vitest'
import { parseScenario } from '../world/scenario.ts'
import { createWorld } from '../world/world.ts'
import { createService } from './answer.ts'
import { createCors } from './cors.ts'

describe('a bug below the service', () => {
  it('becomes a 500 that owns up to it, is reported once, and leaves the next answer alone', () => {
    const bugs: unknown[] = []
    const world = createWorld(parseScenario({ pets: [] }), { realTime: () => 0 })
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
      peekWorld: () => world,
      cors: createCors(),
      elapsed: () => 0,
      onExchange: () => {},
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
